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

test("a client that does not read holds up nobody, and learns what it has lost", async () => {
  const emulator = await createEmulator({ fixtures, auth: false, journalSize: 5 });
  const server = await startServer(emulator, { port: 0 });
  const response = await new Promise<IncomingMessage>((resolve) => {
    request(`${server.url}/__backlot/requests/live`, resolve).end();
  });
  response.pause();
  const body = JSON.stringify({ name: "x".repeat(1_000_000) });
  const headers = { "content-type": "application/json" };
  for (let count = 0; count < 30; count++) {
    await emulator.fetch("/rest/users", { method: "POST", headers, body });
  }
  const events: string[] = [];
  response.setEncoding("utf8");
  let line = "";
  await new Promise<void>((resolve) => {
    response.on("data", (part: string) => {
      const lines = (line + part).split("\n");
      line = lines.pop() ?? "";
      events.push(...lines.filter((one) => /^id: |^data: \{"count"/.test(one)));
      if (events.includes("id: 30")) resolve();
    });
    response.resume();
  });
  response.destroy();
  await server.close();
  const [, lost = 0] = /"count":(\d+)/.exec(events.join()) ?? [];
  const sent = events.filter((event) => event.startsWith("id: ")).length;
  expect(Number(lost)).toBeGreaterThan(0);
  expect(sent + Number(lost)).toBe(30);
});
