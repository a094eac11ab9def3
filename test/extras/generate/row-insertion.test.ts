import fc from "fast-check";
import { expect, test } from "vitest";
import { insertionOfRows } from "../../../src/extras/generate/row-insertion.ts";
import type { JsonPath } from "../../../src/core/schema/json.ts";
import { readWithPositions } from "../../../src/core/fixture-set/json/json-positions.ts";
import { tries } from "../../support/tries.ts";

/** A text with rows in it, which are 8 and 9. */
function inserted(
  text: string,
  { path = [], ...options }: { readonly path?: JsonPath; readonly replace?: boolean } = {},
): string | undefined {
  const insertion = insertionOfRows(text, path, { replace: false, rowsOnly: false, ...options });
  if (insertion === undefined) return undefined;
  const { from, to, before, between, after } = insertion;
  return `${text.slice(0, from)}${before}8${between}9${after}${text.slice(to)}`;
}

test.each([
  ["[]", "[\n  8,\n  9\n]"],
  ["[\n]\n", "[\n  8,\n  9\n]\n"],
  ["[1]", "[1,\n  8,\n  9\n]"],
  ["[\n  1,\n  2\n]", "[\n  1,\n  2,\n  8,\n  9\n]"],
  ["[\r\n\t1\r\n]", "[\r\n\t1,\r\n\t8,\r\n\t9\r\n]"],
  ['{"rows":[1]}', '{"rows":[1,\n  8,\n  9\n]}'],
  ['{ "rows": [] }', '{ "rows": [\n  8,\n  9\n] }'],
  ['{\n  "rows": [\n    1\n  ]\n}', '{\n  "rows": [\n    1,\n    8,\n    9\n  ]\n}'],
  ['{\n  "a": 1\n}', '{\n  "a": 1,\n  "rows": [\n    8,\n    9\n  ]\n}'],
  ['{ "a": 1 }', '{ "a": 1,\n  "rows": [\n    8,\n    9\n  ]\n}'],
  ["[1, // one\n]", "[1, // one\n  8,\n  9\n]"],
  ["[\n  1 // one\n]", "[\n  1, // one\n  8,\n  9\n]"],
  ["[ /* none */ ]", "[ /* none */\n  8,\n  9\n]"],
  ['["]", "\\"", "\\\\"]', '["]", "\\"", "\\\\",\n  8,\n  9\n]'],
])("puts rows into %j", (text, expected) => {
  expect(inserted(text)).toBe(expected);
});

test.each([
  ["[\n  1,\n  2\n]\n", "[\n  8,\n  9\n]\n"],
  ['{ "rows": [1, 2], "a": [3] }', '{ "rows": [\n  8,\n  9\n], "a": [3] }'],
  ["[ /* all */ 1 ]", "[\n  8,\n  9\n]"],
])("puts rows in the place of those in %j", (text, expected) => {
  expect(inserted(text, { replace: true })).toBe(expected);
});

test("finds the table by its path, past all that looks like it", () => {
  const text = `{ /* "t": [ */ "x": "{\\"t\\":[", "tables": { "s": { "t": [] }, "t": [ {"t": [1]} ] } }`;
  expect(inserted(text, { path: ["tables", "t"] })).toBe(
    text.replace('{"t": [1]} ]', '{"t": [1]},\n  8,\n  9\n]'),
  );
});

test("has no place for rows in a single row", () => {
  const text = '{ "t": { "id": 1 } }';
  expect(insertionOfRows(text, ["t"], { replace: false, rowsOnly: true })).toBeUndefined();
});

test("leaves all other values of any document as they are", () => {
  const table = fc.oneof(
    fc.array(fc.jsonValue()),
    fc.record({ rows: fc.array(fc.jsonValue()), other: fc.jsonValue() }),
  );
  const document = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(document, table, fc.nat(3), fc.boolean(), (others, given, indent, replace) => {
      const text = JSON.stringify({ ...others, tables: { a: others, t: given } }, null, indent);
      const result = JSON.parse(inserted(text, { path: ["tables", "t"], replace }) ?? "");
      const before = JSON.parse(text);
      const { t } = before.tables;
      const had = Array.isArray(t) ? t : t.rows;
      const now = [...(replace ? [] : had), 8, 9];
      const expected = Array.isArray(t) ? now : { ...t, rows: now };
      expect(result).toEqual({ ...before, tables: { ...before.tables, t: expected } });
    }),
    { numRuns: tries(300) },
  );
});

test("makes JSONC that can be read, whatever comments and commas there are", () => {
  const space = fc.constantFrom("", " ", "\n", "// [ ]\n", "/* , */", " \n  ");
  const parts = fc.array(fc.tuple(space, fc.constantFrom('"a]"', "{}", "[1,]", "-1.5e3"), space));
  fc.assert(
    fc.property(parts, space, fc.boolean(), (items, end, trailing) => {
      const list = items.map((item) => item.join("")).join(",");
      const text = `[${list}${trailing && items.length > 0 ? "," : ""}${end}]`;
      const { value: before } = readWithPositions(text, true);
      const { value, problems } = readWithPositions(inserted(text) ?? "", true);
      expect(problems).toEqual([]);
      expect(value).toEqual([...(Array.isArray(before) ? before : []), 8, 9]);
    }),
    { numRuns: tries(300) },
  );
});
