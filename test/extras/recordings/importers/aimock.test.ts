import { expect, test } from "vitest";
import { importAimock } from "../../../../src/extras/recordings/importers/aimock.ts";
import { createEmulator } from "../../../../src/index.ts";

/** The scripts of fixtures, and what was told. */
function imported(...fixtures: readonly unknown[]) {
  const { files, remarks } = importAimock({ fixtures }, "mocks");
  const scripts = files.length === 0 ? [] : JSON.parse(files[0]?.text ?? "");
  return { scripts, told: remarks.map(({ path, message }) => `${path.join(".")}: ${message}`) };
}

/** The script of one fixture that answers "Hi". */
function scriptFor(match: object, response: object = { content: "Hi" }, more: object = {}) {
  return imported({ match, response, ...more });
}

test("a file's fixtures are the scripts of one file of that name", () => {
  const fixture = { match: { userMessage: "hello" }, response: { content: "Hi {{ there }}" } };
  expect(importAimock({ fixtures: [fixture] }, "mocks")).toEqual({
    remarks: [],
    files: [{ name: "chats/mocks.json", text: expect.stringMatching(/^\[\n.*\]\n$/s) }],
  });
  expect(imported(fixture).scripts).toEqual([
    { when: { user: "hello" }, reply: { content: "Hi {{ '{{' }} there }}" } },
  ]);
});

test.each([
  [{}, undefined],
  [{ systemMessage: "kind" }, { system: "kind" }],
  [{ systemMessage: ["a", "b.c"] }, { system: { regex: "^(?=[^]*a)(?=[^]*b\\.c)" } }],
  [{ toolName: "find" }, { tool: "find" }],
  [{ model: "at.las" }, { request: { model: { regex: "^at\\.las(?:-\\d[^]*)?$" } } }],
  [{ context: "crm" }, { header: { "x-aimock-context": "crm" } }],
  [{ toolResultContains: "ok" }, { toolResult: { content: "ok" } }],
  [{ responseFormat: "text", endpoint: "chat" }, { request: { "response_format.type": "text" } }],
  [{ toolCallId: "call_9" }, { toolResult: { id: "call_9" } }],
  [{ turnIndex: 2 }, undefined],
])("the match %j is the when %j", (match, when) => {
  const { scripts, told } = scriptFor(match);
  expect(scripts).toEqual([{ ...(when === undefined ? {} : { when }), reply: { content: "Hi" } }]);
  expect(told).toEqual([]);
});

test.each([
  [{ hasToolResult: true }, { toolResult: {} }],
  [{ hasToolResult: false }, { request: { "messages.-1.role": { not: "tool" } } }],
])("the match %j is nearly the when %j, and that is told", (match, when) => {
  const { scripts, told } = scriptFor(match);
  expect(scripts[0].when).toEqual(when);
  expect(told.join()).toContain("match.hasToolResult: only the last message is looked at");
});

test("keys of comments are not told", () => {
  const comments = { _comment: "a", "//": "b", $note: "c" };
  const { scripts, told } = scriptFor(
    { userMessage: "hi", ...comments },
    { content: "Hi", ...comments },
    { ...comments, metadata: { systemHash: "a" } },
  );
  expect(scripts).toEqual([{ when: { user: "hi" }, reply: { content: "Hi" } }]);
  expect(told).toEqual([]);
});

const turn = (turnIndex: number, content: string, match: object = { userMessage: "loop" }) => ({
  match: { ...match, turnIndex },
  response: { content },
});

test("fixtures that differ in the turn are one script with a reply for each turn", () => {
  const { scripts, told } = imported(turn(3, "d"), turn(1, "b"));
  const [b, d] = [{ content: "b" }, { content: "d" }];
  expect(scripts).toEqual([{ when: { user: "loop" }, replies: [b, b, b, d], count: "turn" }]);
  expect(told).toEqual([]);
});

test("a turn must match exactly where other fixtures have a say before or between, and that is told", () => {
  const { scripts, told } = imported(
    turn(1, "b"),
    turn(2, "c", { userMessage: "loop", toolName: "find" }),
    turn(3, "d", { userMessage: "other" }),
  );
  expect(scripts.map(({ when }: { when: object }) => when)).toEqual([
    { user: "loop", turn: 1 },
    { user: "loop", tool: "find", turn: 2 },
    { user: "other" },
  ]);
  expect(told).toHaveLength(2);
  expect(told[0]).toContain("fixtures.0.match.turnIndex: the turn must match exactly here");
});

test.each([
  [{ endpoint: "image" }, { content: "Hi" }, "fixtures.0.match.endpoint: left out"],
  [{ inputText: "a" }, { embedding: [1] }, "fixtures.0.match.inputText: left out"],
  [{ predicate: "x" }, { content: "Hi" }, "fixtures.0.match.predicate: left out"],
  [{ userMessage: 1 }, { content: "Hi" }, "fixtures.0.match.userMessage: left out"],
  [{}, { image: { url: "a" } }, 'fixtures.0.response: left out: it answers "image"'],
  [
    {},
    { error: { message: "No" }, status: 302 },
    "fixtures.0: left out: no script can express its reply.error.status: ",
  ],
  [
    {},
    { content: "Hi", usage: 1, finishReason: "x", webSearches: ["a"] },
    "response.webSearches: left out",
  ],
  [{}, { content: "Hi", usage: { cost: 1 } }, "response.usage: left out of its usage: cost"],
])("tells what cannot be taken over of %j and %j", (match, response, told) => {
  expect(scriptFor(match, response).told.join()).toContain(told);
});

test.each([
  [{ content: { a: "{{" } }, { content: { a: "{{ '{{' }}" } }],
  [
    {
      toolCalls: [
        { name: "f", arguments: { a: 1 } },
        { name: "g", arguments: '{"b": 2}', id: "c" },
      ],
    },
    {
      toolCalls: [
        { name: "f", arguments: { a: 1 } },
        { id: "c", name: "g", arguments: '{"b": 2}' },
      ],
    },
  ],
  [
    {
      blocks: [
        { type: "toolCall", name: "f", arguments: "{}" },
        { type: "text", text: "Hm" },
      ],
    },
    { chunks: [{ toolCall: { name: "f", arguments: "{}" } }, "Hm"] },
  ],
  [
    { error: { message: "Slow", type: "t" }, status: 429 },
    { error: { status: 429, message: "Slow", type: "t", retryAfterMs: 1000 } },
  ],
  [
    { error: { message: "No", metadata: { reasons: ["x"] } }, status: 403 },
    { error: { status: 403, message: "No", extra: { metadata: { reasons: ["x"] } } } },
  ],
  [
    {
      content: "a",
      reasoning: "b",
      finishReason: "length",
      model: "m",
      id: "i",
      usage: { total_tokens: 3 },
    },
    {
      content: "a",
      reasoning: "b",
      finishReason: "length",
      model: "m",
      id: "i",
      usage: { total_tokens: 3 },
    },
  ],
])("the response %j is the reply %j", (response, reply) => {
  expect(scriptFor({}, response).scripts[0].reply).toEqual(reply);
});

test.each([
  [{ latency: 5 }, { pace: { firstTokenMs: 5, gapMs: 5, by: 20 } }],
  [
    { streamingProfile: { ttft: 200, tps: 40, jitter: 0.1 }, chunkSize: 4 },
    { pace: { firstTokenMs: 200, tokensPerSecond: 40, jitter: 0.1, by: 4 } },
  ],
  [
    { recordedTimings: { ttftMs: 100, interChunkDelaysMs: [10, 30] }, replaySpeed: 2 },
    { pace: { firstTokenMs: 50, gapMs: 10, by: 20 } },
  ],
  [{ disconnectAfterMs: 70 }, { pace: { by: 20 }, fault: { kind: "reset", afterMs: 70 } }],
  [{ truncateAfterChunks: 3 }, { pace: { by: 20 }, fault: { kind: "reset", afterChunks: 3 } }],
])("the timing %j is %j", (timing, expected) => {
  expect(scriptFor({}, { content: "Hi" }, timing).scripts[0].reply).toEqual({
    content: "Hi",
    ...expected,
  });
});

const joke = (sequenceIndex: number) => ({
  match: { userMessage: "joke", sequenceIndex },
  response: { content: `Joke ${sequenceIndex}` },
});

test("fixtures that answer in turn are one script that ends", () => {
  const { scripts } = imported(joke(1), joke(0), { match: {}, response: { content: "No more" } });
  expect(scripts).toEqual([
    {
      when: { user: "joke" },
      replies: [{ content: "Joke 0" }, { content: "Joke 1" }],
      after: "end",
    },
    { reply: { content: "No more" } },
  ]);
});

test("scripts are in the order of the fixtures", () => {
  const { scripts } = imported(
    { match: { userMessage: "mars" }, response: { content: "one" } },
    { match: { toolCallId: "call_1" }, response: { content: "two" } },
  );
  expect(scripts.map((script: { reply: object }) => script.reply)).toEqual([
    { content: "one" },
    { content: "two" },
  ]);
});

test("what comes of fixtures can be served, odd ones included", async () => {
  const fixtures = [
    { match: { responseFormat: "json_object" }, response: { content: "no JSON" } },
    { match: { userMessage: "" }, response: { content: "{% raw %}" } },
    {
      match: {},
      response: { content: "a", usage: { prompt_tokens: -1 } },
      chaos: { latencyMs: 9 },
    },
    { match: { turnIndex: 1 }, response: { content: 7 } },
    null,
    { match: {}, response: { content: "a" }, chunkSize: 0.5 },
  ];
  const { scripts, told } = imported(...fixtures);
  const emulator = await createEmulator({ fixtures: { chats: scripts } });
  expect(emulator.chats.list()).toHaveLength(3);
  for (const place of [3, 4, 5]) expect(told.join()).toContain(`fixtures.${place}: left out`);
  expect(told.join()).toContain("fixtures.2.chaos: left out");
});
