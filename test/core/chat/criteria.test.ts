import { describe, expect, test } from "vitest";
import { describeMisses } from "../../../src/core/chat/matching/explain.ts";
import { openaiProfile } from "../../../src/core/chat/profiles.ts";
import type {
  ValueMatcher,
  When,
  WholeTextMatcher,
} from "../../../src/core/chat/scripts/script.ts";
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

const rainy = { messages: conversation };
const answer = { role: "assistant", content: "Hello." };
const answered = {
  messages: [{ role: "user", content: "Hi" }, answer, { role: "user", content: "Ho" }],
};

function partOf(type: string): object {
  return { messages: [{ role: "user", content: [{ type: "text", text: "Hi" }, { type }] }] };
}

const picture = partOf("image_url");

const tools = [{ type: "function", function: { name: "get_weather" } }];

/** Whether a script with this `when` answers, else what the strict error says. */
async function outcome(
  when: When,
  body: object,
  headers: Readonly<Record<string, string>> = { "X-Tenant": "acme" },
): Promise<string> {
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
    { when: { request: { meta: { equals: { a: 1, b: 2 } } } }, body: { meta: { b: 2, a: 1 } } },
    { when: { request: { "metadata.a\\.b": "1" } }, body: { metadata: { "a.b": "1" } } },
    { when: { request: { "a\\\\.b\\c": "1" } }, body: { "a\\": { "b\\c": "1" } } },
    { when: { request: { seed: null } }, body: { seed: null } },
    { when: { request: { "list.10": "k" } }, body: { list: "abcdefghijk".split("") } },
    { when: { request: { "list.-1": "c" } }, body: { list: ["a", "b", "c"] } },
    { when: { request: { "messages.-1.content": { contains: "rain" } } }, body: rainy },
    { when: { assistant: "" }, body: rainy },
    { when: { assistant: { equals: "Hello." } }, body: answered },
    { when: { step: 0 } },
    { when: { step: 0 }, body: answered },
    { when: { turn: 1, step: 0 }, body: answered },
    { when: { step: 1 }, body: rainy },
    { when: { step: 2 }, body: { messages: [answer, answer] } },
    { when: { part: "image" }, body: picture },
    { when: { part: "image_url" }, body: picture },
    { when: { part: "audio" }, body: partOf("input_audio") },
    { when: { part: "file" }, body: partOf("file") },
    { when: { part: "video" }, body: partOf("video") },
    { when: { tool: "get_weather" }, body: { functions: [{ name: "get_weather" }] } },
    { when: { toolResult: { id: "c1" } }, body: rainy },
    { when: { toolResult: { id: { regex: "^c\\d$" }, name: "get_weather" } }, body: rainy },
    {
      when: { toolResult: { name: "ping", id: { exists: false } } },
      body: { messages: [{ role: "function", name: "ping", content: "pong" }] },
    },
  ])("$when", async ({ when, body = {} }) => {
    expect(await outcome(when, body)).toBe("matched");
  });
});

const values = {
  text: "the end",
  list: ["one", "the end", 3, [4]],
  five: 5,
  digits: "5",
  null: null,
  object: { a: 1, b: [2] },
};

describe("matchers of values that hold", () => {
  test.each<[string, ValueMatcher]>([
    ["five", 5],
    ["five", { equals: 5 }],
    ["null", { equals: null }],
    ["object", { equals: { b: [2], a: 1 } }],
    ["list", ["one", "the end", 3, [4]]],
    ["text", { contains: "end" }],
    ["list", { contains: "one" }],
    ["list", { contains: "end" }],
    ["list", { contains: 3 }],
    ["list", { contains: [4] }],
    ["text", { regex: "END$", flags: "i" }],
    ["text", { regex: "e", flags: "g" }],
    ["five", { anyOf: [4, { gt: 4 }] }],
    ["text", { anyOf: ["end", "the end"] }],
    ["object", { anyOf: [{ equals: { a: 1, b: [2] } }] }],
    ["five", { exists: true }],
    ["null", { exists: true }],
    ["absent", { exists: false }],
    ["five", { gt: 4 }],
    ["five", { gte: 5 }],
    ["five", { lt: 6, gt: 4.5 }],
    ["five", { lte: 5, not: 4 }],
    ["five", { not: "5" }],
    ["five", { not: { lt: 5 } }],
    ["absent", { not: 5 }],
    ["absent", { not: { contains: "a" } }],
    ["absent", { not: { exists: true } }],
    ["null", { not: 5 }],
  ])("%s: %j", async (field, matcher) => {
    expect(await outcome({ request: { [field]: matcher } }, values)).toBe("matched");
  });

  test.each<[WholeTextMatcher]>([
    ["acme 12"],
    [{ contains: "me" }],
    [{ regex: "^ACME", flags: "i" }],
    [{ anyOf: ["other", "acme 12"] }],
    [{ not: "acme" }],
    [{ exists: true }],
  ])("in a header: %j", async (matcher) => {
    const when = { header: { "X-Tenant": matcher } };
    expect(await outcome(when, {}, { "x-tenant": "acme 12" })).toBe("matched");
  });

  test.each(["7", "7.5", "1e3", "+7"])("a header with the number %s is one", async (text) => {
    const when: When = { header: { "x-size": { gt: 6.5 }, "x-none": { exists: false } } };
    expect(await outcome(when, {}, { "x-size": text })).toBe("matched");
  });
});

describe("matchers of values that fail, and what the strict error says of them", () => {
  test.each<[string, ValueMatcher, string]>([
    ["five", "5", 'must be "5", but it is 5'],
    ["digits", 5, 'must be 5, but it is "5" (it is a text, not a number)'],
    ["five", { equals: { a: 1 } }, 'must be {"a":1}, but it is 5'],
    ["text", { contains: "then" }, 'a text or an array containing "then", but it is "the end"'],
    ["text", { contains: "End" }, "(it differs only in upper and lower case)"],
    ["five", { contains: "5" }, 'containing "5", but it is 5'],
    ["object", { contains: "a" }, 'but it is an object, {"a":1,"b":[2]}'],
    ["list", { contains: "two" }, 'but it is an array, ["one","the end",3,[4]]'],
    ["text", { regex: "^end" }, 'must be a text matching /^end/, but it is "the end"'],
    ["five", { regex: "5" }, "must be a text matching /5/, but it is 5"],
    ["five", { anyOf: [4, { gt: 5 }] }, "must be 4 or a number greater than 5, but it is 5"],
    ["absent", { exists: true }, "must be there, but it is nothing"],
    ["fiv", { exists: true }, 'but it is nothing ("five" is a similar name)'],
    ["null", { exists: false }, "must be absent, but it is null"],
    ["five", { gt: 5 }, "must be a number greater than 5, but it is 5"],
    ["five", { gte: 6 }, "must be a number not less than 6, but it is 5"],
    ["five", { gt: 1, lt: 5 }, "a number greater than 1 and a number less than 5, but it is 5"],
    ["five", { lte: 4 }, "must be a number not greater than 4, but it is 5"],
    ["digits", { gt: 4 }, 'but it is "5" (it is a text, not a number)'],
    ["digits", { gt: 6 }, 'must be a number greater than 6, but it is "5".'],
    ["absent", { lt: 6 }, "must be a number less than 6, but it is nothing"],
    ["five", { not: 5 }, "must be anything but 5, but it is 5"],
    ["null", { not: { exists: true } }, "must be anything but there, but it is null"],
    ["text", "the *", '("*" stands for itself here; "contains" or "regex" match a part)'],
  ])("%s: %j", async (field, matcher, miss) => {
    const said = await outcome({ request: { [field]: matcher } }, values);
    expect(said).toContain(`request.${field} must be `);
    expect(said).toContain(miss);
  });

  test.each([
    ["seven", 'must be a number greater than 6, but it is "seven"'],
    ["0x9", 'but it is "0x9"'],
    ["", 'but it is ""'],
  ])("a header with %j is no number", async (text, miss) => {
    const when: When = { header: { "x-size": { gt: 6 } } };
    expect(await outcome(when, {}, { "x-size": text })).toContain(miss);
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
    {
      when: { assistant: "a" },
      miss: 'assistant must be a text containing "a", but it is no assistant message',
    },
    {
      when: { assistant: "hello" },
      body: answered,
      miss: 'but it is "Hello." (it differs only in',
    },
    { when: { assistant: "a" }, body: rainy, miss: 'but it is ""' },
    { when: { step: 1 }, body: answered, miss: "step must be 1, but it is 0" },
    {
      when: { part: "image" },
      miss: '"image" among the parts of the last user message, but it is no parts',
    },
    {
      when: { part: "input_image" },
      body: picture,
      miss: 'text, image_url ("image" stands for "image_url" too)',
    },
    { when: { part: "image-url" }, body: picture, miss: '("image_url" is a similar name)' },
    {
      when: { toolResult: { id: "c2" } },
      body: rainy,
      miss: 'toolResult.id must be "c2", but it is "c1"',
    },
    { when: { stream: true }, miss: "stream must be true, but it is false" },
    { when: { header: { "x-tenant": "b" } }, miss: 'header.x-tenant must be "b"' },
    { when: { header: { constructor: "b" } }, miss: "but it is nothing" },
    { when: { request: { temperature: 0 } }, miss: "request.temperature must be 0, but it is" },
    { when: { request: { "messages.length": 1 } }, miss: "but it is nothing" },
    { when: { request: { "__proto__.a": 1 } }, miss: "but it is nothing" },
    { when: { request: { stop: ["a"] } }, body: { stop: ["a", "b"] }, miss: "it is an array" },
    {
      when: { request: { meta: { equals: { a: 1 } } } },
      body: { meta: { a: 2 } },
      miss: 'request.meta must be {"a":1}, but it is an object, {"a":2}',
    },
    {
      when: { request: { meta: { equals: { a: 1 } } } },
      body: { meta: null },
      miss: "but it is null",
    },
    { when: { request: { meta: null } }, body: { meta: {} }, miss: "but it is an object, {}" },
    {
      when: { request: { meta: { equals: { a: 1, b: 2 } } } },
      body: { meta: { a: 1, c: 2 } },
      miss: "meta must",
    },
    {
      when: { request: { meta: { equals: { a: 1, b: 2 } } } },
      body: { meta: { a: 1 } },
      miss: "meta must",
    },
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
