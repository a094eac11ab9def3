import { documentBody } from "../../../src/core/chat/request/fields.ts";
import type {
  Script,
  ScriptChunk,
  ScriptReply,
  ValueMatcher,
  When,
} from "../../../src/core/chat/scripts/script.ts";
import { referTo } from "../../../src/core/fixture-set/format/fixtures-json-schema.ts";
import type { EventStream } from "../../../src/core/http/event-stream.ts";
import { asObject, type JsonObject } from "../../../src/core/schema/json.ts";
import { chatBody, chatContext, model, post, textsOf } from "../chat/support.ts";
import {
  answersOf,
  both,
  keysAt,
  objectsOf,
  type Shown,
  type ShownKeys,
  testEffects,
} from "./effects.ts";

// Scripts. The answers are compared as data, with the times at which their pieces are due.

/** What chats, one after the other, get from a script. */
function script(
  given: Partial<Script>,
  without: Partial<Script> = {},
  chats = [chatBody()],
): Shown {
  return async () => both((keys) => askScript(keys, chats), without, given);
}

function random(): number {
  return 0.25;
}

async function askScript(keys: Partial<Script>, chats: readonly object[]): Promise<unknown> {
  const scripted: Script = { name: "one", replies: [{ content: "Aa bb cc" }], ...keys };
  const context = chatContext({
    scripts: [scripted],
    models: [model("atlas")],
    random,
    randomFor: () => random,
  });
  const answers: unknown[] = [];
  for (const chat of chats) {
    const { status, headers, body, delayMs = 0 } = await post(context, chat);
    answers.push(status, headers, delayMs, body.kind === "stream" ? asSent(body.stream) : body);
  }
  return answers;
}

function asSent(stream: EventStream): unknown {
  return [textsOf(stream), stream.frames.map(({ at }) => at), stream.end];
}

const twoReplies: Partial<Script> = { replies: [{ content: "one" }, { content: "two" }] };
const thrice = [chatBody(), chatBody(), chatBody()];

const scripts: ShownKeys = {
  name: async () => [
    await answersOf({ chats: [{ reply: { content: "Hi" } }] }, [
      "DELETE /__backlot/chats/greeting",
    ]),
    await answersOf({ chats: [{ name: "greeting", reply: { content: "Hi" } }] }, [
      "DELETE /__backlot/chats/greeting",
    ]),
  ],
  when: script({ when: { user: "weather" } }),
  times: script({ times: 1 }, {}, thrice),
  reply: script({ replies: [{ content: "Ho" }] }),
  replies: script(twoReplies, {}, thrice),
  after: script({ after: "cycle" }, twoReplies, thrice),
  count: script({ count: "step" }, twoReplies, thrice),
};

/** A condition that does not hold, so that the script does not answer. */
const when = (given: When): Shown => script({ when: given });

const conditions: ShownKeys = {
  model: when({ model: "other" }),
  user: when({ user: "weather" }),
  system: when({ system: "weather" }),
  anyMessage: when({ anyMessage: "weather" }),
  assistant: when({ assistant: "weather" }),
  turn: when({ turn: 1 }),
  step: when({ step: 1 }),
  part: when({ part: "image" }),
  tool: when({ tool: "weather" }),
  toolResult: when({ toolResult: {} }),
  stream: when({ stream: true }),
  header: when({ header: { "x-tenant": "acme" } }),
  request: when({ request: { temperature: 0 } }),
};

/** A matcher that does not hold for a field of the request. */
const matching = (given: ValueMatcher, without: ValueMatcher = { exists: true }): Shown =>
  script({ when: { request: { size: given } } }, { when: { request: { size: without } } }, [
    chatBody({ size: "5" }),
  ]);

const matchers: ShownKeys = {
  equals: matching({ equals: 5 }),
  contains: matching({ contains: "6" }),
  regex: matching({ regex: "6" }),
  flags: matching({ regex: "\\u{35}" }, { regex: "\\u{35}", flags: "u" }),
  anyOf: matching({ anyOf: ["6", 5] }),
  exists: matching({ exists: false }),
  gt: matching({ gt: 4 }),
  gte: matching({ gte: 5 }),
  lt: matching({ lt: 6 }),
  lte: matching({ lte: 5 }),
  not: matching({ not: "5" }),
};

const streamed = chatBody({ stream: true });

function replying(given: ScriptReply, without: ScriptReply = {}, chat: object = streamed): Shown {
  return async () =>
    both(
      (keys) => askScript({ replies: [keys] }, [chat]),
      { content: "Aa bb cc", ...without },
      given,
    );
}

const logprobs = { content: [{ token: "Aa", logprob: -1, bytes: null, top_logprobs: [] }] };

const replies: ShownKeys = {
  content: replying({ content: "Dd" }),
  chunks: replying({ chunks: ["Dd"] }),
  toolCalls: replying({ toolCalls: [{ name: "weather" }] }),
  reasoning: replying({ reasoning: "Hm" }),
  refusal: replying({ refusal: "No" }),
  logprobs: replying({ logprobs }),
  finishReason: replying({ finishReason: "length" }),
  choices: script({ replies: [{ choices: [{ content: "1" }, { content: "2" }] }] }, {}, [
    chatBody({ n: 2 }),
  ]),
  usage: replying({ usage: { prompt_tokens: 77 } }, {}, chatBody()),
  model: replying({ model: "other" }),
  id: replying({ id: "chat-1" }),
  headers: replying({ headers: { "x-one": "1" } }),
  pace: replying({ pace: { gapMs: 5 } }),
  extra: replying({ extra: { body: { provider: "acme" } } }),
  body: async () =>
    both((keys) => askScript({ replies: [keys] }, [streamed]), { body: 1 }, { body: 2 }),
  status: async () =>
    both((keys) => askScript({ replies: [keys] }, [streamed]), { body: 1 }, { status: 502 }),
  error: replying({ error: { status: 500, message: "No" } }),
  fault: replying({ fault: { kind: "cut" } }),
};

/** A reply with one more key in a part of its `extra`. */
const adding = (part: string, chat: object = streamed): Shown =>
  replying({ extra: { [part]: { more: 1 } } }, {}, chat);

const extra: ShownKeys = {
  message: adding("message", chatBody()),
  delta: adding("delta"),
  choice: adding("choice"),
  body: adding("body"),
};

const twoCalls = { toolCalls: [{ name: "weather" }, { name: "time" }] };

const pace: ShownKeys = {
  headersMs: replying({ pace: { headersMs: 5 } }),
  toolCalls: replying({ pace: { toolCalls: "interleaved" } }, twoCalls),
  firstTokenMs: replying({ pace: { firstTokenMs: 5 } }),
  tokensPerSecond: replying({ pace: { tokensPerSecond: 5 } }),
  gapMs: replying({ pace: { gapMs: 5 } }),
  jitter: replying({ pace: { gapMs: 5, jitter: 1 } }, { pace: { gapMs: 5 } }),
  by: replying({ pace: { by: "character" } }),
};

const failed = { error: { status: 500, message: "No" } };

function error(given: object, without: object = failed.error): Shown {
  return replying(
    { error: { ...failed.error, ...given } },
    { error: { ...failed.error, ...without } },
  );
}

const errors: ShownKeys = {
  status: error({ status: 503 }),
  message: error({ message: "Busy" }),
  type: error({ type: "odd" }),
  code: error({ code: "odd" }),
  param: error({ param: "odd" }),
  extra: error({ extra: { innererror: {} } }),
  retryAfterMs: error({ retryAfterMs: 5 }),
};

const faults: ShownKeys = {
  kind: replying({ fault: { kind: "reset" } }, { fault: { kind: "cut" } }),
  afterChunks: replying({ fault: { kind: "cut", afterChunks: 2 } }, { fault: { kind: "cut" } }),
  afterMs: replying({ fault: { kind: "cut", afterMs: 5 } }, { fault: { kind: "cut" } }),
  probability: replying({ fault: { kind: "cut", probability: 0 } }, { fault: { kind: "cut" } }),
  error: replying(
    { fault: { kind: "error", error: { message: "Odd" } } },
    { fault: { kind: "error" } },
  ),
};

const weather = { toolCalls: [{ name: "weather" }] };

const toolCalls: ShownKeys = {
  id: replying({ toolCalls: [{ name: "weather", id: "call_1" }] }, weather),
  name: replying({ toolCalls: [{ name: "time" }] }, weather),
  arguments: replying({ toolCalls: [{ name: "weather", arguments: { city: "Oslo" } }] }, weather),
  type: replying({ toolCalls: [{ type: "custom", name: "weather", input: "{}" }] }, weather),
  input: replying(
    { toolCalls: [{ type: "custom", name: "weather", input: "Oslo" }] },
    { toolCalls: [{ type: "custom", name: "weather", input: "Rome" }] },
  ),
};

const chunks = (given: ScriptChunk): Shown =>
  replying({ chunks: ["Aa", given] }, { chunks: ["Aa"] });

const chunkKeys: ShownKeys = {
  wait: chunks({ wait: 5 }),
  reasoning: chunks({ reasoning: "Hm" }),
  toolCall: chunks({ toolCall: { name: "weather" } }),
  comment: chunks({ comment: "ping" }),
  everyMs: replying(
    { chunks: [{ comment: "ping", everyMs: 5 }, { wait: 20 }, "Aa"] },
    { chunks: [{ comment: "ping" }, { wait: 20 }, "Aa"] },
  ),
  times: replying(
    { chunks: [{ comment: "ping", everyMs: 5, times: 2 }, { wait: 20 }, "Aa"] },
    { chunks: [{ comment: "ping", everyMs: 5 }, { wait: 20 }, "Aa"] },
  ),
  raw: chunks({ raw: "data: x\n\n" }),
  json: chunks({ json: {} }),
  base64: chunks({ base64: "8J+R" }),
  outputItem: async () =>
    both(
      async (reply) =>
        answersOf({ profiles: { chat: "openai" }, chats: [{ reply }] }, [
          'POST /v1/responses {"model":"atlas","input":"Hi"}',
        ]),
      { chunks: ["Aa"] },
      { chunks: ["Aa", { outputItem: { type: "web_search_call" } }] },
    ),
  fault: chunks({ fault: "cut" }),
};

// Fields of a request

const offered = { tools: [{ type: "function", function: { name: "weather" } }] };

/** The answers to a chat without a field and with it. */
function asking(given: object, without: object = {}, scripted: Partial<Script> = {}): Shown {
  return async () => both((keys) => askScript(scripted, [chatBody(keys)]), without, given);
}

const echo: Partial<Script> = { when: { user: "nobody says this" } };

const requestFields: ShownKeys = {
  model: asking({ model: "nobody" }),
  messages: asking({ messages: [{ role: "user", content: "Ho" }] }, {}, echo),
  stream: asking({ stream: true }),
  stream_options: asking({ stream_options: { include_usage: true } }, { stream: true }),
  n: asking({ n: 2 }),
  max_tokens: asking({ max_tokens: 1 }),
  max_completion_tokens: asking({ max_completion_tokens: 1 }),
  stop: asking({ stop: "bb" }),
  logprobs: asking({ logprobs: true }),
  top_logprobs: asking({ top_logprobs: 2 }, { logprobs: true }),
  response_format: asking({ response_format: { type: "json_object" } }, {}, echo),
  tools: asking(offered, {}, { when: { tool: "weather" } }),
  tool_choice: asking({ tool_choice: "required" }, offered, echo),
};

const inScript = ["$defs", "script", "properties"];
const inReply = ["$defs", "reply", "properties"];

function isOnlyChecked({ description }: JsonObject): boolean {
  return description === "Checked, without effect.";
}

/** The fields of a chat request whose description promises an effect. */
function fieldsWithEffect(): readonly string[] {
  const { properties } = documentBody.json(referTo("#/$defs"));
  return Object.entries(asObject(properties) ?? {}).flatMap(([name, field]) =>
    [asObject(field) ?? {}, ...objectsOf(field)].some(isOnlyChecked) ? [] : [name],
  );
}

testEffects([
  ["a script", keysAt(...inScript.slice(0, 2)), scripts],
  ["`when`", keysAt(...inScript, "when"), conditions],
  ["a matcher", keysAt("$defs", "bodyMatcher"), matchers],
  ["a reply", keysAt(...inReply.slice(0, 2)), replies],
  ["the `extra` of a reply", keysAt(...inReply, "extra"), extra],
  ["a pace", keysAt(...inReply, "pace"), pace],
  ["an error", keysAt(...inReply, "error"), errors],
  ["a fault", keysAt(...inReply, "fault"), faults],
  ["a tool call", keysAt(...inReply, "toolCalls", "items"), toolCalls],
  ["a chunk", keysAt(...inReply, "chunks", "items"), chunkKeys],
  ["a chat request", fieldsWithEffect(), requestFields],
]);
