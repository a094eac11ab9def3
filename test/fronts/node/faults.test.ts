import { expect, test } from "vitest";
import type { RawConnection } from "../../support/raw-http.ts";
import { serve, type Served } from "../../support/served.ts";

/** A server whose only script says two words; at no speed, so that all is due at once. */
function faulty(fault: object): Promise<Served> {
  const reply = { content: "Hi you", pace: { gapMs: 1, by: "word" }, fault };
  return serve({ chats: [{ name: "faulty", reply }] }, { speed: 0 });
}

function request(path = "/v1/chat/completions"): string {
  const body = JSON.stringify({
    model: "x",
    stream: true,
    messages: [{ role: "user", content: "x" }],
  });
  return (
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer k\r\n` +
    `content-length: ${body.length}\r\n\r\n${body}`
  );
}

/** Sends a request and gives all that comes, and the codes of what broke the connection. */
async function exchange(connection: RawConnection): Promise<{ text: string; codes: unknown[] }> {
  const { socket } = connection;
  const codes: unknown[] = [];
  socket.on("error", (error) => codes.push(Reflect.get(error, "code")));
  const closed = new Promise((resolve) => socket.on("close", resolve));
  connection.send(request());
  await closed;
  return { text: connection.text, codes };
}

test("resets the connection before the head, and sends not a byte", async () => {
  await using served = await faulty({ kind: "reset" });
  using connection = await served.connect();
  expect(await exchange(connection)).toEqual({ text: "", codes: ["ECONNRESET"] });
});

test("delivers exactly the chunks before a break on every connection, without the end of the body", async () => {
  await using served = await faulty({ kind: "reset", afterChunks: 2 });
  for (let count = 0; count < 40; count += 1) {
    using connection = await served.connect();
    const { text } = await exchange(connection);
    expect(text.match(/data: /g)).toHaveLength(2);
    expect(text).toMatch(/"content":"Hi"\}.*\n\n\r\n$/s);
  }
});

test("ends the body in order where a stream is cut short, and keeps the connection", async () => {
  await using served = await faulty({ kind: "cut", afterChunks: 1 });
  using connection = await served.connect();
  connection.send(request());
  await connection.until("\r\n0\r\n\r\n");
  connection.send(request("/nowhere"));
  expect(await connection.until("unknown_url")).toMatch(/^HTTP\/1.1 200 .*HTTP\/1.1 404 /s);
});

test.each(["hang", "stall"])("closes at once while a client waits in vain (%s)", async (kind) => {
  const served = await faulty({ kind });
  using connection = await served.connect();
  connection.send(request());
  if (kind === "stall") await connection.until("\r\n\r\n");
  else await served.fetch("/health");
  await served.server.close();
  await connection.closed();
  expect(await served.log.settled(kind === "hang" ? 2 : 1)).toMatchObject({ aborted: true });
});

test("answers others while one client waits in vain", async () => {
  await using served = await faulty({ kind: "hang" });
  using waiting = await served.connect();
  waiting.send(request());
  const { status } = await served.fetch("/v1/models", { headers: { authorization: "Bearer k" } });
  expect([status, waiting.text]).toEqual([200, ""]);
});
