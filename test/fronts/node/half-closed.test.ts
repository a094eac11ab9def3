import { connect as connectHttp2 } from "node:http2";
import { once } from "node:events";
import { setImmediate as immediately } from "node:timers/promises";
import { expect, test } from "vitest";
import { serve } from "../../support/served.ts";

const fixtures = {
  tables: { users: [{ id: 1, name: "Ada" }] },
  chats: [
    {
      when: { user: "template" },
      reply: { content: "Hi {{ tables.users[0].name }} {{ 'x' | upcase }}" },
    },
    {
      when: { user: "paced" },
      reply: { content: "one two three", pace: { firstTokenMs: 120, gapMs: 20 } },
    },
    { when: { user: "hang" }, reply: { content: "", fault: { kind: "hang" } } },
  ],
};

function chat(user: string, stream: boolean): string {
  const body = JSON.stringify({ model: "m", stream, messages: [{ role: "user", content: user }] });
  const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer k\r\ncontent-type: application/json`;
  return `${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer local-token\r\n\r\n`;
}

test.each([
  ["chat's first template", chat("template", false), "Hi Ada X"],
  ["a stream of a template", chat("template", true), "data: [DONE]\n\n\r\n0\r\n\r\n"],
  ["a stream that waits", chat("paced", true), "data: [DONE]\n\n\r\n0\r\n\r\n"],
  ["an answer that waits", chat("paced", false), '"one two three"'],
  ["rows", get("/rest/users"), '{"result":[{"id":1,"name":"Ada"}]}'],
  ["the state", get("/__backlot/state"), '"Ada"'],
  ["the journal", get("/__backlot/requests"), '"requests"'],
  ["two requests at once", chat("paced", false) + get("/rest/users"), '"result"'],
])("answers a client that closes its side with its request: %s", async (_, request, expected) => {
  await using served = await serve(fixtures);
  using connection = await served.connect();
  connection.socket.end(request);
  const text = await connection.closed();
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
  expect(text).toContain(expected);
});

test("answers a client that closes its side some rounds of the event loop later, before an answer or in it", async () => {
  await using served = await serve(fixtures);
  for (const stream of [false, true]) {
    using connection = await served.connect();
    connection.send(chat("paced", stream));
    for (let round = 0; round < 10; round++) await immediately();
    connection.socket.end();
    expect(await connection.closed()).toMatch(stream ? /\[DONE\]/ : /"one two three"/);
  }
});

test("closes a connection whose client closes its side and gets no answer", async () => {
  await using served = await serve(fixtures);
  using connection = await served.connect();
  connection.socket.end(chat("hang", false));
  expect(await connection.closed()).toBe("");
});

test("takes a client that closes its side later for one that left", async () => {
  await using served = await serve({
    chats: [{ reply: { content: "late", pace: { firstTokenMs: 60_000 } } }],
  });
  using connection = await served.connect();
  connection.send(chat("x", false));
  setTimeout(() => connection.socket.end(), 150);
  expect(await connection.closed()).toBe("");
});

test.each([
  ["GET", undefined],
  ["POST", '{"name":"Bob"}'],
])("tells a client of HTTP/2 that speaks without asking: %s", async (method, body) => {
  await using served = await serve(fixtures);
  const session = connectHttp2(served.server.url);
  session.on("error", () => undefined);
  const goAway = once(session, "goaway");
  const stream = session.request({ ":method": method, ":path": "/rest/users" });
  stream.end(body);
  const [headers] = await once(stream, "response");
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(Buffer.from(part));
  expect(headers).toMatchObject({ ":status": 505, "content-type": "application/json" });
  const text = Buffer.concat(parts).toString();
  expect(JSON.parse(text)).toMatchObject({ error: expect.stringContaining("HTTP/1.1") });
  const [code, , data] = await goAway;
  expect([code, String(data)]).toEqual([13, text]);
});

test("says so also before a request comes, and serves others", async () => {
  await using served = await serve(fixtures);
  using connection = await served.connect();
  connection.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  expect(await connection.closed()).toContain("This server speaks HTTP/1.1");
  expect((await served.fetch("/rest/users")).status).toBe(401);
});
