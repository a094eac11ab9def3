import { expect, test } from "vitest";
import {
  bodyBytes,
  bodyText,
  recordBody,
  recordRequestBody,
} from "../../../src/core/recordings/recorded-body.ts";

const encoder = new TextEncoder();

function bytes(text: string): Uint8Array {
  return encoder.encode(text);
}

test.each([
  ['{"a":1}', { json: { a: 1 } }],
  ['{\n  "a": [\n    1\n  ]\n}\n', { json: { a: [1] }, indent: 2, end: "\n" }],
  ['{\n    "a": 1\n}', { json: { a: 1 }, indent: 4 }],
  ['[{"id":1}]\n', { json: [{ id: 1 }], end: "\n" }],
  ["[]", { json: [] }],
  ["null", { json: null }],
  ['"text"', { json: "text" }],
])("records %j as JSON that gives the same text", (text, expected) => {
  const body = recordBody(bytes(text));
  expect(body).toEqual(expected);
  expect(bodyText(body)).toBe(text);
});

test.each([
  ["spaces after the colon", '{"a": 1}'],
  ["tabs", '{\n\t"a": 1\n}'],
  ["two line ends", '{"a":1}\n\n'],
  ["a number of too many digits", '{"id":9007199254740993}'],
  ["a number in another spelling", '{"price":1.0}'],
  ["minus zero", "[-0]"],
  ["a name that is there twice", '{"a":1,"a":2}'],
  ["members in an order that objects do not keep", '{"b":1,"1":2}'],
  ["an escape that is not needed", '{"a":"\\u00e9\\/"}'],
  ["a byte order mark", '\uFEFF{"a":1}'],
  ["nothing", ""],
  ["text", "Not found"],
  ["deep nesting", "[".repeat(100_000) + "]".repeat(100_000)],
])("records JSON with %s as the text that it is", (_, text) => {
  expect(recordBody(bytes(text))).toEqual({ text });
});

test("records what is no UTF-8 as base64", () => {
  const body = recordBody(Uint8Array.of(0xff, 0x00, 0x61));
  expect(body).toEqual({ base64: "/wBh" });
  expect([...bodyBytes(body)]).toEqual([0xff, 0x00, 0x61]);
});

test("keeps a member called __proto__", () => {
  const body = recordBody(bytes('{"__proto__":{"a":1},"constructor":2}'));
  expect(bodyText(body)).toBe('{"__proto__":{"a":1},"constructor":2}');
});

test.each([
  ["spaces", '{ "a" : [ 1 ] }', { json: { a: [1] } }],
  ["other spellings of numbers", "[1.0, 1e2, -0, 0.10, 1E+2]", { json: [1, 100, -0, 0.1, 100] }],
  ["escapes", '{"a":"\\u00e9"}', { json: { a: "é" } }],
])("tells a request's JSON by its value, whatever its %s", (_, text, expected) => {
  expect(recordRequestBody(bytes(text))).toEqual(expected);
});

test.each([
  '{"id":9007199254740993}',
  "[0.1000000000000000055511151231257827]",
  "[1e400]",
  '{"a":1,"a":2}',
  '{"a":1,"\\u0061":2}',
  '{"a":{"b":[{"c":1,"c":1}]}}',
])("tells the request %s by its text, of which its value says less", (text) => {
  expect(recordRequestBody(bytes(text))).toEqual({ text });
});

test.each([[undefined], [new Uint8Array()]])("records no body for %j", (body) => {
  expect(recordRequestBody(body)).toBeUndefined();
});
