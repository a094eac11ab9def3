import { once } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import { nodeTimers } from "../../../src/fronts/node/timers.ts";
import { serve } from "../../support/served.ts";

function get(path: string, header = ""): string {
  return `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer local-token\r\n${header}\r\n`;
}

/** Rows of about so many megabytes. */
function notes(megabytes: number, text: string): readonly object[] {
  const long = text.repeat(Math.ceil(100_000 / Buffer.byteLength(text)));
  return Array.from({ length: megabytes * 10 }, (_, id) => ({ id, text: long }));
}

test.each(["plain ", "größer 天気 👩‍🚀 "])("sends a large page whole that says %j", async (text) => {
  const rows = notes(2, text);
  await using served = await serve({ tables: { notes: rows } }, { auth: false });
  const response = await served.fetch("/rest/notes");
  const body = await response.text();
  expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(body)));
  expect(body === JSON.stringify({ result: rows })).toBe(true);
  expect(await served.log.settled(1)).toMatchObject({ status: 200, aborted: false });
});

test("answers the next request of a connection behind a large page", async () => {
  await using served = await serve({ tables: { notes: notes(2, "plain ") } });
  using connection = await served.connect();
  connection.send(get("/rest/notes") + get("/rest/nothing", "connection: close\r\n"));
  expect(await connection.closed()).toMatch(/^HTTP\/1\.1 200 .*HTTP\/1\.1 404 /s);
});

test("tells the length of a large page to HEAD, and sends none of it", async () => {
  await using served = await serve({ tables: { notes: notes(2, "plain ") } }, { auth: false });
  const response = await served.fetch("/rest/notes", { method: "HEAD" });
  expect(Number(response.headers.get("content-length"))).toBeGreaterThan(2_000_000);
  expect(await response.text()).toBe("");
});

test("notes a client that leaves amid a large page", async () => {
  await using served = await serve({ tables: { notes: notes(24, "plain ") } });
  const connection = await served.connect();
  connection.socket.pause();
  connection.send(get("/rest/notes"));
  await once(connection.socket, "readable");
  connection.socket.destroy();
  expect(await served.log.settled(1)).toMatchObject({ status: 200, aborted: true });
});

test("lets a client have the large page that it asked for before it sent broken bytes", async () => {
  await using served = await serve({ tables: { notes: notes(12, "plain ") } });
  using connection = await served.connect();
  connection.socket.pause();
  connection.send(get("/rest/notes"));
  await once(connection.socket, "readable");
  connection.send("broken\r\n\r\n");
  connection.socket.resume();
  const text = await connection.closed();
  expect(text.length).toBeGreaterThan(12_000_000);
  expect(text.slice(-400)).toContain("HTTP/1.1 400 Bad Request");
});

test("lets a client have the large page that it reads when the server is closed", async () => {
  await using served = await serve({ tables: { notes: notes(12, "plain ") } });
  using connection = await served.connect();
  connection.socket.pause();
  connection.send(get("/rest/notes"));
  await once(connection.socket, "readable");
  const never = setTimeout(() => undefined);
  const set = vi.spyOn(nodeTimers, "set").mockReturnValue(never);
  onTestFinished(() => set.mockRestore());
  const closing = served.server.close();
  connection.socket.resume();
  expect((await connection.closed()).length).toBeGreaterThan(12_000_000);
  await closing;
});

test("sends a page of many megabytes while the client reads it", async () => {
  const rows = notes(24, "plain ");
  await using served = await serve({ tables: { notes: rows } }, { auth: false });
  const response = await served.fetch("/rest/notes");
  expect(response.headers.get("transfer-encoding")).toBe("chunked");
  expect((await response.text()) === JSON.stringify({ result: rows })).toBe(true);
  expect(await served.log.settled(1)).toMatchObject({ status: 200, aborted: false });
});
