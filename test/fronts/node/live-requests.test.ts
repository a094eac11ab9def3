import { type IncomingMessage, request } from "node:http";
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

test("a client that never reads 9 MB bodies holds up nobody, and loses its connection", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  const server = await startServer(emulator, { port: 0 });
  const watch = (): Promise<IncomingMessage> =>
    new Promise((resolve) => {
      request(`${server.url}/__backlot/requests/live`, resolve).end();
    });
  const deaf = await watch();
  deaf.pause();
  const ended = new Promise<string>((resolve) => {
    deaf.once("error", ({ message }) => resolve(message));
  });
  const brisk = await watch();
  const ids: string[] = [];
  brisk.setEncoding("latin1").on("data", (part: string) => {
    ids.push(...[...part.matchAll(/^id: (\d+)$/gm)].map(([, id = ""]) => id));
  });
  const body = JSON.stringify({ name: "x".repeat(9_000_000) });
  const headers = { "content-type": "application/json" };
  for (let count = 1; count <= 10; count++) {
    const response = await fetch(`${server.url}/rest/users`, { method: "POST", headers, body });
    expect(response.status).toBe(201);
    expect((await response.text()).length).toBeGreaterThan(9_000_000);
    await expect.poll(() => ids.at(-1), { timeout: 10_000 }).toBe(String(count));
  }
  expect(ids).toHaveLength(10);
  let read = 0;
  deaf.on("data", ({ length }: Buffer) => {
    read += length;
  });
  deaf.resume();
  expect(await ended).toBe("aborted");
  // What the system had taken, of the first event.
  expect(read).toBeLessThan(9_000_000);
  brisk.destroy();
  await server.close();
}, 60_000);
