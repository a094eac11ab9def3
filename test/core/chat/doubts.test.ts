import { expect, test } from "vitest";
import { responsesFieldNames } from "../../../src/core/chat/forms/responses-request.ts";
import { likelyMistakes } from "../../../src/core/chat/scripts/likely-mistakes.ts";
import type { Script, When } from "../../../src/core/chat/scripts/script.ts";
import { argumentNames } from "../../../src/extras/responses/fields.ts";
import { model } from "./support.ts";

function doubtsOfWhen(when: When): readonly string[] {
  return doubtsOf({ when }).map(({ message }) => message);
}

function doubtsOf(script: Partial<Script>): ReturnType<typeof likelyMistakes> {
  return likelyMistakes({ name: "s", replies: [{ content: "a" }], ...script });
}

test("doubts a regular expression that is written as in code", () => {
  expect(doubtsOfWhen({ user: { regex: "/hel+o/i" } })).toEqual([
    'The script "s" looks for "/hel+o/i" with its slashes. Did you mean { "regex": "hel+o", "flags": "i" }?',
  ]);
});

test.each<When>([
  { system: { regex: "/a/gi" } },
  { anyMessage: { anyOf: ["x", { anyOf: [{ regex: "/a/u" }] }] } },
  { toolResult: { content: { regex: "/a/s" } } },
  { header: { "x-a": { not: { regex: "/a/s" } } } },
])("doubts the regular expression in %j", (when) => {
  expect(doubtsOfWhen(when)).toHaveLength(1);
});

test.each<When>([
  { user: { regex: "/rest/users" } },
  { user: { regex: "/rest/" } },
  { user: { regex: "a/b/i" } },
  { user: { equals: "/a/i" }, system: "/a/i" },
])("does not doubt %j", (when) => {
  expect(doubtsOfWhen(when)).toEqual([]);
});

const star = 'in which "*" stands for itself. Did you mean';

test.each<[When, string, string]>([
  [
    { header: { "user-agent": "OpenAI/JS*" } },
    "when.header.user-agent",
    `looks for "OpenAI/JS*", ${star} { "regex": "^OpenAI/JS" }?`,
  ],
  [
    { header: { "user-agent": { anyOf: ["a", "*JS*"] } } },
    "when.header.user-agent.anyOf.1",
    `looks for "*JS*", ${star} { "contains": "JS" }?`,
  ],
  [
    { header: { "x-a": { equals: "a.*b" } } },
    "when.header.x-a.equals",
    `looks for "a.*b", ${star} { "regex": "^a\\\\..*b$" }?`,
  ],
  [{ header: { "x-a": "*" } }, "when.header.x-a", `looks for "*", ${star} { "exists": true }?`],
  [
    { request: { "metadata.user": "ada*" } },
    "when.request.metadata.user",
    `looks for "ada*", ${star} { "regex": "^ada" }?`,
  ],
  [
    { toolResult: { id: "call_*" } },
    "when.toolResult.id",
    `looks for "call_*", ${star} { "regex": "^call_" }?`,
  ],
  [{ user: "rain in*" }, "when.user", `looks for "rain in*", ${star} { "regex": "^rain in" }?`],
  [
    { tool: "get_*" },
    "when.tool",
    'is for a tool called "get_*", but names of tools have only letters, digits, "_" and "-".',
  ],
  [
    { toolResult: { name: "get weather" } },
    "when.toolResult.name",
    'is for a tool called "get weather", but names of tools have only letters, digits, "_" and "-".',
  ],
  [
    { request: { temprature: 0 } },
    "when.request.temprature",
    'looks at "temprature", which is no argument of a chat. Did you mean "temperature"?',
  ],
  [
    { request: { "respons_format.type": "text" } },
    "when.request.respons_format.type",
    'looks at "respons_format", which is no argument of a chat. Did you mean "response_format"?',
  ],
  [
    { request: { "messages.content": "a" } },
    "when.request.messages.content",
    'looks at "messages.content", but "messages" is an array. Did you mean "messages.-1.content"?',
  ],
  [
    { part: "image-url" },
    "when.part",
    'looks for a part of the type "image-url". Did you mean "image_url"?',
  ],
  [
    { turn: 0, toolResult: {} },
    "when.turn",
    'wants the result of a tool at "turn": 0, but the message with the call makes it at least 1.',
  ],
  [
    { step: 0, toolResult: {} },
    "when.step",
    'wants the result of a tool at "step": 0, but the message with the call makes it at least 1.',
  ],
])("doubts %j", (when, path, message) => {
  expect(doubtsOf({ when }).map((one) => [one.path.join("."), one.message])).toEqual([
    [path, `The script "s" ${message}`],
  ]);
});

test.each<When>([
  { header: { accept: "*/*", "accept-encoding": "gzip, *", "if-none-match": "*", "x-a": "a" } },
  { header: { "x-a": { regex: "a*" } } },
  { user: "2 * 3", system: "**bold**", anyMessage: "* an item", assistant: "so: *" },
  { request: { "messages.0.content": "**", "messages.-1.role": "user", top_k: 5, own_field: 1 } },
  { request: { input: "a", "reasoning.effort": "low", max_tokens: 5, "tools.0.type": "function" } },
  { part: "image" },
  { part: "video" },
  { part: "input_file" },
  { tool: "get_weather", toolResult: { name: "get-weather" }, turn: 1, step: 1 },
  { model: "atlas-*" },
])("does not doubt %j, which may be meant", (when) => {
  expect(doubtsOfWhen(when)).toEqual([]);
});

const replies: Script["replies"] = [{ content: "a" }, { content: "b" }, { content: "c" }];

test.each<[Partial<Script>, string, string]>([
  [{ times: 2 }, "times", 'has 3 replies, but "times": 2 lets it give the first 2 only.'],
  [
    { count: "step", when: { step: 1 } },
    "count",
    'has 3 replies, but gives the same one always: "count" is "step", and "when" has "step": 1.',
  ],
  [
    { count: "turn", when: { turn: 1 } },
    "count",
    'has 3 replies, but gives the same one always: "count" is "turn", and "when" has "turn": 1.',
  ],
  [
    { count: "step", when: { turn: 0 } },
    "count",
    'has 3 replies, but gives the same one always: "count" is "step", and "when" has "turn": 0.',
  ],
])("doubts replies that never come: %j", (script, path, message) => {
  expect(doubtsOf({ replies, ...script })).toEqual([
    { path: [path], message: `The script "s" ${message}` },
  ]);
});

test.each<Partial<Script>>([
  { times: 3 },
  { times: 2, count: "step" },
  { count: "step", when: { turn: 1 } },
  { count: "turn", when: { step: 1 } },
  { count: "match", when: { turn: 0, step: 0 } },
])("does not doubt replies that can come: %j", (script) => {
  expect(doubtsOf({ replies, ...script })).toEqual([]);
});

test("doubts a model that is not listed where others are refused", () => {
  const listed = [model("atlas", { variant: "atlas-2024" }), model("words", { kind: "embedding" })];
  const doubted = (name: string): readonly string[] =>
    likelyMistakes({ name: "s", when: { model: name }, replies }, listed).map(
      ({ message }) => message,
    );
  expect(doubted("atlsa")).toEqual([
    'The script "s" is for the model "atlsa", but "models" has none that fits, and others are refused. Did you mean "atlas"?',
  ]);
  expect(doubted("words")).toHaveLength(1);
  expect(doubted("gpt-*")).toHaveLength(1);
  expect(["atlas", "atlas-*", "*"].flatMap(doubted)).toEqual([]);
});

test("knows the arguments of Responses", () => {
  expect(responsesFieldNames).toEqual([...argumentNames].toSorted());
});
