import { expect, test } from "vitest";
import { columnKind } from "../../src/store/affinity.ts";
import { compileCondition } from "../../src/store/filter.ts";
import type { JsonValue } from "../../src/store/row.ts";

/** Whether a value in a column of a type passes `operator value`. */
function passes(
  type: string,
  value: JsonValue,
  [operator, text]: readonly [string, string],
): boolean {
  const rules = { kind: columnKind(type), nocase: type.endsWith("NOCASE") };
  switch (operator) {
    case "in":
      return compileCondition({ column: "c", operator, values: text.split(",") }, rules)(value);
    case "eq":
    case "ne":
    case "gt":
    case "lt":
    case "like":
      return compileCondition({ column: "c", operator, value: text }, rules)(value);
    default:
      throw new Error(`There is no operator ${operator}.`);
  }
}

test.each<readonly [string, JsonValue, string, string, boolean]>([
  ["INTEGER", 5, "eq", " 5.0 ", true],
  ["INTEGER", 5, "eq", "0x5", false],
  ["INTEGER", 5, "lt", "abc", true],
  ["INTEGER", 5, "gt", "", false],
  ["INTEGER", 9007199254740992, "eq", "9007199254740993", false],
  ["INTEGER", 9007199254740992, "lt", "9007199254740993", true],
  ["TEXT", "5", "eq", "5.0", false],
  ["TEXT", "a", "eq", "A", false],
  ["TEXT NOCASE", "a", "eq", "A", true],
  ["TEXT NOCASE", "é", "eq", "É", false],
  ["TEXT", "\u{1f600}", "gt", "\uffee", true],
  ["", 5, "eq", "5", false],
  ["", "5", "eq", "5", true],
  ["", 5, "lt", "", true],
  ["", true, "eq", "true", true],
  ["ANY", 5, "eq", "5", true],
  ["ANY", "5", "eq", "5", true],
  ["ANY", 7, "gt", "5", true],
  ["ANY", "7", "gt", "5", true],
  ["ANY", true, "eq", "1", true],
  ["ANY", true, "in", "x,true", true],
  ["ANY", 5, "ne", "5", false],
  ["ANY", { a: 1 }, "eq", '{"a":1}', true],
  ["BOOLEAN", true, "eq", "true", true],
  ["BOOLEAN", 1, "eq", "true", true],
  ["BOOLEAN", true, "eq", "1", true],
  ["BOOLEAN", 0, "in", "false", true],
  ["BOOLEAN", false, "lt", "true", true],
  ["BOOLEAN", true, "eq", "TRUE", false],
  ["BOOLEAN", true, "like", "tr%", true],
  ["JSON", { a: [1] }, "eq", '{"a":[1]}', true],
  ["JSON", { a: [1] }, "like", "%[1]%", true],
  ["JSON", "x", "eq", '"x"', true],
  ["JSON", 5, "eq", "5.0", false],
  ["JSON", true, "eq", "true", true],
  ["DECIMAL", "12.50", "gt", "9", true],
  ["DECIMAL", "12.50", "eq", "12.5", true],
  ["DECIMAL", "12.50", "like", "12.5", true],
  ["DATE", "2024-05-01", "gt", "2024-04", true],
  ["REAL", 5, "like", "5.0", true],
  ["INTEGER", 5, "like", "5.0", false],
])("in %s, tells whether %j passes %s %j", (type, value, operator, text, expected) => {
  expect(passes(type, value, [operator, text])).toBe(expected);
});

test.each(["eq", "ne", "gt", "lt", "like", "in"])("lets NULL pass no %s", (operator) => {
  for (const type of ["INTEGER", "TEXT", "ANY", "JSON", "BOOLEAN", ""]) {
    for (const text of ["null", "", "%", "5"]) {
      expect(passes(type, null, [operator, text])).toBe(false);
    }
  }
});
