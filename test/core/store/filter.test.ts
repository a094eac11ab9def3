import { expect, test } from "vitest";
import { columnKind } from "../../../src/core/store/column-kinds.ts";
import { compileConditions } from "../../../src/core/store/filter.ts";
import { soleOperand } from "../../../src/core/store/operand.ts";
import {
  type Condition,
  compileCondition,
  isOperator,
  readCondition,
} from "../../../src/core/store/operators.ts";
import type { Collation } from "../../../src/core/store/schema.ts";
import { BlobValue, ExactInteger, type Value, WholeReal } from "../../../src/core/store/value.ts";

function blob(...bytes: readonly number[]): BlobValue {
  return new BlobValue(Uint8Array.from(bytes));
}

function collationOf(type: string): Collation {
  if (type.endsWith("NOCASE")) return "NOCASE";
  return type.endsWith("RTRIM") ? "RTRIM" : "BINARY";
}

/** Whether a value in a column of a type passes `operator value`. */
function passes(type: string, value: Value, [operator, text]: readonly [string, string]): boolean {
  const rules = { kind: columnKind(type), collation: collationOf(type) };
  if (!isOperator(operator)) throw new Error(`There is no operator ${operator}.`);
  return compileCondition(readCondition("c", operator, text), rules)(value);
}

test.each<readonly [string, Value, string, string, boolean]>([
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
  ["TEXT NOCASE", "a\0x", "eq", "A\0y", true],
  ["TEXT NOCASE", "a\0x", "eq", "A\0yy", false],
  ["TEXT RTRIM", "a  ", "eq", "a", true],
  ["TEXT RTRIM", " a", "eq", "a", false],
  ["TEXT RTRIM", "a ", "like", "a", false],
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
  ["ANY", [1], "gt", "true", false],
  ["ANY", new WholeReal(1), "eq", "true", false],
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
  ["JSON", "x", "like", '"x"', true],
  ["JSON", 5, "eq", "5.0", false],
  ["JSON", true, "eq", "true", true],
  ["DECIMAL", "12.50", "gt", "9", true],
  ["DECIMAL", "12.50", "eq", "12.5", true],
  ["DECIMAL", "12.50", "like", "12.5", true],
  ["DECIMAL", "9007199254740993", "like", "%93", true],
  ["DECIMAL", "abc", "like", "a%", true],
  ["DECIMAL", 1, "eq", "true", false],
  ["TEXT", "12.50", "like", "12.50", true],
  ["DATE", "2024-05-01", "gt", "2024-04", true],
  ["REAL", 5, "like", "5.0", true],
  ["INTEGER", 5, "like", "5.0", false],
  ["INTEGER", new ExactInteger(2n ** 53n + 1n), "eq", "9007199254740993", true],
  ["INTEGER", new ExactInteger(2n ** 53n + 1n), "eq", "9007199254740992", false],
  ["INTEGER", new ExactInteger(2n ** 53n + 1n), "like", "%93", true],
  ["REAL", Infinity, "gt", "1e308", true],
  ["REAL", Infinity, "eq", "1e999", true],
  ["", new WholeReal(5), "like", "5.0", true],
  ["", new WholeReal(5), "lt", "", true],
  ["ANY", new WholeReal(5), "eq", "5", true],
  ["BLOB", blob(0x61), "gt", "zzz", true],
  ["INTEGER", blob(0x61), "gt", "9", true],
  ["TEXT", blob(0x61), "eq", "a", false],
  ["TEXT", blob(0x61, 0, 0x62), "like", "A", true],
  // SQLite reads bytes that are no UTF-8 in its own way.
  ["BLOB", blob(0xc3, 0xa9), "like", "é", true],
  ["BLOB", blob(0xa9), "like", "\ufffd", true],
  ["BLOB", blob(0xc3, 0x41), "like", "\ufffda", true],
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

test.each([
  ["INTEGER", "5", 5],
  ["INTEGER", "x", "x"],
  ["TEXT", "5", "5"],
  ["BOOLEAN", "true", 1],
  ["", "x", "x"],
  // A number in an untyped column is compared with the text, true with the number.
  ["", "5", undefined],
  ["ANY", "5", undefined],
] as const)("in %j, says what %j is compared with when that is one value", (type, text, sole) => {
  expect(soleOperand(text, { kind: columnKind(type), collation: "BINARY" })).toBe(sole);
});

const listed = ["5", "a", "A", "9007199254740993", "true", '"a"', "[1]", ""];
const given = [null, 5, "5", "a", "%", 9007199254740992, true, "true", [1], "", blob(97)] as const;

test.each(["INTEGER", "NUMERIC", "TEXT", "TEXT NOCASE", "BOOLEAN", "JSON", "ANY", ""])(
  "judges many conditions on a column of type %s as each of them does",
  (type) => {
    const rules = { kind: columnKind(type), collation: collationOf(type) };
    const excluded = listed.map((value): Condition => ({ column: "c", operator: "ne", value }));
    const where: readonly Condition[] = [
      ...excluded,
      { column: "c", operator: "like", value: "%" },
      { column: "c", operator: "gte", value: "" },
      { column: "c", operator: "like", value: "%%" },
      { column: "c", operator: "in", values: ["%", "5", "a"] },
      { column: "c", operator: "like", value: "%" },
    ];
    for (const some of [[], where.slice(0, 2), excluded, where]) {
      const passesAll = compileConditions(some, rules);
      const each = some.map((condition) => compileCondition(condition, rules));
      for (const value of given.slice(some.length === 0 ? 1 : 0)) {
        expect(passesAll(value)).toBe(each.every((passesOne) => passesOne(value)));
      }
    }
  },
);
