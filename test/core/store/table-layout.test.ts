import { expect, test } from "vitest";
import { Database } from "../../../src/core/store/database.ts";
import { missingDeclaredValues, missingValues } from "../../../src/core/store/row-draft.ts";
import { sqliteStorage, strictStorage } from "../../../src/core/store/storage-rules.ts";
import { tableLayout } from "../../../src/core/store/table-layout.ts";
import type { Violation } from "../../../src/core/store/violation.ts";
import { column, memoryTable, table } from "../../support/tables.ts";

const code = column("code", "TEXT", { unique: true });

test("names a key that is unique by itself once", () => {
  const words = table("words", [code], { primaryKey: ["code"], rows: [{ code: "a" }] });
  const refused = memoryTable(Database.load([words]), "words").insert({ code: "a" });
  expect(refused).toMatchObject({ ok: false, violations: [{ kind: "unique", columns: ["code"] }] });
  expect(refused.ok || refused.violations.length).toBe(1);
});

test("keeps a unique column unique that is part of a key", () => {
  const pairs = table("pairs", [code, "n INTEGER"], { primaryKey: ["code", "n"] });
  const rows = memoryTable(Database.load([pairs]), "pairs");
  expect(rows.insert({ code: "a", n: 1 }).ok).toBe(true);
  expect(rows.insert({ code: "a", n: 2 })).toMatchObject({
    ok: false,
    violations: [{ columns: ["code"], message: expect.stringContaining('Column "code"') }],
  });
});

function columnsOf(violations: readonly Violation[]): readonly string[] {
  return violations.flatMap(({ columns }) => columns);
}

test("names the columns that need a value and have none", () => {
  const { schema } = table("t", ["a TEXT", column("b", "TEXT", { notNull: true }), "c TEXT"], {
    primaryKey: ["a"],
  });
  const rows = [{ a: "x", b: "y", c: null }, { a: null, b: null, c: "z" }, {}];
  const strict = tableLayout(schema, strictStorage);
  const sqlite = tableLayout(schema, sqliteStorage);
  expect(rows.map((row) => columnsOf(missingValues(strict, row)))).toEqual([
    [],
    ["a", "b"],
    ["a", "b"],
  ]);
  expect(rows.map((row) => columnsOf(missingValues(sqlite, row)))).toEqual([[], ["b"], ["b"]]);
  const declared = rows.map((row) => columnsOf(missingDeclaredValues(strict, row)));
  expect(declared).toEqual([[], ["b"], ["b"]]);
});
