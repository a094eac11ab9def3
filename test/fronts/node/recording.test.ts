import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { HandTimers } from "../../support/hand-timers.ts";
import { askRaw, chat, hello, onlyRecording, textOf } from "./recorded.ts";
import { answering, startRecording, startService } from "./recording-proxy.ts";

test("passes a request on with its path, query, headers and body, and the answer back", async () => {
  let seen: unknown;
  const service = await startService((incoming, response) => {
    let body = "";
    incoming.on("data", (part) => (body += part));
    incoming.on("end", () => {
      const { method, url, headers } = incoming;
      seen = {
        method,
        url,
        body,
        key: headers.authorization,
        own: headers["x-own"],
        host: headers.host,
      };
      response.writeHead(201, { "x-answer": "yes", "content-type": "application/json" });
      response.end('{"id":7}');
    });
  });
  const { tablesUrl } = await startRecording({ tables: `${service}/base/` });
  const answer = await fetch(`${tablesUrl}/users%20x?a=1%2B1&b`, {
    method: "POST",
    headers: { authorization: "Bearer real", "x-own": "1", "x-backlot-session": "s" },
    body: '{"name":"é"}',
  });
  expect(seen).toEqual({
    method: "POST",
    url: "/base/users%20x?a=1%2B1&b",
    body: '{"name":"é"}',
    key: "Bearer real",
    own: "1",
    host: new URL(service).host,
  });
  expect([answer.status, answer.headers.get("x-answer"), await answer.text()]).toEqual([
    201,
    "yes",
    '{"id":7}',
  ]);
});

test("records what was asked and answered, without keys", async () => {
  const service = await startService(
    answering({ "content-type": "application/json" }, '{"choices":[]}'),
  );
  const proxy = await startRecording({ chat: service });
  await (await chat(proxy.chatUrl, hello)).text();
  const { cassettes, open } = await proxy.finish();
  expect(open).toBe(0);
  expect(cassettes).toHaveLength(1);
  expect(cassettes[0]).toMatchObject({ interface: "chat", upstream: service });
  expect(cassettes[0]?.name).toMatch(/^chat-hello-there-[0-9a-f]{6}$/);
  expect(onlyRecording(cassettes)).toEqual({
    request: {
      method: "POST",
      path: "/chat/completions",
      body: { json: { model: "m", messages: hello } },
    },
    answer: {
      status: 200,
      headers: { "content-type": "application/json" },
      afterMs: expect.any(Number),
      body: { json: { choices: [] } },
    },
  });
});

test("passes a stream on as it comes, and records each event with its time", async () => {
  const timers = new HandTimers();
  let sendNext: (() => void) | undefined;
  const service = await startService(async (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const letter of ["a", "b", "c"]) {
      response.write(`data: ${letter}\n\n`);
      await new Promise<void>((resolve) => (sendNext = resolve));
    }
    response.end("data: [DONE]\n\n");
  });
  const proxy = await startRecording({ chat: service }, { timers });
  const answer = await chat(proxy.chatUrl, hello, { stream: true });
  let text = "";
  for await (const part of answer.body ?? []) {
    text += new TextDecoder().decode(part);
    timers.advance(30);
    sendNext?.();
  }
  expect(text).toBe("data: a\n\ndata: b\n\ndata: c\n\ndata: [DONE]\n\n");
  const { stream, end } = onlyRecording((await proxy.finish()).cassettes).answer;
  expect(stream).toEqual([
    { atMs: 0, text: "data: a\n\n" },
    { atMs: 30, text: "data: b\n\n" },
    { atMs: 60, text: "data: c\n\n" },
    { atMs: 90, text: "data: [DONE]\n\n" },
  ]);
  expect(end).toEqual({ atMs: expect.any(Number), how: "close" });
});

test("keeps 50 conversations apart that are held at once", async () => {
  const service = await startService((incoming, response) => {
    let body = "";
    incoming.on("data", (part) => (body += part));
    incoming.on("end", async () => {
      const { messages } = JSON.parse(body);
      await delay(Math.random() * 20);
      const content = `${messages[0].content}, answer ${messages.length}`;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ choices: [{ message: { role: "assistant", content } }] }));
    });
  });
  const proxy = await startRecording({ chat: service });
  const hold = async (number: number): Promise<void> => {
    const messages: object[] = [{ role: "user", content: `Conversation ${number}` }];
    for (let turn = 0; turn < 4; turn++) {
      const { choices } = (await (await chat(proxy.chatUrl, messages)).json()) as {
        choices: { message: object }[];
      };
      messages.push(choices[0]?.message ?? {}, { role: "user", content: "Go on" });
    }
  };
  await Promise.all(Array.from({ length: 50 }, (_, number) => hold(number)));
  const { cassettes } = await proxy.finish();
  expect(cassettes).toHaveLength(50);
  for (const { recordings } of cassettes) {
    expect(recordings).toHaveLength(4);
    const said = recordings.map(({ request: { body } }) => JSON.stringify(body));
    const [, own = ""] = /Conversation (\d+)/.exec(said[0] ?? "") ?? [];
    for (const text of said) expect(text).toContain(`"Conversation ${own}"`);
    expect(recordings.map(({ answer }) => textOf(answer)).join()).not.toMatch(
      new RegExp(`Conversation (?!${own},)`),
    );
  }
});

test("ends at once what is under way when the recording is finished, and keeps what is complete", async () => {
  const service = await startService((incoming, response) => {
    if (incoming.url === "/done") response.end("[]");
    else response.writeHead(200, { "content-type": "text/event-stream" }).write("data: a\n\n");
  });
  const proxy = await startRecording({ tables: service });
  await (await fetch(`${proxy.tablesUrl}/done`)).text();
  await (await fetch(`${proxy.tablesUrl}/open`)).body?.getReader().read();
  const { cassettes, open } = await proxy.finish();
  expect(cassettes.map(({ name }) => name)).toEqual(["tables-done"]);
  expect(open).toBe(1);
});

test("asks again where a kept connection had ended", async () => {
  const requests = new Map<unknown, number>();
  const service = await startService(({ socket }, response) => {
    const count = (requests.get(socket) ?? 0) + 1;
    requests.set(socket, count);
    // It ends with the second request that comes over it, as one does that was kept for too long.
    if (count === 2) socket.destroy();
    else response.end("[]");
  });
  const proxy = await startRecording({ tables: service });
  for (let count = 0; count < 2; count++) {
    expect(await askRaw(`${proxy.tablesUrl}/users`)).toMatchObject({ status: 200, body: "[]" });
  }
  expect([...requests.values()]).toEqual([2, 1]);
  const { cassettes } = await proxy.finish();
  expect(cassettes[0]?.recordings.map(({ answer }) => answer.status)).toEqual([200, 200]);
});

test("records an event stream that the client leaves as one that goes on, and leaves the service, too", async () => {
  let isLeft = false;
  const service = await startService((_, response) => {
    response.on("close", () => (isLeft = true));
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: a\n\n");
  });
  const proxy = await startRecording({ chat: service });
  const answer = await chat(proxy.chatUrl, hello);
  const reader = answer.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await expect.poll(() => isLeft).toBe(true);
  const { stream, end } = onlyRecording((await proxy.finish()).cassettes).answer;
  expect(stream).toEqual([{ atMs: expect.any(Number), text: "data: a\n\n" }]);
  expect(end?.how).toBe("hang");
});

test.each([
  ["before the answer", false, "the client left before the answer"],
  ["before the end of what is no event stream", true, "the client left before its end"],
])("does not record what the client leaves %s", async (_, hasHead, reason) => {
  let arrived = false;
  const service = await startService((incoming, response) => {
    arrived = true;
    if (hasHead) response.writeHead(200, { "content-type": "application/x-ndjson" }).write("{}\n");
    incoming.resume();
  });
  const proxy = await startRecording({ tables: service });
  const leaving = new AbortController();
  const asked = fetch(`${proxy.tablesUrl}/users`, { signal: leaving.signal });
  if (hasHead) await (await asked).body?.getReader().read();
  else asked.catch(() => undefined);
  await expect.poll(() => arrived).toBe(true);
  leaving.abort();
  await expect.poll(() => proxy.notRecorded.map((exchange) => exchange.reason)).toEqual([reason]);
  expect((await proxy.finish()).cassettes).toEqual([]);
});

test("reads no more of a service than its client takes", async () => {
  let written = 0;
  const piece = Buffer.alloc(100_000, "x");
  const service = await startService((_, response) => {
    const write = (): void => {
      while (written < 200_000_000) {
        written += piece.length;
        if (!response.write(piece)) break;
      }
    };
    response.on("drain", write);
    write();
  });
  const proxy = await startRecording({ tables: service });
  const { hostname, port, pathname } = new URL(`${proxy.tablesUrl}/users`);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.write(`GET ${pathname} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  await once(socket, "readable");
  let before = -1;
  await vi.waitFor(
    () => {
      const isAtRest = before === written;
      before = written;
      expect(isAtRest).toBe(true);
    },
    { interval: 300, timeout: 30_000 },
  );
  expect(written).toBeLessThan(60_000_000);
});
