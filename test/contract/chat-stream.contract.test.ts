import { expect } from "vitest";
import { contract } from "../support/contract.ts";
import { asking, completions, contractModels, fixedClock } from "../support/contract-chats.ts";
import { ask } from "../support/requests.ts";

const models = contractModels;
const settings = { seed: 7, clock: fixedClock } as const;

/** A chunk as it stands in the stream, with the id and model of the scripts below. */
function chunk(delta: string, finish: string | null = null, { index = 0, tail = "" } = {}): string {
  const reason = finish === null ? "null" : `"${finish}"`;
  return (
    'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1704067200,"model":"atlas",' +
    `"system_fingerprint":null,"choices":[{"index":${index},"delta":${delta},"logprobs":null,` +
    `"finish_reason":${reason}}]${tail}}\n\n`
  );
}

/** What stands in each chunk but the last where usage was asked for. */
const noUsage = ',"usage":null';

/** The chunk that has the usage, and no choice. */
function usageChunk(usage: string): string {
  return (
    'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1704067200,"model":"atlas",' +
    `"system_fingerprint":null,"choices":[],${usage}}\n\n`
  );
}

const role = '{"role":"assistant","content":"","refusal":null}';
const done = "data: [DONE]\n\n";

contract("streams a text, byte for byte", async (transport) => {
  const reply = { id: "chatcmpl-1", content: "Hi — 😀 Ada", pace: { by: "word" } } as const;
  await using service = await transport.open({ models, chats: [{ name: "hi", reply }] }, settings);
  const { status, text, headers } = await ask(service, completions, {
    json: asking("Hello", { stream: true }),
  });
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(headers.get("cache-control")).toBe("no-cache");
  expect(text).toBe(
    chunk(role) +
      ["Hi", " —", " 😀", " Ada"].map((content) => chunk(JSON.stringify({ content }))).join("") +
      chunk("{}", "stop") +
      done,
  );
});

contract("streams the usage in a chunk of its own when asked, byte for byte", async (transport) => {
  const usage = { prompt_tokens: 3, completion_tokens: 1 };
  const reply = { id: "chatcmpl-1", content: "Hi", usage };
  await using service = await transport.open({ models, chats: [{ name: "hi", reply }] }, settings);
  const { text } = await ask(service, completions, {
    json: asking("Hello", { stream: true, stream_options: { include_usage: true } }),
  });
  const tail = noUsage;
  expect(text).toBe(
    chunk(role, null, { tail }) +
      chunk('{"content":"Hi"}', null, { tail }) +
      chunk("{}", "stop", { tail }) +
      usageChunk('"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4}') +
      done,
  );
});

contract("streams tool calls as a header and argument deltas, byte for byte", async (transport) => {
  const reply = {
    id: "chatcmpl-1",
    content: null,
    toolCalls: [
      { id: "call_1", name: "get_weather", arguments: '{"city":"Oslo"}' },
      { id: "call_2", name: "get_time", arguments: {} },
    ],
    pace: { by: 9 },
  };
  await using service = await transport.open(
    { models, chats: [{ name: "tools", reply }] },
    settings,
  );
  const { text } = await ask(service, completions, { json: asking("Hello", { stream: true }) });
  const header = (index: number, id: string, name: string): string =>
    chunk(
      `{"tool_calls":[{"index":${index},"id":"${id}","type":"function","function":{"name":"${name}","arguments":""}}]}`,
    );
  const args = (index: number, part: string): string =>
    chunk(JSON.stringify({ tool_calls: [{ index, function: { arguments: part } }] }));
  expect(text).toBe(
    chunk('{"role":"assistant","content":null,"refusal":null}') +
      header(0, "call_1", "get_weather") +
      args(0, '{"city":"') +
      args(0, 'Oslo"}') +
      header(1, "call_2", "get_time") +
      args(1, "{}") +
      chunk("{}", "tool_calls") +
      done,
  );
});

contract(
  "streams the steps of an explicit script as they stand, byte for byte",
  async (transport) => {
    const chunks = [
      { reasoning: "Hm." },
      "One two",
      { comment: "ping" },
      { wait: 5 },
      { raw: "event: odd\r\ndata: x\n\n" },
      " three",
    ];
    await using service = await transport.open(
      { models, chats: [{ name: "steps", reply: { id: "chatcmpl-1", chunks } }] },
      settings,
    );
    const { text } = await ask(service, completions, { json: asking("Hello", { stream: true }) });
    expect(text).toBe(
      chunk('{"role":"assistant","content":"","refusal":null,"reasoning_content":"Hm."}') +
        chunk('{"content":"One two"}') +
        ": ping\n\n" +
        "event: odd\r\ndata: x\n\n" +
        chunk('{"content":" three"}') +
        chunk("{}", "stop") +
        done,
    );
  },
);

/** The same chunk for each of two choices, where usage was asked for. */
function both(delta: string, finish: string | null = null): string {
  return [0, 1].map((index) => chunk(delta, finish, { index, tail: noUsage })).join("");
}

contract(
  "streams n choices, each with its role, its text and its end, and the usage of all, byte for byte",
  async (transport) => {
    const reply = { id: "chatcmpl-1", content: "Hi" };
    await using service = await transport.open(
      { models, chats: [{ name: "hi", reply }] },
      settings,
    );
    const { text } = await ask(service, completions, {
      json: asking("Hello", { stream: true, n: 2, stream_options: { include_usage: true } }),
    });
    const usage = '"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}';
    expect(text).toBe(
      both(role) + both('{"content":"Hi"}') + both("{}", "stop") + usageChunk(usage) + done,
    );
  },
);

contract("streams an empty text as role and end", async (transport) => {
  const reply = { id: "chatcmpl-1", content: "" };
  await using service = await transport.open({ models, chats: [{ name: "hi", reply }] }, settings);
  const { text } = await ask(service, completions, { json: asking("Hello", { stream: true }) });
  expect(text).toBe(chunk(role) + chunk("{}", "stop") + done);
});

for (const stream of [true, 1, 0.5, -1]) {
  contract(`streams when stream is ${String(stream)}`, async (transport) => {
    await using service = await transport.open({ models });
    const { status, text } = await ask(service, completions, { json: asking("Hi", { stream }) });
    expect(status).toBe(200);
    expect(text).toMatch(/^data: \{.*data: \[DONE\]\n\n$/s);
  });
}

for (const stream of [false, 0, null, undefined]) {
  contract(`gives JSON when stream is ${String(stream)}`, async (transport) => {
    await using service = await transport.open({ models });
    const { status, body } = await ask(service, completions, { json: asking("Hi", { stream }) });
    expect({ status, body }).toMatchObject({ status: 200, body: { object: "chat.completion" } });
  });
}

for (const stream of ["true", {}, []]) {
  contract(`refuses ${JSON.stringify(stream)} as a value of stream`, async (transport) => {
    await using service = await transport.open({ models });
    const { status, body } = await ask(service, completions, { json: asking("Hi", { stream }) });
    expect({ status, body }).toMatchObject({ status: 400, body: { error: { param: "stream" } } });
  });
}

contract("leaves the usage out of every chunk unless it is asked for", async (transport) => {
  await using service = await transport.open({ models });
  for (const stream_options of [undefined, null, {}, { include_usage: false }]) {
    const { text } = await ask(service, completions, {
      json: asking("Hi", { stream: true, stream_options }),
    });
    expect(text).not.toContain('"usage"');
  }
});

contract("cuts a long text of all scripts without ever breaking a character", async (transport) => {
  const content = "naïve 👩‍👩‍👧 日本語 e\u0301 ".repeat(300);
  for (const by of ["token", "word", "character", 3] as const) {
    const chats = [{ name: "long", reply: { content, pace: { by } } }];
    await using service = await transport.open({ models, chats });
    const { text } = await ask(service, completions, { json: asking("Hi", { stream: true }) });
    const deltas = [...text.matchAll(/"delta":\{"content":("(?:[^"\\]|\\.)*")\}/g)];
    const pieces = deltas.map(([, json = '""']) => String(JSON.parse(json)));
    expect(pieces.join("")).toBe(content);
    expect(pieces.filter((piece) => /[\ud800-\udbff]$/.test(piece))).toEqual([]);
    expect(pieces.filter((piece) => /^(?:[\udc00-\udfff]|\u0301|\u200d)/.test(piece))).toEqual([]);
  }
});
