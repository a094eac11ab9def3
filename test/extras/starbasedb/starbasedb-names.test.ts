import { expect, test } from "vitest";
import {
  columnNamed,
  integerKey,
  keyColumns,
  rowIdColumn,
} from "../../../src/extras/starbasedb/columns.ts";
import { constraintReply } from "../../../src/extras/starbasedb/errors.ts";
import { answerOutsideTables } from "../../../src/extras/starbasedb/answer.ts";
import { makeFilter, readTerm } from "../../../src/extras/starbasedb/filters.ts";
import type { DeclaredIndex, TableSchema } from "../../../src/core/store/schema.ts";
import { type Operator, readCondition } from "../../../src/core/store/operators.ts";
import { WholeReal } from "../../../src/core/store/value.ts";
import type { Violation, ViolationKind } from "../../../src/core/store/violation.ts";
import { answererOf } from "../../support/answerer.ts";
import { column } from "../../support/tables.ts";
import { jsonOf } from "../../core/tables/ask.ts";

// What words of a statement stand for, and what SQLite names where a row breaks a rule.

function schema(
  columns: readonly string[],
  primaryKey: readonly string[] = [],
  more: Partial<TableSchema> = {},
): TableSchema {
  const all = columns.map((each) => {
    const [name = "", type = ""] = each.split(" ");
    return column(name, type);
  });
  return { name: "t", columns: all, primaryKey, ...more };
}

const withoutRowId = { withoutRowId: true };

test.each<[TableSchema, key: string | undefined, rowId: string | undefined]>([
  [schema(["id INTEGER"], ["id"]), "id", "id"],
  [schema(["a TEXT", "id integer"], ["id"]), "id", "id"],
  [schema(["id INT"], ["id"]), undefined, "rowid"],
  [schema(["id TEXT"], ["id"]), undefined, "rowid"],
  [schema(["id INTEGER"]), undefined, "rowid"],
  [schema(["id INTEGER", "b TEXT"], ["id", "b"]), undefined, "rowid"],
  [schema(["id INTEGER"], ["id"], withoutRowId), undefined, undefined],
  [schema(["id INTEGER", "b TEXT"], ["id", "b"], withoutRowId), undefined, undefined],
  [schema(["a TEXT", "RowId TEXT"]), undefined, "_rowid_"],
  [schema(["rowid TEXT", "_ROWID_"]), undefined, "oid"],
  [schema(["rowid TEXT", "_rowid_", "oid"]), undefined, undefined],
])("knows the column that is the row id: of %j %j %j", (table, key, rowId) => {
  expect([integerKey(table), rowIdColumn(table)]).toEqual([key, rowId]);
});

test.each<[string, string | undefined]>([
  ["name", "name"],
  ["NAME", "NAME"],
  ["nAmE", "NAME"],
  ["Ä", "Ä"],
  ["ä", undefined],
  ["rowid", "id"],
  ["OID", "id"],
  ["_rowid_", "id"],
  ["row_id", undefined],
])("takes %s for the column %j", (word, expected) => {
  const table = schema(["id INTEGER", "NAME TEXT", "name TEXT", "Ä TEXT"], ["id"]);
  expect(columnNamed(table, word)).toBe(expected);
});

test("takes the columns of a key in the order of the table", () => {
  const both = schema(["a TEXT", "b TEXT", "c TEXT"], ["c", "a"]);
  expect([keyColumns(both), keyColumns(schema(["a TEXT"], ["a"]))]).toEqual([["a", "c"], ["a"]]);
});

const year2024 = () => Date.UTC(2024, 4, 6, 12, 34, 56, 789);

test.each<readonly [word: string, operator: Operator, text: string, passes: boolean]>([
  ["current_date", "eq", "2024-05-06", true],
  ["current_date", "eq", "2024-05-07", false],
  ["current_date", "gt", "2024", true],
  ["current_date", "like", "2024%", true],
  ["current_date", "in", "a,2024-05-06", true],
  ["current_date", "in", "a,c", false],
  ["1", "in", "1", false],
  ["1", "lt", "", true],
  ["1", "ne", "1", true],
  ["12", "like", "1_", true],
  ["1e2", "like", "100.0", true],
  ["99999999999999999999", "like", "1.0e+20", true],
  ["9223372036854775807", "like", "%5807", true],
  ["null", "ne", "x", false],
])("compares the constant %s as SQLite does: %s %s", (word, operator, text, passes) => {
  const scope = { schema: schema(["a TEXT"]), now: year2024 };
  const filter = makeFilter(readCondition(word, operator, text), scope);
  expect(filter).toMatchObject({ kind: "constant", passes });
});

test.each([
  ["true", 1],
  ["False", 0],
  ["0x10", 16],
  ["1e2", new WholeReal(100)],
  ["null", null],
  ["current_time", "12:34:56"],
  ["current_date", "2024-05-06"],
  ["current_timestamp", "2024-05-06 12:34:56"],
])("takes %s for a constant where no column has that name", (word, constant) => {
  const scope = { schema: schema(["a TEXT"]), now: year2024 };
  expect(readTerm(word, scope)).toEqual({ kind: "constant", constant });
});

function unique(...names: readonly string[]): DeclaredIndex {
  const columns = names.map((name) => ({ name, collate: "BINARY" as const, descending: false }));
  return { columns, unique: true };
}

function broken(kind: ViolationKind, ...columns: readonly string[]): Violation {
  return { kind, message: "", columns };
}

const indexes = [unique("a", "b"), unique("a"), unique("a", "c")];

test.each<[readonly Violation[], string]>([
  [[broken("no-row-id", "id"), broken("not-null", "a")], "datatype mismatch: SQLITE_MISMATCH"],
  [
    [broken("not-null", "b"), broken("unique", "a"), broken("not-null", "a")],
    "NOT NULL constraint failed: t.a",
  ],
  [[broken("unique", "a", "b")], "UNIQUE constraint failed: t.a, t.b"],
  [[broken("unique", "a")], "UNIQUE constraint failed: t.a"],
  [[broken("unique", "a", "b"), broken("unique", "a")], "UNIQUE constraint failed: t.a"],
  [[broken("unique", "a"), broken("unique", "id")], "UNIQUE constraint failed: t.id"],
  [[broken("schema", "a"), broken("reference-missing", "b")], "FOREIGN KEY constraint failed"],
  [[broken("schema", "a")], "CHECK constraint failed: t: SQLITE_CONSTRAINT"],
])("names the first rule that SQLite comes to: %j", (violations, expected) => {
  const table = schema(["id INTEGER", "a TEXT", "b TEXT", "c TEXT"], ["id"], { indexes });
  expect(JSON.stringify(jsonOf(constraintReply(table, violations)))).toContain(expected);
});

test.each([
  ["/restaurant", 500, "uncaught: the path only begins like that of the tables"],
  ["/x/restaurant", 400, "Unknown operation"],
  ["/rest", 400, "Unknown operation"],
  ["/api/x", 404, undefined],
  ["/x/api", 400, "Unknown operation"],
])("answers %s, which is no path of the tables, with %i", (path, status, label) => {
  const reply = answerOutsideTables(path);
  expect(reply.status).toBe(status);
  if (label !== undefined) expect(answererOf(reply)).toBe(label);
});
