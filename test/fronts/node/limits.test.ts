import { createServer } from "node:http";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { closeServer, Connections } from "../../../src/fronts/node/connections.ts";
import { listen } from "../../../src/fronts/node/server.ts";
import { answered, reading, recordedFixtures } from "../../support/cassettes.ts";
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

/** A chat with this many bytes of text. */
function chatOf(size: number): string {
  const body = JSON.stringify({
    model: "m",
    messages: [{ role: "user", content: "x".repeat(size) }],
  });
  const chatHead =
    "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer k\r\n" +
    "content-type: application/json\r\n";
  return `${chatHead}content-length: ${body.length}\r\n\r\n${body}`;
}

test("counts the body of a chat that hangs until its client is gone", async () => {
  await using served = await serve(fixtures, { bodiesLimit: 100_000 });
  served.emulator.faults.add({ interface: "chat", fault: "hang", times: 1 });
  using first = await served.connect();
  first.send(chatOf(80_000));
  await expect.poll(() => served.emulator.journal.list()).toMatchObject([{ ended: "pending" }]);
  using second = await served.connect();
  second.send(chatOf(80_000));
  expect(await second.until("busy")).toMatch(/^HTTP\/1\.1 503 .*bodiesLimit/s);
  first.socket.destroy();
  await expect.poll(() => served.emulator.journal.list()[0]?.aborted).toBe(true);
  using third = await served.connect();
  third.send(chatOf(40_000));
  expect(await third.until("xxx")).toMatch(/^HTTP\/1\.1 200 /);
});

test("counts an answer until its client has read it, and refuses others that are large", async () => {
  const large = answered({ body: { text: "x".repeat(20_000_000) } });
  const recorded = recordedFixtures({
    tables: [
      [reading("/large"), large],
      [reading("/small"), answered()],
    ],
  });
  await using served = await serve(recorded, { bodiesLimit: 30_000_000 });
  const status = async (path: string): Promise<number> =>
    (await served.fetch(path, { headers: { authorization: "Bearer k" } })).status;
  using unread = await served.connect();
  unread.socket.pause();
  unread.send("GET /rest/large HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer k\r\n\r\n");
  await expect.poll(() => served.emulator.journal.list()).toMatchObject([{ status: 200 }]);
  expect(await status("/rest/large")).toBe(503);
  expect(await status("/rest/small")).toBe(200);
  expect(served.emulator.journal.list()).toMatchObject([{}, { status: 503 }, { status: 200 }]);
  unread.socket.destroy();
  await expect.poll(() => status("/rest/large")).toBe(200);
});

test("answers every request of a client that waits for none of its answers", async () => {
  await using served = await serve(fixtures, { auth: false });
  using connection = await served.connect();
  const requests = Array.from({ length: 3_000 }, (_, n) =>
    n % 3 === 0
      ? chatOf(1).replace("POST /v1", `POST /@s${n}/v1`)
      : `GET /@s${n}/rest/users/1 HTTP/1.1\r\nhost: localhost\r\n\r\n`,
  );
  connection.send(`${requests.join("")}GET /last HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  const answers = (await connection.until("/last")).split("HTTP/1.1 200 OK");
  expect(answers).toHaveLength(3_001);
});

/** Requests that nobody answers: how many were read, and how many of their clients were cut. */
interface Flood extends AsyncDisposable {
  read: number;
  cut: number;
}

async function flood(sent: { clients: number; requests: number }): Promise<Flood> {
  const server = createServer();
  const connections = new Connections(server);
  const { port } = await listen(server, { port: 0, host: "127.0.0.1" });
  const found: Flood = {
    read: 0,
    cut: 0,
    [Symbol.asyncDispose]: () => closeServer(server, connections),
  };
  server.on("request", ({ socket }, response) => {
    found.read += 1;
    void connections.add(socket, response);
  });
  for (let client = 0; client < sent.clients; client++) {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    socket.once("close", () => (found.cut += 1));
    socket.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(sent.requests));
  }
  return found;
}

test("stops reading from a client that sends thousands of requests before its first answer", async () => {
  await using found = await flood({ clients: 1, requests: 50_000 });
  await expect.poll(() => found.read).toBeGreaterThan(100);
  // As long as several turns of a server that goes on reading would take.
  await delay(500);
  expect(found).toMatchObject({ cut: 0 });
  expect(found.read).toBeLessThan(5_000);
});

test("cuts clients once 20,000 requests of all wait for an earlier answer", async () => {
  await using found = await flood({ clients: 60, requests: 2_000 });
  await expect.poll(() => found.cut, { timeout: 20_000 }).toBeGreaterThan(0);
  expect(found.read).toBeGreaterThan(20_000);
  expect(found.cut).toBeLessThan(60);
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
