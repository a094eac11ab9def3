import { type IncomingMessage, request } from "node:http";
import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import { startServer } from "../../../src/fronts/node/server.ts";
import { readUntil } from "../../support/read-stream.ts";

const fixtures = { tables: { users: [{ id: 1, name: "Ada" }] } };

const watch = (url: string): Promise<IncomingMessage> =>
  new Promise((resolve) => {
    request(`${url}/__backlot/requests/live?bodies=true`, resolve).end();
  });

const eventsIn = (text: string): number => text.split("event: request\n").length - 1;

test("a client that does not read 9 MB bodies holds up nobody, and is told how many it missed", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  const server = await startServer(emulator, { port: 0 });
  const slow = await watch(server.url);
  slow.pause();
  const brisk = await watch(server.url);
  const ids: string[] = [];
  let events = 0;
  brisk.setEncoding("latin1").on("data", (part: string) => {
    events += eventsIn(part);
    ids.push(...[...part.matchAll(/^id: (\d+)$/gm)].map(([, id = ""]) => id));
  });
  const body = JSON.stringify({ name: "x".repeat(9_000_000) });
  const headers = { "content-type": "application/json" };
  for (let count = 1; count <= 6; count++) {
    const response = await fetch(`${server.url}/rest/users`, { method: "POST", headers, body });
    expect(response.status).toBe(201);
    expect((await response.text()).length).toBeGreaterThan(9_000_000);
    await expect.poll(() => ids.at(-1)).toBe(String(count));
  }
  expect(ids).toHaveLength(6);
  let told = 0;
  let missed = 0;
  slow.setEncoding("latin1").on("data", (part: string) => {
    told += eventsIn(part);
    missed += Number(/^data: \{"count":(\d+)\}$/m.exec(part)?.[1] ?? 0);
  });
  slow.resume();
  await expect.poll(() => told + missed).toBe(events);
  expect(missed).toBeGreaterThan(0);
  slow.destroy();
  brisk.destroy();
  await server.close();
}, 60_000);

test("2,000 requests in quick succession are all told, in writes of a few milliseconds", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  const server = await startServer(emulator, { port: 0 });
  const response = await fetch(`${server.url}/__backlot/requests/live`);
  const reader = response.body?.getReader();
  if (reader === undefined) throw new Error("The response has no body.");
  await readUntil(reader, "\n\n");
  let text = "";
  const reading = (async () => {
    const decoder = new TextDecoder();
    while (!text.includes("id: 2000\n")) text += decoder.decode((await reader.read()).value);
  })();
  let left = 2000;
  const run = async (): Promise<void> => {
    while (left-- > 0) await (await fetch(`${server.url}/rest/users/1`)).arrayBuffer();
  };
  await Promise.all(Array.from({ length: 16 }, run));
  await reading;
  const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  expect(ids.toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 2000 }, (_, index) => index + 1),
  );
  expect(text).not.toContain("event: missed");
  await reader.cancel();
  await server.close();
}, 60_000);
