import { expect, test } from "vitest";
import { checkFormat } from "../../../src/core/chat/scripts/json-format.ts";
import type { ScriptReply } from "../../../src/core/chat/scripts/script.ts";
import { answererOf } from "../../support/answerer.ts";
import { bodyOf, chatBody, post, replying } from "./support.ts";

const schema = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer" } },
  required: ["city"],
  additionalProperties: false,
};
const jsonSchema = { type: "json_schema", json_schema: { name: "trip", schema } };

test.each([
  [{ city: "{{ user }}", days: "{{ 1 | plus: 1 }}", ok: null }, '{"city":"Hi","days":2,"ok":null}'],
  [["{{ user }}", { a: ["{{ true }}"] }], '["Hi",{"a":[true]}]'],
  [[], "[]"],
])("sends the content %j as JSON", async (content, text) => {
  const { choices } = bodyOf(await post(replying({ content })));
  expect(choices[0].message.content).toBe(text);
});

test.each<[object, ScriptReply, string]>([
  [jsonSchema, { content: { city: "Oslo", days: 2 } }, 'script "only" reply 1'],
  [jsonSchema, { content: "Sorry" }, "its content is not JSON"],
  [jsonSchema, { content: { city: 1 } }, "its content does not fit the schema at #/city"],
  [jsonSchema, { content: { days: 1 } }, 'required property "city"'],
  [jsonSchema, { content: null, toolCalls: [{ name: "x" }] }, "reply 1"],
  [{ type: "json_object" }, { content: ["a"] }, "its content is no JSON object"],
  [{ type: "json_object" }, { content: { any: 1 } }, "reply 1"],
  [{ type: "text" }, { content: "Sorry" }, "reply 1"],
])("with %j it sends %j, and says so in the log: %s", async (format, reply, words) => {
  const answer = await post(replying(reply), chatBody({ response_format: format }));
  expect(answer.status).toBe(200);
  expect(answererOf(answer)).toContain(words);
  expect(answererOf(answer)?.includes("its content")).toBe(
    words.includes("content") || words.includes("required"),
  );
});

test.each([
  ["#/nowhere", { $ref: "#/nowhere" }],
  ["a pattern", { type: "string", pattern: "(" }],
  ["no schema", 5],
])("is safe from a schema that cannot be used: %s", async (_, odd) => {
  const format = { type: "json_schema", json_schema: { name: "x", schema: odd } };
  const answer = await post(replying({ content: '"a"' }), chatBody({ response_format: format }));
  expect(answer.status).toBe(200);
  expect(answererOf(answer)).toContain("cannot be judged");
});

test.each<[string, object, unknown]>([
  ["a pattern", { properties: { a: { pattern: "^(a+)+$" } } }, { a: `${"a".repeat(40)}!` }],
  ["a pattern for names", { patternProperties: { "^(a+)+$": {} } }, { a: 1 }],
  ["a pattern below an odd map", { properties: [{ pattern: "^(a+)+$" }] }, [`${"a".repeat(40)}!`]],
  ["a reference", { $defs: { a: {} }, $ref: "#/$defs/a" }, { a: 1 }],
  ["items that are unique", { uniqueItems: true }, [1]],
  ["an odd format", { items: { format: "url" } }, ["x"]],
  ["too many parts", { allOf: Array.from({ length: 100_000 }, () => ({})) }, { a: 1 }],
])("does not let a request's schema run for long: %s", async (_, slow, content) => {
  const format = { type: "json_schema", json_schema: { name: "x", schema: slow } };
  const reply = { content: JSON.stringify(content) };
  const answer = await post(replying(reply), chatBody({ response_format: format }));
  expect(answer.status).toBe(200);
  expect(answererOf(answer)).toContain("its content cannot be judged: the schema ");
});

test("judges by properties that are called as slow keywords are", async () => {
  const named = { properties: { pattern: { type: "string" }, $ref: { format: "uuid" } } };
  const format = { type: "json_schema", json_schema: { name: "x", schema: named } };
  const body = chatBody({ response_format: format });
  const answer = await post(replying({ content: { pattern: 1 } }), body);
  expect(answererOf(answer)).toContain("does not fit the schema at #/pattern");
});

test.each([
  [
    { "response_format.json_schema.schema": { properties: { city: { type: "sting" } } } },
    "when.request.response_format.json_schema.schema",
    'the schema has the type "sting", which does not exist. Did you mean "string"?',
  ],
  [
    { response_format: { type: "json_schema", json_schema: { schema: { pattern: "(" } } } },
    "when.request.response_format.json_schema.schema",
    "the schema cannot be used: ",
  ],
  [
    { "response_format.json_schema": { schema: 5 } },
    "when.request.response_format.json_schema.schema",
    "the schema is neither an object nor a boolean",
  ],
])("blames the schema for what is wrong with it: %j", async (request, path, message) => {
  const when = { request: JSON.parse(JSON.stringify(request)) };
  const replies = [{ content: '"Oslo"' }, { content: { city: "Oslo" } }] as const;
  const found = await checkFormat({ name: "s", when, replies });
  expect(found).toEqual([{ path: expect.anything(), message: expect.stringContaining(message) }]);
  expect(found[0]?.path.join(".")).toBe(path);
});

test("lets the script's own schema have patterns and references", async () => {
  const own = { $ref: "#/$defs/a", $defs: { a: { properties: { city: { pattern: "^O" } } } } };
  const request = { "response_format.json_schema.schema": own };
  expect(await problems(request, { content: { city: "Oslo" } })).toEqual([]);
  expect(await problems(request, { content: { city: "Rome" } })).toEqual(["replies.0.content"]);
});

async function problems(request: object, ...replies: [ScriptReply, ...ScriptReply[]]) {
  const when = { request: JSON.parse(JSON.stringify(request)) };
  const found = await checkFormat({ name: "s", when, replies });
  return found.map(({ path }) => path.join("."));
}

test.each([
  [{ response_format: jsonSchema }],
  [{ "response_format.type": "json_schema", "response_format.json_schema": { schema } }],
  [{ "response_format.json_schema.schema": schema }],
])("finds content that does not fit the form in %j", async (request) => {
  expect(await problems(request, { content: { city: "Oslo" } })).toEqual([]);
  expect(await problems(request, { content: { city: 1 } })).toEqual(["replies.0.content"]);
  expect(await problems(request, { content: null }, { chunks: ["{", "]"] })).toEqual([
    "replies.1.chunks",
  ]);
  const choices = [{ content: { city: "Oslo" } }, { content: "Oslo" }];
  expect(await problems(request, { choices })).toEqual(["replies.0.choices.1.content"]);
});

test.each<[object, ScriptReply, string]>([
  [{ "response_format.type": "json_object" }, { content: ["a"] }, "is no JSON object"],
  [{ "response_format.type": "json_schema" }, { content: "5" }, "is no JSON object"],
  [{ response_format: { type: "json_object" } }, { content: "Hi" }, "is not JSON"],
  [
    { response_format: { type: "json_object" } },
    { chunks: ["{", { comment: "x" }, '"a":1', { wait: 5 }, "}}"] },
    "is not JSON",
  ],
])(
  "says of a script that asks for %j that the content %j is not it",
  async (request, reply, problem) => {
    const when = { request: JSON.parse(JSON.stringify(request)) };
    const found = await checkFormat({ name: "s", when, replies: [reply] });
    expect(found.map(({ message }) => message)).toEqual([
      `the content ${problem}. This script's own "when" asks for that format: change one of the two, ` +
        'or say with a "finishReason" why the content ends so early',
    ]);
  },
);

test.each<[string, object, ScriptReply]>([
  ["an object", { "response_format.type": "json_object" }, { content: {} }],
  [
    "chunks that are an object together",
    { "response_format.type": "json_object" },
    { chunks: ["{", { comment: "x" }, "}"] },
  ],
  ["chunks of a template", { "response_format.type": "json_object" }, { chunks: ["{{ user }}"] }],
  ["no text", { "response_format.type": "json_object" }, { toolCalls: [{ name: "f" }] }],
  ["a template in it", { "response_format.type": "json_object" }, { content: "{{ user }}" }],
  [
    "an end before its end",
    { "response_format.type": "json_object" },
    { content: "{", finishReason: "length" },
  ],
  ["no form to fit", { temperature: 0 }, { content: "Hi" }],
  ["the form text", { "response_format.type": "text" }, { content: "Hi" }],
])("finds nothing wrong with content that has %s", async (_, request, reply) => {
  expect(await problems(request, reply)).toEqual([]);
});
