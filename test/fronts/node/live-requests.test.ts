import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import { startServer } from "../../../src/fronts/node/server.ts";
import { readUntil } from "../../support/read-stream.ts";

const fixtures = { tables: { users: [{ id: 1, name: "Ada" }] } };

test("a server that closes ends the streams of what is asked, and holds nothing of them", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  const server = await startServer(emulator, { port: 0 });
  const response = await fetch(`${server.url}/__backlot/requests/live`);
  const reader = response.body?.getReader();
  if (reader === undefined) throw new Error("The response has no body.");
  await readUntil(reader, "\n\n");
  const ended = reader.read().then(
    ({ done }) => done,
    () => true,
  );
  await server.close();
  expect(await ended).toBe(true);
});
