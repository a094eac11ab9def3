import { expect, test } from "vitest";
import { checkScript } from "../../../src/core/chat/scripts/check-script.ts";
import type { Script, When } from "../../../src/core/chat/scripts/script.ts";
import { templatesOf } from "../../../src/core/chat/scripts/script-templates.ts";

const good: Script = { name: "s", replies: [{ content: "x" }] };

function paths(script: Partial<Script>): string[] {
  return checkScript({ ...good, ...script }).map(({ path }) => path.join("."));
}

test("finds nothing wrong with a good script", () => {
  expect(paths({ when: { user: { regex: "(?<a>x)", flags: "i" } }, times: 1 })).toEqual([]);
});

test.each<[string, Partial<Script>]>([
  ["when.user.regex", { when: { user: { regex: "(" } } }],
  ["when.user.regex", { when: { user: { regex: "a", flags: "q" } } }],
  ["when.system.anyOf.1.regex", { when: { system: { anyOf: ["a", { regex: "[" }] } } }],
  ["when.toolResult.content.regex", { when: { toolResult: { content: { regex: "*" } } } }],
  ["when.toolResult.id.regex", { when: { toolResult: { id: { regex: "(" } } } }],
  ["when.assistant.regex", { when: { assistant: { regex: "(" } } }],
  [
    "when.request.a.anyOf.1.not.regex",
    { when: { request: { a: { anyOf: [1, { not: { regex: "(" } }] } } } },
  ],
  ["when.header.X-A", { when: { header: { "X-A": " v" } } }],
  ["when.header.X-A.equals", { when: { header: { "X-A": { equals: "v " } } } }],
  ["when.header.X-A.anyOf.0", { when: { header: { "X-A": { anyOf: ["v ", "w"] } } } }],
  ["when.header.X-A.contains", { when: { header: { "X-A": { contains: "v\n" } } } }],
  ["when.header.x tenant", { when: { header: { "x tenant": "acme" } } }],
  ["when.header.x-a", { when: { header: { "X-A": "1", "x-a": "2" } } }],
  ["when.request.messages[0].role", { when: { request: { "messages[0].role": "user" } } }],
  ["when.request.stop[1]", { when: { request: { "stop[1]": "a" } } }],
  [
    "when.request.messages.0.tool_calls[2].id",
    { when: { request: { "messages.0.tool_calls[2].id": "a" } } },
  ],
  ["when.header.x-b", { when: { header: { "x-a": "v w", "x-b": "v\n" } } }],
  ["replies.0", { replies: [{}] }],
  ["replies.0.content", { replies: [{ content: "a", chunks: ["b"] }] }],
  ["replies.0.content", { replies: [{ content: {}, chunks: ["b"] }] }],
  ["replies.0.content", { replies: [{ content: "a", choices: [{ content: "b" }] }] }],
  ["replies.0.finishReason", { replies: [{ finishReason: "x", choices: [{ content: "b" }] }] }],
  ["replies.0.choices.1", { replies: [{ choices: [{ content: null }, {}] }] }],
  ["replies.0.pace.gapMs", { replies: [{ content: "a", pace: { gapMs: 1, tokensPerSecond: 1 } }] }],
  [
    "replies.0.pace.jitter",
    { replies: [{ content: "a", pace: { gapMs: { exponential: 5 }, jitter: 0.5 } }] },
  ],
  ["replies.0.headers.a b", { replies: [{ content: "a", headers: { "a b": "x" } }] }],
  ["replies.0.headers.x-b", { replies: [{ content: "a", headers: { "X-B": "1", "x-b": "1" } }] }],
  ["replies.0.headers.x", { replies: [{ content: "a", headers: { x: "a\r\nb: c" } }] }],
  [
    "replies.0.headers.Content-Length",
    { replies: [{ content: "a", headers: { "Content-Length": "1" } }] },
  ],
])("finds what is wrong at %s", (path, script) => {
  expect(paths(script)).toEqual([path]);
});

test.each<[string, Partial<Script>]>([
  [
    "when.header.a has white space at its ends, which received headers never have; remove it",
    { when: { header: { a: "v " } } },
  ],
  ["when.header.a b is not a valid header name", { when: { header: { "a b": "" } } }],
  [
    'when.header.x-a is the same header as "X-A" in another case; remove one of the two',
    { when: { header: { "X-A": "1", "x-a": "1" } } },
  ],
  [
    "when.request.messages[0].content[1].type is not a dotted path: array indexes have dots too; " +
      'write "messages.0.content.1.type"',
    { when: { request: { "messages[0].content[1].type": "text" } } },
  ],
  [
    "replies.0.fault.afterChunks afterChunks has no effect on a hang, which sends nothing at all; use the kind stall, or remove it",
    { replies: [{ fault: { kind: "hang", afterChunks: 1 } }] },
  ],
  [
    "replies.0.fault.afterChunks afterChunks has no effect on noDone; remove it",
    { replies: [{ content: "", fault: { kind: "noDone", afterChunks: 0 } }] },
  ],
  [
    "replies.0.choices.0.chunks.0.fault.error error belongs to the kind error, but the kind is cut; remove one of the two",
    { replies: [{ choices: [{ chunks: [{ fault: { kind: "cut", error: { message: "" } } }] }] }] },
  ],
  [
    "replies.0.fault.error error belongs to the kind error, but the kind is cut; remove one of the two",
    { replies: [{ content: "", fault: { kind: "cut", error: { message: "" } } }] },
  ],
  [
    "replies.0.refusal refusal cannot stand beside choices; move it into each choice",
    { replies: [{ refusal: "", choices: [{ content: "" }] }] },
  ],
  [
    "replies.0 the reply is empty: give it content, chunks, toolCalls, reasoning, refusal, error or body",
    { replies: [{}] },
  ],
  [
    "replies.0.content content and chunks both give the text; remove one of the two",
    { replies: [{ content: "", chunks: [] }] },
  ],
  [
    "replies.0.pace.gapMs gapMs and tokensPerSecond both set the speed; remove one of the two",
    { replies: [{ content: "", pace: { gapMs: 0, tokensPerSecond: 1 } }] },
  ],
  [
    "replies.0.headers.é is not a valid header name",
    { replies: [{ content: "", headers: { é: "" } }] },
  ],
  [
    "replies.0.headers.Connection is set by the server",
    { replies: [{ content: "", headers: { Connection: "" } }] },
  ],
  [
    "replies.0.headers.a is not a valid header value",
    { replies: [{ content: "", headers: { a: "\u0100" } }] },
  ],
])("says what is wrong: %s", (problem, script) => {
  const found = checkScript({ ...good, ...script });
  expect(found.map(({ path, message }) => `${path.join(".")} ${message}`)).toEqual([problem]);
});

const nothing = "has matchers that exclude each other: nothing is";

test.each<[When, string]>([
  [
    { request: { a: { gt: 5, lt: 3 } } },
    `a ${nothing} both a number greater than 5 and a number less than 3`,
  ],
  [
    { request: { a: { gt: 5, lte: 5 } } },
    `a ${nothing} both a number greater than 5 and a number not greater than 5`,
  ],
  [{ request: { a: { exists: false, equals: 1 } } }, `a ${nothing} both absent and 1`],
  [{ request: { a: { exists: false, gt: 1 } } }, `a ${nothing} both`],
  [{ request: { a: { exists: false, contains: "x" } } }, `a ${nothing} both`],
  [{ request: { a: { exists: false, anyOf: [1, 2] } } }, `a ${nothing} both`],
  [
    { request: { a: { exists: false, not: { exists: false } } } },
    `a ${nothing} both absent and anything but absent`,
  ],
  [{ request: { a: { equals: "b", regex: "^a" } } }, `a ${nothing} both`],
  [{ request: { a: { equals: "b", contains: "a" } } }, `a ${nothing} both`],
  [{ request: { a: { equals: 3, gt: 5 } } }, `a ${nothing} both 3 and a number greater than 5`],
  [{ request: { a: { equals: "7", gt: 5 } } }, `a ${nothing} both`],
  [{ request: { a: { equals: 5, not: 5 } } }, `a ${nothing} both 5 and anything but 5`],
  [{ request: { a: { equals: 5, anyOf: [6, 7] } } }, `a ${nothing} both`],
  [{ request: { a: { regex: "a", gt: 5 } } }, `a ${nothing} both`],
  [{ request: { a: { contains: 5, regex: "a" } } }, `a ${nothing} both`],
  [{ request: { a: { contains: "a", not: { contains: "a" } } } }, `a ${nothing} both`],
  [{ request: { a: { gt: 5, not: { gte: 5 } } } }, `a ${nothing} both`],
  [
    { request: { a: { anyOf: [4, 6], gt: 4, lt: 6 } } },
    `a ${nothing} a number greater than 4 and a number less than 6 and 4 or 6`,
  ],
  [{ request: { a: { anyOf: [{ gt: 5, lt: 3 }, 4] } } }, `0 ${nothing} both`],
  [{ request: { a: { not: { gt: 5, lt: 3 } } } }, `not ${nothing} both`],
  [{ header: { a: { gt: 5, lt: 3 } } }, `a ${nothing} both`],
  [
    { header: { a: { equals: "many", gt: 3 } } },
    `a ${nothing} both "many" and a number greater than 3`,
  ],
  [{ toolResult: { id: { exists: false, contains: "c" } } }, `id ${nothing} both`],
  [
    { turn: 0, assistant: "a" },
    'assistant assistant can never match at "turn": 0, before the first assistant message',
  ],
  [
    { turn: 1, step: 2 },
    'step step can never be 2 at "turn": 1, which counts all assistant messages',
  ],
  [
    { stream: true, request: { stream: false } },
    'stream stream can never match beside "stream": true; remove one of the two',
  ],
  [{ stream: true, request: { stream: { exists: false } } }, "stream stream can never match"],
  [{ stream: false, request: { stream: { anyOf: [true, 1] } } }, "stream stream can never match"],
])("refuses what no request can fulfil: %j", (when, problem) => {
  const found = checkScript({ ...good, when });
  expect(found.map(({ path, message }) => `${path.at(-1)} ${message}`)).toEqual([
    expect.stringContaining(problem),
  ]);
});

test.each(["step", "turn"] as const)("refuses a %s beyond the replies that end", (key) => {
  const script: Script = { ...good, count: key, after: "end" };
  expect(checkScript({ ...script, when: { [key]: 1 } })).toEqual([
    {
      path: ["when", key],
      message: `${key} can never be 1: "after" is "end", and there are replies for less than 1 only`,
    },
  ]);
  expect(checkScript({ ...script, when: { [key]: 0 } })).toEqual([]);
});

test.each<When>([
  { request: { a: { gt: 5, lt: 5.5 } } },
  { request: { a: { gte: 5, lte: 5 } } },
  { request: { a: { exists: true, equals: null } } },
  { request: { a: { exists: false, not: 5 } } },
  { request: { a: { exists: false, anyOf: [1, { exists: false }] } } },
  { request: { a: { equals: 6, anyOf: [6, 7], gt: 5, not: 5 } } },
  { request: { a: { regex: "^a", contains: "b" } } },
  { request: { a: { contains: "a", not: { contains: "b" } } } },
  { request: { a: { contains: "a", not: { regex: "a" } } } },
  { request: { a: { gte: 5, not: { gt: 5 } } } },
  { request: { a: { not: { not: { exists: true } } } } },
  { header: { a: { equals: "7", gt: 5 }, b: { regex: "^\\d", lt: 5 }, c: { contains: " " } } },
  { turn: 2, step: 2, assistant: "" },
  { step: 3 },
  { stream: true, request: { stream: 1 } },
  { stream: false, request: { stream: { not: true } } },
  { stream: false, request: { stream: { anyOf: [null, { exists: false }] } } },
])("does not refuse what a request can fulfil: %j", (when) => {
  expect(checkScript({ ...good, when })).toEqual([]);
});

test.each<Partial<Script>>([
  { when: { header: { a: "" }, turn: 0, anyMessage: { equals: "(" }, system: { contains: "[" } } },
  { when: { request: { "metadata.list[0]": "a", "messages.0.role": "user", "[0]": 1 } } },
  { replies: [{ chunks: [] }] },
  { replies: [{ content: null, chunks: ["a", { wait: 0 }, { comment: "" }, { fault: "cut" }] }] },
  { replies: [{ content: "", pace: { gapMs: 0, jitter: 0, firstTokenMs: 0, by: "word" } }] },
  { replies: [{ content: "", pace: { tokensPerSecond: 0.1, jitter: 1, by: 1 } }] },
  { replies: [{ error: { status: 400, message: "" } }, { error: { status: 599, message: "" } }] },
  { replies: [{ content: "", fault: { kind: "reset", afterChunks: 3, probability: 0 } }] },
  { replies: [{ fault: { kind: "error", error: { message: "Full" } } }] },
  { replies: [{ content: "", headers: { "x-a": "\t ~\u00ff" } }] },
])("finds nothing wrong with %j", (script) => {
  expect(paths(script)).toEqual([]);
});

test("finds every template of a script", () => {
  const found = templatesOf({
    name: "s",
    replies: [
      { content: "{{ a }}", reasoning: "plain", toolCalls: [{ name: "n", arguments: "{{ b }}" }] },
      { choices: [{ content: { e: "{{ e }}" } }] },
      {
        chunks: [
          "{{ c }}",
          { reasoning: "{{ r }}" },
          { toolCall: { name: "n", arguments: { x: ["{{ d }}"] } } },
        ],
      },
    ],
  });
  expect(found.map(({ path, text }) => [path.join("."), text])).toEqual([
    ["replies.0.content", "{{ a }}"],
    ["replies.0.toolCalls.0.arguments", "{{ b }}"],
    ["replies.1.choices.0.content.e", "{{ e }}"],
    ["replies.2.chunks.0", "{{ c }}"],
    ["replies.2.chunks.1.reasoning", "{{ r }}"],
    ["replies.2.chunks.2.toolCall.arguments.x.0", "{{ d }}"],
  ]);
});
