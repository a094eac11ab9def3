import { expect, test } from "vitest";
import type { CallBody } from "../../../src/core/http/call.ts";
import { type JsonBody, readJsonBody } from "../../../src/core/http/json-body.ts";

function read(body: CallBody | string | Uint8Array): Promise<JsonBody> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const given: CallBody = bytes instanceof Uint8Array ? { kind: "bytes", bytes } : bytes;
  return readJsonBody({
    method: "POST",
    path: "/",
    query: "",
    headers: {},
    readBody: () => Promise.resolve(given),
    signal: new AbortController().signal,
  });
}

test.each(["null", "0", '""', "[]", "{}", ' \t\r\n{"a":[1,"é"]}\n'])("reads %j", async (text) => {
  expect(await read(text)).toEqual({ kind: "json", value: JSON.parse(text) });
});

test("keeps keys that name properties of every object", async () => {
  const body = await read('{"__proto__":1,"constructor":2}');
  expect(JSON.stringify(body)).toBe('{"kind":"json","value":{"__proto__":1,"constructor":2}}');
});

test.each([
  ["", "the body is empty"],
  ["{", "JSON"],
  ["{a:1}", "JSON"],
  ["[1,]", "JSON"],
  ["\uFEFF{}", "JSON"],
  ["NaN", "JSON"],
])("says why %j is not JSON", async (text, reason) => {
  expect(await read(text)).toEqual({ kind: "malformed", message: expect.stringContaining(reason) });
});

test.each([
  ['{"a":1,}', "Expected double-quoted property name in JSON at position 7"],
  ["[1", "Expected ',' or ']' after array element in JSON at position 2"],
  ["[1] 2", "Unexpected non-whitespace character after JSON at position 4"],
])("says the same of %j on every Node", async (text, message) => {
  expect(await read(text)).toEqual({ kind: "malformed", message });
});

test("refuses bytes that are not UTF-8", async () => {
  const body = await read(new Uint8Array([0x22, 0xff, 0x22]));
  expect(body).toEqual({ kind: "malformed", message: "the body is not UTF-8 text" });
});

function nested(depth: number): string {
  return `${'{"a":['.repeat(depth / 2)}${"]}".repeat(depth / 2)}`;
}

test("reads 1,000 levels of nesting and refuses one more", async () => {
  expect((await read(nested(1_000))).kind).toBe("json");
  expect(await read(nested(1_002))).toEqual({
    kind: "malformed",
    message: "it nests more than 1000 levels deep",
  });
});

test("counts levels, and not how many arrays and objects there are", async () => {
  const text = `[${'[{}],{"a":[]},'.repeat(1_000)}0]`;
  expect((await read(text)).kind).toBe("json");
});

test("reads any number of items that are alike, whatever is in their texts", async () => {
  const items = Array.from({ length: 20_000 }, (_, at) => ({ id: at, 'a:"b': `{"${at}":[` }));
  expect(await read(JSON.stringify(items))).toEqual({ kind: "json", value: items });
});

test("does not count brackets in strings as nesting", async () => {
  const text = JSON.stringify({ text: '\\"[{'.repeat(2_000), next: "[".repeat(3_000) });
  expect((await read(text)).kind).toBe("json");
});

test("hands on that a body was too large or broke off", async () => {
  expect(await read({ kind: "too-large", limit: 10 })).toEqual({ kind: "too-large", limit: 10 });
  expect(await read({ kind: "aborted" })).toEqual({ kind: "aborted" });
});
