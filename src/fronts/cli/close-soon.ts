import type { RunningServer } from "../node/server.ts";

/** How long clients that do not read have to take what was sent, in milliseconds. */
const patienceMs = 400;

/** Stops a server, and waits no longer for its clients than a user does. */
export async function closeSoon(server: Pick<RunningServer, "close">): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs);
  });
  await Promise.race([server.close(), enough]);
  clearTimeout(timer);
}
