import { request as httpRequest } from "node:http";
import { expect, test } from "vitest";
import { serve, type Served } from "../../support/served.ts";

function body(user: string): string {
  return JSON.stringify({ model: "x", stream: true, messages: [{ role: "user", content: user }] });
}

function ask(served: Served, user: string, signal?: AbortSignal): Promise<Response> {
  return served.fetch("/v1/chat/completions", {
    method: "POST",
    headers: { authorization: "Bearer k" },
    body: body(user),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** How many timers, sockets and servers keep this process going. */
function handles(): readonly string[] {
  return process
    .getActiveResourcesInfo()
    .filter((kind) => /Timeout|TCP/.test(kind))
    .toSorted();
}

// First in this file: connections that `fetch` keeps would be counted too.
test("leaves no timer and no connection when the client of a stream goes", async () => {
  const chats = [{ name: "slow", reply: { chunks: ["first", { wait: 3_600_000 }, "second"] } }];
  await using served = await serve({ chats });
  const before = handles();
  const connection = await served.connect();
  const text = body("x");
  connection.send(
    "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer k\r\n" +
      `content-length: ${text.length}\r\n\r\n${text}`,
  );
  await connection.until("first");
  expect(handles()).not.toEqual(before);
  connection.socket.destroy();
  expect(await served.log.settled(1)).toMatchObject({ aborted: true, chunksSent: 2 });
  await connection.closed();
  expect(handles()).toEqual(before);
});

test("sends the head of a stream before its first chunk is due", async () => {
  const reply = { content: "late", pace: { firstTokenMs: 3_600_000 } };
  await using served = await serve({ chats: [{ name: "late", reply }] });
  const leaving = new AbortController();
  const response = await ask(served, "x", leaving.signal);
  expect(response.status).toBe(200);
  leaving.abort();
  expect(await served.log.settled(1)).toMatchObject({ aborted: true });
});

test("holds a large stream back while its client does not read, and then sends all of it", async () => {
  const content = Array.from({ length: 60_000 }, (_, index) => `w${index}`).join(" ");
  const reply = { content, pace: { by: "word" } };
  await using served = await serve({ chats: [{ name: "large", reply }] });
  const connection = await served.connect();
  connection.socket.pause();
  const text = body("x");
  connection.send(
    "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer k\r\nconnection: close\r\n" +
      `content-length: ${text.length}\r\n\r\n${text}`,
  );
  // Long enough to have sent everything, were it not for the client.
  const early = await Promise.race([
    served.log.settled(1),
    new Promise((resolve) => setTimeout(() => resolve("held back"), 400)),
  ]);
  expect(early).toBe("held back");
  connection.socket.resume();
  const all = await connection.closed();
  const { aborted, chunksSent } = await served.log.settled(1);
  const words = [...all.matchAll(/"content":"(\s?w\d+)"/g)].map(([, word]) => word);
  expect(words.join("")).toBe(content);
  expect([aborted, chunksSent]).toEqual([false, 60_003]);
});

test("ends streams of a gone client early in a large answer", async () => {
  const reply = { content: "word ".repeat(60_000), pace: { by: "word" } };
  await using served = await serve({ chats: [{ name: "large", reply }] });
  const connection = await served.connect();
  connection.socket.pause();
  const text = body("x");
  connection.send(
    "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer k\r\n" +
      `content-length: ${text.length}\r\n\r\n${text}`,
  );
  await new Promise((resolve) => setTimeout(resolve, 200));
  connection.socket.destroy();
  const { aborted, chunksSent } = await served.log.settled(1);
  expect(aborted).toBe(true);
  expect(chunksSent).toBeLessThan(60_000);
});

test("plays many streams of different paces at once, each complete and in order", async () => {
  const chats = [3, 5, 8, 13].map((gapMs) => ({
    name: `gap ${gapMs}`,
    when: { user: { equals: `gap ${gapMs}` } },
    reply: {
      content: Array.from({ length: 12 }, (_, index) => `${gapMs}:${index}`).join(" "),
      pace: { gapMs, by: "word" },
    },
  }));
  await using served = await serve({ chats });
  const asked = Array.from({ length: 5 }, () => chats).flat();
  const texts = await Promise.all(
    asked.map(async ({ when }) => (await ask(served, when.user.equals)).text()),
  );
  const said = texts.map((text) =>
    [...text.matchAll(/"content":"([^"]+)"/g)].map(([, piece]) => piece).join(""),
  );
  expect(said).toEqual(asked.map(({ reply }) => reply.content));
});

test("sends a stream to a client of HTTP/1.0 and closes", async () => {
  await using served = await serve({});
  using connection = await served.connect();
  const text = body("x");
  connection.send(
    "POST /v1/chat/completions HTTP/1.0\r\nauthorization: Bearer k\r\n" +
      `content-length: ${text.length}\r\n\r\n${text}`,
  );
  expect(await connection.closed()).toMatch(/Echo.*data: \[DONE\]\n\n$/s);
});

test("answers a client that waits to be asked for its body", async () => {
  await using served = await serve({});
  const text = await new Promise<string>((resolve, reject) => {
    const { host, port } = served.server;
    const headers = { authorization: "Bearer k", expect: "100-continue" };
    const request = httpRequest({
      host,
      port,
      method: "POST",
      path: "/v1/chat/completions",
      headers,
    });
    request.on("continue", () => request.end(body("x")));
    request.on("error", reject);
    request.on("response", (response) => {
      let all = "";
      response.setEncoding("utf8").on("data", (part: string) => (all += part));
      response.on("end", () => resolve(all));
    });
    request.flushHeaders();
  });
  expect(text).toContain("[DONE]");
});
