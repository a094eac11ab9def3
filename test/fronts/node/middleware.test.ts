import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import * as http2 from "node:http2";
import type { AddressInfo, Server } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import { middleware } from "../../../src/fronts/node/index.ts";
import { ObserverLog } from "../../support/observer-log.ts";

const fixtures = {
  tables: { users: [{ id: 1, name: "Ada" }] },
  chats: [
    { name: "slow", when: { user: "slow" }, reply: { chunks: ["one", { wait: 9e6 }, "two"] } },
    { name: "cut", when: { user: "cut" }, reply: { fault: { kind: "reset", afterChunks: 2 } } },
    { name: "none", when: { user: "none" }, reply: { fault: { kind: "reset" } } },
  ],
} as const;

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** An app in which the middleware stands before what answers 418. */
async function app(before: (request: IncomingMessage) => Promise<unknown> = async () => undefined) {
  const log = new ObserverLog();
  const answer = middleware(await createEmulator({ fixtures, auth: false, observer: log }));
  const listener: Listener = async (request, response) => {
    await before(request);
    answer(request, response, (error) => {
      response.writeHead(418).end(error instanceof Error ? error.message : "next");
    });
  };
  return { log, listener };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test.each([
  ["/rest/users/1", 200, "Ada"],
  ["/v1/models", 200, "atlas"],
  ["/@one/rest/users", 200, "Ada"],
  ["/__backlot/health", 200, "ok"],
  ["/v2/models", 418, "next"],
  ["/", 418, "next"],
])("answers %s with %i among other middleware", async (path, status, part) => {
  const { listener } = await app();
  const port = await listen(createServer(listener));
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(part)]);
});

test("hands on an error for a body that was read before", async () => {
  const { listener } = await app((request) => text(request));
  const port = await listen(createServer(listener));
  const init = { method: "POST", body: '{"name":"Grace"}' };
  const response = await fetch(`http://127.0.0.1:${port}/rest/users`, init);
  expect(await response.text()).toContain("before those that parse bodies");
});

/** Asks over HTTP/2; chat where there is something to say. */
async function askOverHttp2(path: string, user?: string) {
  const { log, listener } = await app();
  const server = http2.createServer(listener as unknown as () => void);
  const session = http2.connect(`http://127.0.0.1:${await listen(server)}`);
  onTestFinished(() => session.destroy());
  const body =
    user &&
    JSON.stringify({ model: "x", stream: true, messages: [{ role: "user", content: user }] });
  const type = { "content-type": "application/json" };
  const stream = session.request({
    ":path": path,
    ...(body ? { ":method": "POST", ...type } : {}),
  });
  stream.end(body);
  const status = new Promise((resolve) =>
    stream.once("response", (head) => resolve(head[":status"])),
  );
  stream.setEncoding("utf8");
  return { log, stream, status };
}

test.each([
  ["/rest/users/1", "Ada"],
  ["/__backlot/health", "ok"],
])("answers %s over HTTP/2", async (path, part) => {
  const { stream, status } = await askOverHttp2(path);
  expect(await text(stream)).toContain(part);
  expect(await status).toBe(200);
});

test("streams over HTTP/2, and stops when the client goes", async () => {
  const { log, stream } = await askOverHttp2("/v1/chat/completions", "slow");
  let came = "";
  for await (const part of stream) {
    came += part;
    if (came.includes("one")) break;
  }
  expect(await log.settled(1)).toMatchObject({ status: 200, chunksSent: 2, aborted: true });
});

test("sends a whole stream over HTTP/2", async () => {
  const { log, stream } = await askOverHttp2("/v1/chat/completions", "hello");
  expect(await text(stream)).toMatch(/data: \[DONE\]\n\n$/);
  expect(await log.settled(1)).toMatchObject({ aborted: false });
});

test.each(["cut", "none"])("breaks an answer over HTTP/2, as for %s", async (user) => {
  const { log, stream } = await askOverHttp2("/v1/chat/completions", user);
  await expect(text(stream)).rejects.toThrow("NGHTTP2_INTERNAL_ERROR");
  expect(await log.settled(1)).toMatchObject({ aborted: false });
});
