import { expect, test } from "vitest";
import { documentBody } from "../../../src/core/chat/request/fields.ts";
import type {
  Script,
  ScriptChunk,
  ScriptReply,
  ValueMatcher,
  When,
} from "../../../src/core/chat/scripts/script.ts";
import {
  fixturesJsonSchema,
  referTo,
} from "../../../src/core/fixture-set/format/fixtures-json-schema.ts";
import type { EventStream } from "../../../src/core/http/event-stream.ts";
import { asObject, type JsonObject } from "../../../src/core/schema/json.ts";
import { createEmulator } from "../../../src/index.ts";
import { chatBody, chatContext, model, post, textsOf } from "../chat/support.ts";

// What can be written has an effect. Each key of the format, and each field of a chat request that is said to have an
// effect, is shown by two answers that differ. A new key fails here until something reads it.

/** Two answers that the key, and nothing else, makes different. */
type Shown = () => Promise<readonly [without: unknown, given: unknown]>;

async function both(
  answer: (given: object) => Promise<unknown>,
  without: object,
  given: object,
): ReturnType<Shown> {
  return [await answer(without), await answer({ ...without, ...given })];
}

// Tables

const get = "GET /rest/items";

/** What requests, one after the other, get from a table. */
function table(given: object, without: object = {}, requests: readonly string[] = [get]): Shown {
  const rows = [
    { id: 1, name: "b" },
    { id: 2, name: "B" },
  ];
  return async () =>
    both((items) => answersOf({ tables: { items } }, requests), { rows, ...without }, given);
}

/** The same for a key of the column `name`. */
function column(given: object, requests: readonly string[]): Shown {
  const people = { columns: { name: "TEXT" }, rows: [{ name: "b" }] };
  return async () =>
    both(
      (name) => answersOf({ tables: { people, items: itemsWith(name) } }, requests),
      { type: "TEXT" },
      given,
    );
}

function itemsWith(name: object): object {
  return { columns: { id: "INTEGER", name }, rows: [{ id: 1 }] };
}

async function answersOf(fixtures: object, requests: readonly string[]): Promise<unknown> {
  const emulator = await createEmulator({ fixtures, auth: false, seed: 1, clock: 0 });
  const answers: unknown[] = [];
  for (const request of requests) {
    const [method = "", path = "", body] = request.split(" ");
    const headers = { "content-type": "application/json", authorization: "Bearer local-token" };
    const init = { method, headers, ...(body !== undefined && { body }) };
    const answer = await emulator.fetch(new Request(`http://127.0.0.1${path}`, init));
    answers.push(answer.status, await answer.text());
  }
  return answers;
}

const tables: Readonly<Record<string, Shown>> = {
  primaryKey: table({ primaryKey: "name" }, {}, ["GET /rest/items/b"]),
  columns: table({ columns: { id: "INTEGER", name: { type: "TEXT", collate: "NOCASE" } } }, {}, [
    `${get}?name=b`,
  ]),
  rows: table({ rows: [{ id: 3 }] }),
  generate: table({ generate: { count: 1, row: { id: 9 } } }),
  unique: table({ unique: [["name"]] }, {}, ['POST /rest/items {"name":"b"}']),
  foreignKeys: table({ foreignKeys: [{ columns: ["id"], table: "items", to: ["id"] }] }, {}, [
    'PATCH /rest/items/1 {"name":"c"}',
    'POST /rest/items {"id":3}',
    "GET /__backlot/state",
  ]),
  autoIncrement: table({ autoIncrement: true }, {}, [
    "DELETE /rest/items/2",
    'POST /rest/items {"name":"x"}',
  ]),
  withoutRowId: async () =>
    both(
      (more) => {
        const items = { primaryKey: "k", rows: [{ k: "b" }, { k: "a" }], ...more };
        const profiles = { tables: "starbasedb" };
        return answersOf({ profiles, tables: { items } }, [get]);
      },
      {},
      { withoutRowId: true },
    ),
  check: table({ check: "name <> 'x'" }, {}, ['POST /rest/items {"name":"x"}']),
};

const generated = (count: number, row: object): object => ({ generate: { count, row } });

const generate: Readonly<Record<string, Shown>> = {
  count: table(generated(2, { name: "a" }), generated(1, { name: "a" })),
  row: table(generated(1, { name: "b" }), generated(1, { name: "a" })),
};

const columns: Readonly<Record<string, Shown>> = {
  type: column({ type: "INTEGER" }, ['POST /rest/items {"name":"x"}']),
  notNull: column({ notNull: true, default: "x" }, ['POST /rest/items {"name":null}']),
  unique: column({ unique: true }, [
    'POST /rest/items {"name":"x"}',
    'POST /rest/items {"name":"x"}',
  ]),
  default: column({ default: "x" }, [get]),
  references: column({ references: "people.name" }, ['POST /rest/items {"name":"x"}']),
  defaultTime: column({ defaultTime: "date" }, [get]),
  check: column({ check: "name <> 'x'" }, ['POST /rest/items {"name":"x"}']),
  collate: column({ collate: "NOCASE" }, ['POST /rest/items {"name":"x"}', `${get}?name=X`]),
};

// Models

function models(given: object, request = "GET /v1/models"): Shown {
  return async () =>
    both(async (one) => answersOf({ models: [one] }, [request]), { id: "atlas" }, given);
}

const chatOf = (more: object): string =>
  `POST /v1/chat/completions ${JSON.stringify(chatBody(more, "Hello-there-you"))}`;

const modelKeys: Readonly<Record<string, Shown>> = {
  id: models({ id: "other" }),
  variant: models({ variant: "atlas-2024" }, chatOf({})),
  owned_by: models({ owned_by: "me" }),
  created: models({ created: 1 }),
  contextLength: models({ contextLength: 1 }, chatOf({})),
  kind: models({ kind: "embedding" }, chatOf({})),
  reasoning: async () =>
    both(
      async (one) =>
        answersOf({ profiles: { chat: "openai" }, models: [one] }, [chatOf({ max_tokens: 5 })]),
      { id: "atlas" },
      { reasoning: true },
    ),
  dimensions: async () =>
    both(
      async (one) =>
        answersOf({ profiles: { chat: "openai" }, models: [one] }, [
          'POST /v1/embeddings {"model":"words","input":"Hi"}',
        ]),
      { id: "words", kind: "embedding" },
      { dimensions: 3 },
    ),
};

// Embeddings

const embed = 'POST /v1/embeddings {"model":"words","input":["Hi","Ho"]}';

function embedding(given: object, without: object = { text: "Hi", near: "Ho" }): Shown {
  const fixtures = { profiles: { chat: "openai" }, models: [{ id: "words", kind: "embedding" }] };
  return async () =>
    both(async (one) => answersOf({ ...fixtures, embeddings: [one] }, [embed]), without, given);
}

const embeddings: Readonly<Record<string, Shown>> = {
  text: embedding({ text: "Ho" }, { text: "Hi", vector: [1, 0] }),
  vector: embedding({ vector: [0, 1] }, { text: "Hi", vector: [1, 0] }),
  near: embedding({ near: "Nobody" }),
};

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

const scripts: Readonly<Record<string, Shown>> = {
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

const conditions: Readonly<Record<string, Shown>> = {
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

const matchers: Readonly<Record<string, Shown>> = {
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

const replies: Readonly<Record<string, Shown>> = {
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

const extra: Readonly<Record<string, Shown>> = {
  message: adding("message", chatBody()),
  delta: adding("delta"),
  choice: adding("choice"),
  body: adding("body"),
};

const twoCalls = { toolCalls: [{ name: "weather" }, { name: "time" }] };

const pace: Readonly<Record<string, Shown>> = {
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

const errors: Readonly<Record<string, Shown>> = {
  status: error({ status: 503 }),
  message: error({ message: "Busy" }),
  type: error({ type: "odd" }),
  code: error({ code: "odd" }),
  param: error({ param: "odd" }),
  extra: error({ extra: { innererror: {} } }),
  retryAfterMs: error({ retryAfterMs: 5 }),
};

const faults: Readonly<Record<string, Shown>> = {
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

const toolCalls: Readonly<Record<string, Shown>> = {
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

const chunkKeys: Readonly<Record<string, Shown>> = {
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

const requestFields: Readonly<Record<string, Shown>> = {
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

// Which keys there are

const format = fixturesJsonSchema();

/** The objects that a JSON Schema allows, references and alternatives followed. */
function objectsOf(schema: unknown): readonly JsonObject[] {
  const { $ref, anyOf, ...own } = asObject(schema) ?? {};
  if (typeof $ref === "string") return objectsAt(...$ref.split("/").slice(1));
  return [own, ...(Array.isArray(anyOf) ? anyOf.flatMap(objectsOf) : [])];
}

/** The objects at the end of a way through the format. */
function objectsAt(...way: readonly string[]): readonly JsonObject[] {
  const whole: readonly JsonObject[] = [format];
  return way.reduce(
    (objects, step) => objects.flatMap((object) => (step in object ? objectsOf(object[step]) : [])),
    whole,
  );
}

function keysAt(...way: readonly string[]): readonly string[] {
  // The properties themselves are no schema: a key may be called `anyOf`.
  const keys = objectsAt(...way).flatMap(({ properties }) =>
    Object.keys(asObject(properties) ?? {}),
  );
  return [...new Set(keys)];
}

const inTable = ["$defs", "table", "properties"];
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

const groups: readonly [of: string, keys: readonly string[], Readonly<Record<string, Shown>>][] = [
  ["a table", keysAt(...inTable.slice(0, 2)), tables],
  ["a table's `generate`", keysAt(...inTable, "generate"), generate],
  ["a column", keysAt(...inTable, "columns", "additionalProperties"), columns],
  ["a model", keysAt("$defs", "model"), modelKeys],
  ["an embedding", keysAt("$defs", "embedding"), embeddings],
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
];

test.each(groups)("each key of %s is shown by an answer that it changes", (_of, keys, shown) => {
  expect(keys.length).toBeGreaterThan(1);
  expect(Object.keys(shown).toSorted()).toEqual([...keys].toSorted());
});

const rows = groups.flatMap(([of, , shown]) =>
  Object.entries(shown).map(([key, show]): [string, Shown] => [`${key} of ${of}`, show]),
);

test.each(rows)("%s has an effect", async (_key, show) => {
  const [without, given] = await show();
  expect(given).not.toEqual(without);
});
