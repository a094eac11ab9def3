import { createRequire } from "node:module";
import type { RequestListener, Server } from "node:http";
import { once } from "node:events";
import { LLMock } from "@copilotkit/aimock";
import type { AddressInfo } from "node:net";
import OpenAI from "openai";
import { expect, onTestFinished, test } from "vitest";
import type { NamedCassette } from "../../../src/core/recordings/cassette.ts";
import { recordedReply } from "../../../src/extras/recordings/replay/recorded-reply.ts";
import { createEmulator, type Emulator } from "../../../src/index.ts";
import { cassetteText } from "../../../src/core/recordings/cassette.ts";
import { HandTimers } from "../../support/hand-timers.ts";
import { chat, hello, onlyRecording } from "./recorded.ts";
import { startRecording, startService } from "./recording-proxy.ts";

const key = "sk-aimock-0123456789abcdef";

/** The part of json-server that is used here; it has no types of its own. */
interface JsonServer {
  readonly create: () => RequestListener & {
    use: (...handlers: unknown[]) => void;
    listen: (port: number, host: string) => Server;
  };
  readonly bodyParser: unknown;
  readonly router: (rows: object) => {
    render: (
      request: unknown,
      response: { jsonp: (body: unknown) => void; locals: { data: unknown } },
    ) => void;
  };
}

async function startAimock(): Promise<{ url: string; mock: LLMock }> {
  const mock = new LLMock({ port: 0, logLevel: "silent", latency: 5, chunkSize: 6 });
  const url = await mock.start();
  onTestFinished(() => mock.stop());
  return { url: `${url}/v1`, mock };
}

/** json-server, whose rows come in the envelope that clients of the tables expect. */
async function startJsonServer(rows: object): Promise<string> {
  const jsonServer = createRequire(import.meta.url)("json-server") as JsonServer;
  const app = jsonServer.create();
  const router = jsonServer.router(rows);
  router.render = (_, response) => response.jsonp({ result: response.locals.data });
  app.use(jsonServer.bodyParser);
  app.use(router);
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An emulator of nothing but these recordings, as they are when they were written and read again. */
function replaying(cassettes: readonly NamedCassette[], speed = 0): Promise<Emulator> {
  const read = cassettes.map((cassette): unknown => ({
    ...(JSON.parse(cassetteText(cassette)) as object),
    name: cassette.name,
  }));
  return createEmulator({ fixtures: { cassettes: read }, speed, strict: true });
}

test("a conversation with tools, streamed by aimock to the SDK, is replayed byte by byte", async () => {
  const { url, mock } = await startAimock();
  mock.onToolResult("call_1", { content: "It is 7 degrees in Oslo." });
  mock.onMessage("How warm is it in Oslo?", {
    toolCalls: [{ id: "call_1", name: "temperature", arguments: '{"city":"Oslo"}' }],
  });
  const proxy = await startRecording({ chat: url });
  const recorded: string[] = [];
  const client = (baseURL: string, send: typeof fetch, bodies: string[]): OpenAI =>
    new OpenAI({
      apiKey: key,
      baseURL,
      maxRetries: 0,
      fetch: async (input, init) => {
        const response = await send(input, init);
        bodies.push(await response.clone().text());
        return response;
      },
    });
  const first = await converse(client(proxy.chatUrl, fetch, recorded));
  const { cassettes } = await proxy.finish();
  expect(cassettes).toHaveLength(1);
  expect(cassettes[0]?.name).toMatch(/^chat-how-warm-is-it-in-oslo-/);
  expect(cassettes.map(cassetteText).join("")).not.toContain(key);
  const emulator = await replaying(cassettes);
  const replayed: string[] = [];
  const again = await converse(client("http://replayed/v1", emulator.fetch, replayed));
  expect(again).toEqual(first);
  expect(again.at(-1)).toBe("It is 7 degrees in Oslo.");
  expect(replayed).toEqual(recorded);
});

/** Two rounds: the model calls a tool, and is told what that gave. */
async function converse(openai: OpenAI): Promise<readonly string[]> {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: "user", content: "How warm is it in Oslo?" },
  ];
  const said: string[] = [];
  for (let round = 0; round < 2; round++) {
    const stream = openai.chat.completions.stream({ model: "gpt-4o", messages });
    const { message } = (await stream.finalChatCompletion()).choices[0] ?? {};
    if (message === undefined) throw new Error("There is no message.");
    said.push(message.content ?? JSON.stringify(message.tool_calls));
    messages.push(message, { role: "tool", tool_call_id: "call_1", content: "7" });
  }
  return said;
}

test("errors of aimock are replayed as they were", async () => {
  const { url, mock } = await startAimock();
  mock.onMessage("Hello there", {
    error: { message: "Too many", type: "rate_limit" },
    status: 429,
  });
  const proxy = await startRecording({ chat: url });
  const first = await chat(proxy.chatUrl, hello);
  const body = await first.text();
  const emulator = await replaying((await proxy.finish()).cassettes);
  const again = await emulator.fetch("http://replayed/v1/chat/completions", {
    method: "POST",
    headers: { authorization: "Bearer another" },
    body: JSON.stringify({ model: "m", messages: hello }),
  });
  expect([again.status, await again.text()]).toEqual([429, body]);
});

/** Reads and writes rows, and gives what came of it. */
async function work(send: typeof fetch, url: string): Promise<readonly string[]> {
  const post = { method: "POST", headers: { "content-type": "application/json" } };
  const answers = [
    await send(`${url}/users?_sort=id`),
    await send(`${url}/users`, { ...post, body: '{"name":"Grace"}' }),
    await send(`${url}/users?_sort=id`),
    await send(`${url}/users/1`, { method: "DELETE" }),
    await send(`${url}/users/1`),
    await send(`${url}/notes`),
  ];
  return Promise.all(answers.map(async (answer) => `${answer.status} ${await answer.text()}`));
}

test("rows of json-server are read, written and read again in the order in which they were", async () => {
  const service = await startJsonServer({ users: [{ id: 1, name: "Ada" }], notes: [] });
  const proxy = await startRecording({ tables: service });
  const first = await work(fetch, proxy.tablesUrl);
  expect(first.map((answer) => answer.slice(0, 3))).toEqual([
    "200",
    "201",
    "200",
    "200",
    "404",
    "200",
  ]);
  const { cassettes } = await proxy.finish();
  expect(cassettes.map(({ name }) => name)).toEqual(["tables-users", "tables-notes"]);
  const emulator = await replaying(cassettes);
  expect(await work(emulator.fetch, "http://replayed/rest")).toEqual(first);
});

test("a stream of a bare server is planned with the times at which it came", async () => {
  const timers = new HandTimers();
  const gaps = [40, 5, 120, 30];
  let sendNext: (() => void) | undefined;
  const service = await startService(async (incoming, response) => {
    incoming.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const gap of [0, ...gaps]) {
      response.write(`data: ${gap}\n\n`);
      await new Promise<void>((resolve) => (sendNext = resolve));
    }
    response.end();
  });
  const proxy = await startRecording({ chat: service }, { timers });
  const rest = gaps.values();
  for await (const _ of (await chat(proxy.chatUrl, hello)).body ?? []) {
    timers.advance(rest.next().value ?? 0);
    sendNext?.();
  }
  const { answer } = onlyRecording((await proxy.finish()).cassettes);
  const { delayMs, body } = recordedReply(answer, { speed: 1, isHead: false });
  const frames = body.kind === "stream" ? body.stream.frames : [];
  expect(delayMs).toBe(0);
  expect(frames.map(({ at }) => at)).toEqual([0, 40, 45, 165, 195]);
});
