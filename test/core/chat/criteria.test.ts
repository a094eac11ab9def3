import { describe, expect, test } from "vitest";
import { describeMisses } from "../../../src/core/chat/matching/explain.ts";
import { openaiProfile } from "../../../src/core/chat/profiles.ts";
import type { When } from "../../../src/core/chat/scripts/script.ts";
import { answererOf } from "../../support/answerer.ts";
import { bodyOf, chatBody, chatContext, post, script } from "./support.ts";

const conversation = [
  { role: "system", content: "You are helpful" },
  { role: "user", content: "Weather?" },
  { role: "assistant", content: null, tool_calls: [call("c1", "get_weather")] },
  { role: "tool", tool_call_id: "c1", content: "rain all day" },
];

function call(id: string, name: string): object {
  return { id, type: "function", function: { name, arguments: "{}" } };
}

const tools = [{ type: "function", function: { name: "get_weather" } }];
const headers = { "X-Tenant": "acme" };

/** Whether a script with this `when` answers, else what the strict error says. */
async function outcome(when: When, body: object): Promise<string> {
  const context = chatContext({
    scripts: [script("it", { content: "matched" }, when)],
    unmatched: "error",
  });
  const reply = await post(context, chatBody(body), headers);
  if (reply.status === 200) return "matched";
  const { answeredBy } = reply;
  const sent = new TextEncoder().encode(JSON.stringify(chatBody(body)));
  if (typeof answeredBy !== "object") return bodyOf(reply).error.message;
  return describeMisses(answeredBy.details({ headers, body: sent }).misses ?? []);
}

interface Row {
  readonly when: When;
  readonly body?: object;
  readonly miss?: string;
}

describe("criteria that hold", () => {
  test.each<Row>([
    { when: {} },
    { when: { model: "atlas" } },
    { when: { model: "at*s" } },
    { when: { model: "?tlas*" } },
    { when: { user: "H" } },
    { when: { user: { equals: "Hi" } } },
    { when: { user: { contains: "i" } } },
    { when: { user: { regex: "^h", flags: "i" } } },
    { when: { user: { regex: "i", flags: "gy" } }, body: user("iHi") },
    { when: { user: { anyOf: ["no", { equals: "Hi" }] } } },
    { when: { system: "helpful" }, body: { messages: conversation } },
    { when: { system: "be kind" }, body: developer("be kind") },
    { when: { anyMessage: "rain" }, body: { messages: conversation } },
    { when: { turn: 0 } },
    { when: { turn: 1 }, body: { messages: conversation } },
    { when: { tool: "get_weather" }, body: { tools } },
    { when: { toolResult: {} }, body: { messages: conversation } },
    { when: { toolResult: { name: "get_weather" } }, body: { messages: conversation } },
    { when: { toolResult: { content: "rain" } }, body: { messages: conversation } },
    {
      when: { toolResult: { name: "ping", content: "pong" } },
      body: { messages: [{ role: "function", name: "ping", content: "pong" }] },
    },
    { when: { stream: false } },
    { when: { header: { "x-tenant": "acme" } } },
    { when: { header: { "X-TENANT": "acme" } } },
    { when: { request: { temperature: 0 } }, body: { temperature: 0 } },
    { when: { request: { "messages.0.role": "user" } } },
    { when: { request: { stop: ["a", "b"] } }, body: { stop: ["a", "b"] } },
    { when: { request: { meta: { a: 1, b: 2 } } }, body: { meta: { b: 2, a: 1 } } },
    { when: { request: { "metadata.a\\.b": "1" } }, body: { metadata: { "a.b": "1" } } },
    { when: { request: { "a\\\\.b\\c": "1" } }, body: { "a\\": { "b\\c": "1" } } },
    { when: { request: { seed: null } }, body: { seed: null } },
    { when: { request: { "list.10": "k" } }, body: { list: "abcdefghijk".split("") } },
  ])("$when", async ({ when, body = {} }) => {
    expect(await outcome(when, body)).toBe("matched");
  });
});

describe("criteria that fail, and what the strict error says of them", () => {
  test.each<Row>([
    { when: { model: "at?s" }, miss: 'model must be "at?s", but it is "atlas"' },
    { when: { user: "hi" }, miss: 'user must be a text containing "hi", but it is "Hi"' },
    { when: { user: { equals: "H" } }, miss: 'a text equal to "H", but it is "Hi"' },
    { when: { user: { regex: "^i" } }, miss: 'a text matching /^i/, but it is "Hi"' },
    { when: { user: { anyOf: ["a", "b"] } }, miss: 'containing "a" or containing "b"' },
    { when: { user: "Hi" }, body: developer("Hi"), miss: "but it is nothing" },
    { when: { system: "kind" }, miss: "but it is no system message" },
    { when: { anyMessage: "x" }, miss: "but it is none among 1 message" },
    { when: { turn: 1 }, miss: "turn must be 1, but it is 0" },
    { when: { tool: "other" }, body: { tools }, miss: "but it is get_weather" },
    { when: { tool: "other" }, miss: "but it is no tools" },
    { when: { toolResult: {} }, miss: 'but it is a message of role "user"' },
    {
      when: { toolResult: { name: "ping" } },
      body: { messages: conversation },
      miss: 'toolResult.name must be "ping", but it is "get_weather"',
    },
    {
      when: { toolResult: { content: "sun" } },
      body: { messages: conversation },
      miss: 'toolResult.content must be a text containing "sun", but it is "rain all day"',
    },
    { when: { stream: true }, miss: "stream must be true, but it is false" },
    { when: { header: { "x-tenant": "b" } }, miss: 'header.x-tenant must be "b"' },
    { when: { header: { constructor: "b" } }, miss: "but it is nothing" },
    { when: { request: { temperature: 0 } }, miss: "request.temperature must be 0, but it is" },
    { when: { request: { "messages.length": 1 } }, miss: "but it is nothing" },
    { when: { request: { "__proto__.a": 1 } }, miss: "but it is nothing" },
    { when: { request: { stop: ["a"] } }, body: { stop: ["a", "b"] }, miss: "it is an array" },
    {
      when: { request: { meta: { a: 1 } } },
      body: { meta: { a: 2 } },
      miss: 'request.meta must be {"a":1}, but it is an object, {"a":2}',
    },
    { when: { request: { meta: { a: 1 } } }, body: { meta: null }, miss: "but it is null" },
    { when: { request: { meta: null } }, body: { meta: {} }, miss: "but it is an object, {}" },
    {
      when: { request: { meta: { a: 1, b: 2 } } },
      body: { meta: { a: 1, c: 2 } },
      miss: "meta must",
    },
    { when: { request: { meta: { a: 1, b: 2 } } }, body: { meta: { a: 1 } }, miss: "meta must" },
    { when: { request: { meta: [] } }, body: { meta: {} }, miss: "meta must be []" },
    { when: { request: { meta: ["a"] } }, body: { meta: { 0: "a" } }, miss: "meta must" },
    { when: { request: { "model.length": 5 } }, miss: "but it is nothing" },
    { when: { request: { "meta.a": 1 } }, body: { meta: null }, miss: "but it is nothing" },
    { when: { request: { "stop.0x": 1 } }, body: { stop: ["a"] }, miss: "but it is nothing" },
    {
      when: { tool: "f" },
      body: { tools: ["a", "b"].map((name) => ({ type: "function", function: { name } })) },
      miss: 'tool must be "f" among the tools, but it is a, b.',
    },
  ])("$when", async ({ when, body = {}, miss }) => {
    expect(await outcome(when, body)).toContain(miss);
  });
});

function developer(content: string): object {
  return { messages: [{ role: "developer", content }] };
}

function user(content: string): object {
  return { messages: [{ role: "user", content }] };
}

test("a regular expression with the flag g matches every time", async () => {
  const when = { user: { regex: "Hi", flags: "g" } };
  const context = chatContext({ scripts: [script("it", { content: "yes" }, when)] });
  const answers = [await post(context), await post(context), await post(context)];
  expect(answers.map(answererOf)).toEqual(answers.map(() => 'script "it" reply 1'));
});

test("knows the custom tools of a request by their names", async () => {
  const scripts = [script("it", { content: "yes" }, { tool: "grep" })];
  const context = chatContext({ scripts, profile: openaiProfile, unmatched: "error" });
  const custom = { tools: [{ type: "custom", custom: { name: "grep" } }] };
  expect(await post(context, chatBody(custom))).toMatchObject({ status: 200 });
});
