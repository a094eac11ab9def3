import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { serve } from "../../support/served.ts";

const fixtures = { tables: { users: [{ id: 1, name: "Ada" }] } };
const head =
  "POST /rest/users HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer local-token\r\n" +
  "content-type: application/json\r\n";

test("answers 413 to an announced body over the limit before any of it is sent", async () => {
  await using served = await serve(fixtures, { bodyLimit: 1_000 });
  using connection = await served.connect();
  connection.send(`${head}content-length: 1001\r\n\r\n`);
  expect(await connection.until("body_too_large")).toMatch(/^HTTP\/1\.1 413 /);
});

test("answers 413 to a chunked body as soon as it is over the limit", async () => {
  await using served = await serve(fixtures, { bodyLimit: 1_000 });
  using connection = await served.connect();
  connection.send(`${head}transfer-encoding: chunked\r\n\r\n`);
  connection.send(`3e8\r\n${" ".repeat(1_000)}\r\n`);
  connection.send("1\r\n \r\n");
  expect(await connection.until("body_too_large")).toMatch(/^HTTP\/1\.1 413 /);
});

test("takes a body that is exactly as large as the limit", async () => {
  const body = JSON.stringify({ name: "Grace" });
  await using served = await serve(fixtures, { bodyLimit: body.length });
  using connection = await served.connect();
  connection.send(`${head}transfer-encoding: chunked\r\n\r\n`);
  connection.send(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
  expect(await connection.until("}}")).toMatch(/^HTTP\/1\.1 201 /);
});

test("lets a client that sends all of a large body at once see the 413", async () => {
  await using served = await serve(fixtures);
  const response = await served.fetch("/rest/users", {
    method: "POST",
    headers: { authorization: "Bearer local-token", "content-type": "application/json" },
    body: new Uint8Array(12_000_000).fill(0x20),
  });
  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({ code: "body_too_large" });
});

test("goes on with the next request of a connection after a 413", async () => {
  await using served = await serve(fixtures, { bodyLimit: 10 });
  using connection = await served.connect();
  connection.send(`${head}content-length: 100000\r\n\r\n${" ".repeat(100_000)}`);
  await connection.until("body_too_large");
  connection.send(
    "GET /rest/users HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer local-token\r\n\r\n",
  );
  expect(await connection.until("Ada")).toContain("HTTP/1.1 200 ");
});

test("answers 401 without waiting for the body", async () => {
  await using served = await serve(fixtures);
  using connection = await served.connect();
  connection.send(
    "POST /rest/users HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5000000\r\n\r\n",
  );
  expect(await connection.until("unauthorized")).toMatch(/^HTTP\/1\.1 401 /);
});

test("answers 431 to a head of more than 64 KB, and takes one of less", async () => {
  await using served = await serve(fixtures);
  using large = await served.connect();
  using fitting = await served.connect();
  const line =
    "GET /rest/users HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer local-token\r\n";
  large.send(`${line}x-large: ${"x".repeat(66_000)}\r\n\r\n`);
  fitting.send(`${line}x-large: ${"x".repeat(60_000)}\r\n\r\n`);
  expect(await large.closed()).toMatch(/^HTTP\/1\.1 431 .*"code":"bad_request"/s);
  expect(await fitting.until("Ada")).toMatch(/^HTTP\/1\.1 200 /);
});

const malformed: readonly string[] = [
  "nonsense\r\n\r\n",
  "get /rest/users HTTP/1.1\r\nhost: localhost\r\n\r\n",
  "GET /rest/users HTTP/1.1\r\nno colon\r\n\r\n",
  "POST /rest/users HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n",
  "POST /rest/users HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n",
  "GET /rest/users HTTP/1.1\r\n\r\n",
  "\u0016\u0003\u0001\u0000\u0001",
];

test.each(malformed)("answers 400 to %j, and goes on", async (bytes) => {
  await using served = await serve(fixtures, { auth: false });
  using connection = await served.connect();
  connection.send(bytes);
  expect(await connection.until("\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
  expect((await served.fetch("/rest/users")).status).toBe(200);
});

test("answers 400 when the body breaks the rules of HTTP", async () => {
  await using served = await serve(fixtures, { auth: false });
  using connection = await served.connect();
  connection.send(`${head}transfer-encoding: chunked\r\n\r\nzz\r\n`);
  expect(await connection.closed()).toMatch(/^HTTP\/1\.1 400 /);
  expect((await served.fetch("/rest/users")).status).toBe(200);
});

test("cuts a connection that sends nonsense while an answer is partly out", async () => {
  const reply = { chunks: ["first", { wait: 3_600_000 }, "second"] };
  await using served = await serve({ chats: [{ name: "slow", reply }] });
  using connection = await served.connect();
  const body = JSON.stringify({
    model: "x",
    stream: true,
    messages: [{ role: "user", content: "x" }],
  });
  connection.send(
    "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer k\r\n" +
      `content-length: ${body.length}\r\n\r\n${body}`,
  );
  await connection.until("first");
  connection.send("nonsense\r\n\r\n");
  expect(await connection.closed()).not.toContain("HTTP/1.1 400");
  expect(await served.log.settled(1)).toMatchObject({ aborted: true });
});

test("records a request whose client goes away before its body is complete", async () => {
  await using served = await serve(fixtures);
  const connection = await served.connect();
  connection.send(`${head}content-length: 100\r\n\r\n{"name":`);
  setTimeout(() => connection.socket.destroy(), 30);
  expect(await served.log.settled(1)).toMatchObject({ method: "POST", aborted: true });
  expect(
    (await served.fetch("/rest/users", { headers: { authorization: "Bearer local-token" } }))
      .status,
  ).toBe(200);
});

test("cuts a client that goes on sending a body that nobody wants", async () => {
  await using served = await serve(fixtures);
  using connection = await served.connect();
  connection.send(
    "POST /rest/users HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n",
  );
  await connection.until("unauthorized");
  const megabyte = Buffer.from(`f4240\r\n${"x".repeat(1_000_000)}\r\n`);
  let sent = 0;
  while (!connection.socket.closed && sent < 300) {
    sent += 1;
    await new Promise((resolve) => connection.socket.write(megabyte, resolve));
  }
  expect(connection.text).toMatch(/^HTTP\/1\.1 401 /);
  expect(sent).toBeGreaterThan(60);
  expect(sent).toBeLessThan(300);
});

test("answers 503 to a body over the limit of all that are under way, until others are gone", async () => {
  await using served = await serve(fixtures, { bodiesLimit: 100_000 });
  using first = await served.connect();
  first.send(`${head}content-length: 90000\r\n\r\n${" ".repeat(80_000)}`);
  await delay(100);
  using second = await served.connect();
  second.send(`${head}content-length: 90000\r\n\r\n${" ".repeat(80_000)}`);
  expect(await second.until("busy")).toMatch(/^HTTP\/1\.1 503 .*bodiesLimit/s);
  first.socket.destroy();
  const body = JSON.stringify({ name: "x".repeat(80_000) });
  using third = await served.connect();
  third.send(`${head}content-length: ${body.length}\r\n\r\n${body}`);
  expect(await third.until("\r\n\r\n")).toMatch(/^HTTP\/1\.1 201 /);
});

test("counts the bodies under way of each server in a process for itself", async () => {
  await using busy = await serve(fixtures, { bodiesLimit: 1_000_000 });
  await using small = await serve(fixtures, { bodiesLimit: 1_000 });
  using upload = await busy.connect();
  upload.send(`${head}content-length: 90000\r\n\r\n${" ".repeat(80_000)}`);
  await expect.poll(() => busy.emulator.journal.list()).toHaveLength(1);
  const body = JSON.stringify({ name: "Ada" });
  using other = await small.connect();
  other.send(`${head}content-length: ${body.length}\r\n\r\n${body}`);
  expect(await other.until("\r\n\r\n")).toMatch(/^HTTP\/1\.1 201 /);
});

test("says in chat's envelope that too many bodies are under way", async () => {
  await using served = await serve(fixtures, { bodiesLimit: 100_000 });
  const body = JSON.stringify({
    model: "m",
    messages: [{ role: "user", content: "x".repeat(2e5) }],
  });
  const headers = { authorization: "Bearer k", "content-type": "application/json" };
  const response = await served.fetch("/v1/chat/completions", { method: "POST", headers, body });
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ error: { type: "server_error", code: "busy" } });
});

test("answers 503 on connections over the limit, as long as the others are open", async () => {
  await using served = await serve(fixtures, { maxConnections: 2, auth: false });
  const connections = [await served.connect(), await served.connect(), await served.connect()];
  const answers = connections.map(async (connection) => {
    connection.send("GET /rest/users HTTP/1.1\r\nhost: localhost\r\n\r\n");
    return (await connection.until("}")).slice(0, 12);
  });
  expect(await Promise.all(answers)).toEqual(["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 503"]);
  const [first, , third] = connections;
  first?.socket.destroy();
  await delay(100);
  third?.send("GET /rest/users HTTP/1.1\r\nhost: localhost\r\n\r\n");
  expect(await third?.until("Ada")).toContain("HTTP/1.1 200");
  for (const connection of connections) connection.socket.destroy();
});
