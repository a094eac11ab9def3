import { setTimeout as delay } from "node:timers/promises";
import { vi } from "vitest";
import { ask } from "./requests.ts";
import type { Service } from "./transports.ts";

/**
 * Aborts a request once the service has it, and a little later: of a client that goes at once the server does not know
 * whether it only closes its side, and waits ten seconds.
 */
export async function leaveOnceAsked(
  service: Pick<Service, "fetch">,
  leaving: AbortController,
): Promise<void> {
  const fromHere = { headers: { host: "localhost" }, token: null };
  const isUnderWay = async (): Promise<boolean> =>
    (await ask(service, "GET /__backlot/requests", fromHere)).text.includes('"pending"');
  await vi.waitUntil(isUnderWay, { timeout: 30_000, interval: 5 });
  // One after the other: on a busy machine several are due in the same round.
  for (let round = 0; round < 4; round++) await delay(5);
  leaving.abort();
}
