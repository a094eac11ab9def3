import { createServer } from "node:http";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import { listen, startServer } from "../../../src/fronts/node/server.ts";
import { nodeTimers } from "../../../src/fronts/node/timers.ts";
import { serve } from "../../support/served.ts";

const fixtures = { tables: { users: [{ id: 1, name: "Ada" }] } };
const get = "GET /rest/users HTTP/1.1\r\nhost: localhost\r\n\r\n";

afterEach(() => vi.useRealTimers());

test("tells the address that it really listens on", async () => {
  await using served = await serve(fixtures, { auth: false });
  const { url, host, port } = served.server;
  expect(host).toBe("127.0.0.1");
  expect(port).toBeGreaterThan(0);
  expect(url).toBe(`http://127.0.0.1:${port}`);
});

test("rejects with ERR_LISTEN and advice when the port is in use", async () => {
  await using served = await serve(fixtures);
  const { port } = served.server;
  await expect(startServer(served.emulator, { port })).rejects.toMatchObject({
    name: "EmulatorError",
    code: "ERR_LISTEN",
    message: `Cannot listen on 127.0.0.1:${port}: the port is in use. Try --port ${port + 1}, or --port 0 for a free one.`,
  });
});

test.each([
  [{ port: 70_000 }, "70000"],
  [{ port: 0, host: "no.such.host.invalid" }, "no.such.host.invalid"],
])("rejects with ERR_LISTEN when it cannot listen on %j", async (options, named) => {
  const emulator = await createEmulator({ fixtures });
  await expect(startServer(emulator, options)).rejects.toMatchObject({
    code: "ERR_LISTEN",
    message: expect.stringContaining(named),
  });
});

test("advises no port that does not exist", async () => {
  const server = createServer();
  const error = Object.assign(new Error("in use"), { code: "EADDRINUSE" });
  server.listen = () => server;
  const listening = listen(server, { port: 65_535, host: "127.0.0.1" });
  server.emit("error", error);
  await expect(listening).rejects.toThrow("the port is in use. Try --port 0 for a free one.");
});

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((one) => one?.address === "::1");

test.runIf(hasIpv6)("listens on an IPv6 address", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  const server = await startServer(emulator, { port: 0, host: "::1" });
  const response = await fetch(`${server.url}/rest/users`);
  await server.close();
  expect(server.url).toBe(`http://[::1]:${server.port}`);
  expect(response.status).toBe(200);
});

test("keeps a connection for longer than clients commonly do", async () => {
  await using served = await serve(fixtures, { auth: false });
  using connection = await served.connect();
  connection.send(get);
  const timeout = /keep-alive: timeout=(\d+)/i.exec(await connection.until("Ada"))?.[1];
  expect(Number(timeout)).toBeGreaterThan(60);
});

const chunked = "transfer-encoding: chunked\r\n\r\n";

function post(name: string): string {
  const body = JSON.stringify({ name });
  return (
    "POST /rest/users HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n" +
    `content-length: ${body.length}\r\n\r\n${body}`
  );
}

test("answers requests that come without waiting, in their order", async () => {
  await using served = await serve(fixtures, { auth: false });
  using connection = await served.connect();
  connection.send(
    `${post("a")}${get}${post("b")}GET /rest/users/9 HTTP/1.1\r\nhost: localhost\r\n\r\n`,
  );
  const text = await connection.until('{"result":[]}');
  const names = [...text.matchAll(/"name":"(\w+)"/g)].map(([, name]) => name);
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual([
    "HTTP/1.1 201",
    "HTTP/1.1 200",
    "HTTP/1.1 201",
    "HTTP/1.1 200",
  ]);
  expect(names).toEqual(["a", "Ada", "a", "b"]);
});

test("refuses what is no request after it has answered those before", async () => {
  await using served = await serve(fixtures, { auth: false });
  using connection = await served.connect();
  connection.send(`${get}NONSENSE\r\n\r\n`);
  const text = await connection.until("not valid");
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 400"]);
});

test.each([
  ["broken bytes", "garbage", "400"],
  ["broken bytes in pieces", "garbage\r\n\r\nmore", "400"],
  ["a request without a Host", "GET /rest/users HTTP/1.1\r\n\r\n", "400"],
  ["a tunnel", "CONNECT b.example:443 HTTP/1.1\r\nhost: localhost\r\n\r\n", "405"],
  ["a broken body", post("b").replace(/content-length.*/s, `${chunked}zz\r\n`), "400"],
])("answers a request before it refuses %s", async (_, refused, status) => {
  await using served = await serve(fixtures, { auth: false });
  using connection = await served.connect();
  connection.send(`${post("a")}${refused}`);
  const text = await connection.closed();
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 201", `HTTP/1.1 ${status}`]);
});

test("answers a request that closes the connection, though more comes behind it", async () => {
  await using served = await serve(fixtures, { auth: false });
  using connection = await served.connect();
  connection.send(`${post("a").replace("\r\n", "\r\nconnection: close\r\n")}${get}`);
  const text = await connection.closed();
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 201"]);
});

test.each(["transfer-encoding: c", "content-length: x"])(
  "answers all requests before it refuses one with %s",
  async (header) => {
    await using served = await serve(fixtures, { auth: false });
    using connection = await served.connect();
    connection.send(`${get.repeat(9)}POST / HTTP/1.1\r\nhost: localhost\r\n${header}\r\n\r\n`);
    const text = await connection.closed();
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(9);
    expect(text).toContain("not valid HTTP/1.1");
  },
);

test("cuts a client that sends broken bytes and never reads the answer before them", async () => {
  const users = [{ id: 1, name: "x".repeat(24_000_000) }];
  await using served = await serve({ tables: { users } }, { auth: false });
  using connection = await served.connect();
  connection.socket.pause();
  const set = vi.spyOn(nodeTimers, "set");
  onTestFinished(() => set.mockRestore());
  connection.send(`${get}garbage`);
  const deadline = () => set.mock.calls.find(([, ms]) => ms === 60_000);
  await expect.poll(deadline).toBeDefined();
  deadline()?.[0]();
  connection.socket.resume();
  expect(await connection.closed()).not.toContain("not valid");
});

test("carries out nothing behind a request without a Host", async () => {
  await using served = await serve(fixtures, { auth: false });
  using connection = await served.connect();
  connection.send(`GET /rest/users HTTP/1.1\r\n\r\n${post("a")}`);
  const text = await connection.closed();
  const rows = await (await served.fetch("/rest/users")).text();
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
  expect(rows).not.toContain('"a"');
});

test("closes quickly while streams are open, and leaves no connection", async () => {
  const reply = { chunks: ["first", { wait: 3_600_000 }, "second"] };
  const served = await serve({ chats: [{ name: "slow", reply }] });
  const body = JSON.stringify({
    model: "x",
    stream: true,
    messages: [{ role: "user", content: "x" }],
  });
  const headers = { authorization: "Bearer k" };
  const responses = await Promise.all(
    [1, 2, 3].map(() => served.fetch("/v1/chat/completions", { method: "POST", headers, body })),
  );
  const start = performance.now();
  await served.server.close();
  expect(performance.now() - start).toBeLessThan(1_000);
  await Promise.all(
    responses.map((response) => expect(response.text()).rejects.toThrow("terminated")),
  );
  await served.log.settled(3);
  expect(served.log.records.every(({ aborted }) => aborted)).toBe(true);
});

test("closes quickly though a client does not read what is written", async () => {
  const reply = { chunks: ["x".repeat(24_000_000), { wait: 3_600_000 }, "second"] };
  const served = await serve({ chats: [{ name: "large", reply }] });
  using connection = await served.connect();
  connection.socket.pause();
  const body = JSON.stringify({
    model: "x",
    stream: true,
    messages: [{ role: "user", content: "x" }],
  });
  connection.send(
    "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer k\r\n" +
      `content-length: ${body.length}\r\n\r\n${body}`,
  );
  // Until the answer has begun, of which the client's system keeps a part.
  await expect
    .poll(() => connection.socket.readableLength > 0 || connection.text !== "")
    .toBe(true);
  const start = performance.now();
  await served.server.close();
  expect(performance.now() - start).toBeLessThan(1_000);
  expect(await served.log.settled(1)).toMatchObject({ aborted: true });
});

test("refuses connections once it is closed, and may be closed twice", async () => {
  const served = await serve(fixtures);
  await served.server.close();
  await served.server.close();
  const { port } = served.server;
  const refused = await new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    socket.once("error", resolve);
    socket.once("connect", () => resolve("connected"));
  });
  expect(refused).toMatchObject({ code: "ECONNREFUSED" });
});

test("reports a failure of its own as a bug and answers 500, in the envelope of the interface", async () => {
  await using served = await serve(fixtures, { auth: false });
  const { database } = served.emulator.core.state;
  Object.defineProperty(database, "table", {
    value: () => {
      throw new Error("broken on purpose");
    },
  });
  const response = await served.fetch("/rest/users");
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({
    error: expect.any(String),
    code: "emulator_failure",
  });
  expect(served.log.takeFailures()).toEqual([new Error("broken on purpose")]);
});
