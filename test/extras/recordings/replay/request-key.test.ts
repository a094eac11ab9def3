import { expect, test } from "vitest";
import {
  type RecordedRequest,
  usualRecordingRules,
} from "../../../../src/core/recordings/cassette.ts";
import { recordRequestBody } from "../../../../src/core/recordings/recorded-body.ts";
import { compileRules } from "../../../../src/core/recordings/recording-rules.ts";
import { requestKey } from "../../../../src/extras/recordings/replay/request-key.ts";

function keyOf(request: Partial<RecordedRequest>, rules = {}): string {
  const whole = { method: "POST", path: "/chat/completions", ...request };
  return requestKey(whole, compileRules({ ...usualRecordingRules, ...rules }));
}

function body(text: string): Partial<RecordedRequest> {
  const recorded = recordRequestBody(new TextEncoder().encode(text));
  return recorded === undefined ? {} : { body: recorded };
}

test.each([
  [
    "the order of members",
    body('{"a":1,"b":[{"c":2,"d":3}]}'),
    body('{"b":[{"d":3,"c":2}],"a":1}'),
  ],
  ["spaces", body('{"a":1}'), body('{ "a": 1.0 }\n')],
  ["how deep JSON is written", { body: { text: '{"a":1}' } }, { body: { json: { a: 1 } } }],
  ["how a text is written", { body: { base64: "AA==" } }, body("\0")],
  ["bits of base64 that are no bytes", { body: { base64: "/x==" } }, { body: { base64: "/w==" } }],
  ["an empty text and no body", { body: { text: "" } }, {}],
  ["no bytes and no body", { body: { base64: "" } }, body("")],
  ["the order of parameters", { query: "b=2&a=1" }, { query: "a=1&b=2" }],
  ["percent encoding", { query: "na%6De=a+b" }, { query: "name=a%20b" }],
  ["empty parameters", { query: "a=1&&" }, { query: "a=1" }],
  ["percent encoding of a path", { path: "/users/%41" }, { path: "/users/A" }],
  ["the case of the method", { method: "post" }, {}],
  ["headers that no rule names", { headers: { "x-trace": "1" } }, {}],
])("does not tell requests apart by %s", (_, left, right) => {
  expect(keyOf(left)).toBe(keyOf(right));
});

test.each([
  ["a value", body('{"a":1}'), body('{"a":2}')],
  ["a type", body('{"a":1}'), body('{"a":"1"}')],
  ["the order of elements", body("[1,2]"), body("[2,1]")],
  ["null and nothing", body('{"a":null}'), body("{}")],
  ["a digit that numbers lose", body("[9007199254740993]"), body("[9007199254740992]")],
  ["a name that is there twice", body('{"a":1,"a":2}'), body('{"a":2}')],
  ["a member called __proto__", body('{"__proto__":1}'), body("{}")],
  ["text and JSON of the same text", body('"a"'), body("a")],
  ["bytes that are no UTF-8", { body: { base64: "/w==" } }, { body: { base64: "/g==" } }],
  ["the order of values of one parameter", { query: "a=1&a=2" }, { query: "a=2&a=1" }],
  ["a parameter without a value", { query: "a" }, { query: "a=" }],
  ["bytes that do not decode", { query: "a=%FF" }, { query: "a=%FE" }],
  ["a slash within a segment", { path: "/a%2Fb" }, { path: "/a/b" }],
  ["no body and null", body(""), body("null")],
])("tells requests apart by %s", (_, left, right) => {
  expect(keyOf(left)).not.toBe(keyOf(right));
});

test("tells requests apart by the headers of the rules, whatever the case of their names", () => {
  const rules = { headers: ["X-Tenant"] };
  const one = keyOf({ headers: { "x-tenant": "a" } }, rules);
  expect(one).toBe(keyOf({ headers: { "x-tenant": "a", "x-trace": "1" } }, rules));
  expect(one).not.toBe(keyOf({ headers: { "x-tenant": "b" } }, rules));
  expect(one).not.toBe(keyOf({}, rules));
});

test.each([
  ["body.user", '{"user":"a","n":1}', '{"n":1}', true],
  ["body.messages.*.name", '{"messages":[{"name":"a"}]}', '{"messages":[{"name":"b"}]}', true],
  ["body.messages.*.name", '{"messages":[{"name":"a"}]}', '{"messages":[{},{}]}', false],
  ["body.messages.0", '{"messages":["a","c"]}', '{"messages":[{"b":1},"c"]}', true],
  ["body.messages.0", '{"messages":["a","c"]}', '{"messages":["a","d"]}', false],
  ["body.*", '{"a":1}', '{"b":[2]}', true],
  ["body.a\\.b", '{"a.b":1}', '{"a.b":2}', true],
  ["body.a.b", '{"a.b":1}', '{"a.b":2}', false],
  ["body.__proto__", '{"__proto__":1}', '{"__proto__":2}', true],
  ["body", "text", '{"a":1}', true],
])("leaves %s out of what is compared", (path, left, right, isSame) => {
  const rules = { volatile: [path] };
  expect(keyOf(body(left), rules) === keyOf(body(right), rules)).toBe(isSame);
});

test.each([
  ["query.nonce", { query: "nonce=1&a=1" }, { query: "a=1" }],
  ["query.*", { query: "nonce=1&a=1" }, {}],
  ["query.users.name", { query: "users.name=a" }, { query: "users.name=b" }],
  ["header.X-Tenant", { headers: { "x-tenant": "a" } }, { headers: { "x-tenant": "b" } }],
])("leaves %s out of what is compared, too", (path, left, right) => {
  const rules = { volatile: [path], headers: ["x-tenant"] };
  expect(keyOf(left, rules)).toBe(keyOf(right, rules));
});

function deep(spaces: string): string {
  return `${"[".repeat(500)}${spaces}1${"]".repeat(500)}`;
}

test("compares bodies that nest deeper than a recording is written as JSON by their value", () => {
  expect(keyOf(body(deep(" ")))).toBe(keyOf(body(deep(""))));
});
