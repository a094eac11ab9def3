import { expect, test } from "vitest";
import { checkScript } from "../../../src/core/chat/scripts/check-script.ts";
import type { Script } from "../../../src/core/chat/scripts/script.ts";
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
  ["when.header.X-A", { when: { header: { "X-A": " v" } } }],
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
    "replies.0 the reply is empty: give it content, chunks, toolCalls, reasoning, refusal or error",
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
