import * as fc from "fast-check";
import initSqlJs, { type SqlDatabase } from "sql.js-period";
import { expect, test } from "vitest";
import { Database } from "../../../src/core/store/database.ts";
import { sqliteStorage } from "../../../src/core/store/storage-rules.ts";
import type { WriteResult } from "../../../src/core/store/table.ts";
import { realValue } from "../../../src/core/store/value.ts";
import { cellsIn, cellsOf, readDump } from "../../extras/sqlite/sqlite-judge.ts";
import { memoryTable } from "../../support/tables.ts";
import { tries } from "../../support/tries.ts";

// SQLite itself is the judge of what foreign keys do to the rows that refer: over chains, within a table, by several
// columns, and back to the beginning where a rule forbids one of the changes.

const action = fc.constantFrom(
  "",
  "NO ACTION",
  "RESTRICT",
  "CASCADE",
  "CASCADE",
  "SET NULL",
  "SET DEFAULT",
);
const type = fc.constantFrom("INTEGER", "INTEGER", "TEXT", "REAL", "NUMERIC", "");
const constraint = fc.constantFrom("", "", "", "NOT NULL", "UNIQUE");

/** A foreign key of one column, or of two. */
const foreignKey = fc.record({
  to: fc.nat({ max: 3 }),
  /** What it refers to: the key, the unique column, or the pair. */
  target: fc.constantFrom("id", "u", "pair"),
  type,
  constraint,
  fallback: fc.constantFrom("", "DEFAULT 1", "DEFAULT 'a'"),
  onDelete: action,
  onUpdate: action,
});

const tableOf = fc.record({
  keyType: fc.constantFrom("INTEGER", "INTEGER", "INT", "TEXT"),
  uniqueType: type,
  collation: fc.constantFrom("", "", "COLLATE NOCASE"),
  keys: fc.array(foreignKey, { maxLength: 2 }),
});

type TableOf = typeof tableOf extends fc.Arbitrary<infer Table> ? Table : never;

function actionClause(event: "DELETE" | "UPDATE", word: string): string {
  return word === "" ? "" : ` ON ${event} ${word}`;
}

function actions({ onDelete, onUpdate }: TableOf["keys"][number]): string {
  return actionClause("DELETE", onDelete) + actionClause("UPDATE", onUpdate);
}

function createTable(
  { keyType, uniqueType, collation, keys }: TableOf,
  at: number,
  count: number,
): string {
  const columns = [
    `id ${keyType} PRIMARY KEY`,
    `u ${uniqueType} ${collation} UNIQUE`,
    "x INTEGER",
    "y TEXT",
  ];
  const constraints = ["UNIQUE (x, y)"];
  for (const [number, key] of keys.entries()) {
    const target = `t${key.to % count}`;
    const rules = `${key.constraint} ${key.fallback}`;
    if (key.target === "pair") {
      columns.push(`f${number} INTEGER ${rules}`, `g${number} TEXT ${key.fallback}`);
      const from = `(f${number}, g${number})`;
      constraints.push(`FOREIGN KEY ${from} REFERENCES ${target} (x, y)${actions(key)}`);
    } else {
      const clause = `REFERENCES ${target} (${key.target})${actions(key)}`;
      columns.push(`f${number} ${key.type} ${rules} ${clause}`);
    }
  }
  return `CREATE TABLE t${at} (${[...columns, ...constraints].join(", ")});\n`;
}

const values = ["1", "2", "3", "4", "'a'", "'A'", "'b'", "'1'", "2.0", "NULL"];
const value = fc.constantFrom(...values);
const row = fc.record({
  table: fc.nat({ max: 3 }),
  cells: fc.array(value, { minLength: 8, maxLength: 8 }),
});
const write = fc.record({
  table: fc.nat({ max: 3 }),
  row: fc.nat({ max: 7 }),
  /** The columns that change; none: the row is deleted. */
  set: fc.array(fc.tuple(fc.nat({ max: 7 }), value), { maxLength: 2 }),
});

const SQL = await initSqlJs();

function takes(sqlite: SqlDatabase, sql: string): boolean {
  try {
    sqlite.run(sql);
    return true;
  } catch {
    return false;
  }
}

/** The value of a literal, as a table of ours is given it. */
function given(literal: string): unknown {
  if (literal === "NULL") return null;
  if (literal.startsWith("'")) return literal.slice(1, -1);
  return literal.includes(".") ? realValue(Number(literal)) : Number(literal);
}

function isDone(result: WriteResult): boolean {
  return result.ok || result.violations.every(({ kind }) => kind === "row-missing");
}

const cases = fc.record({
  tables: fc.array(tableOf, { minLength: 1, maxLength: 4 }),
  rows: fc.array(row, { minLength: 4, maxLength: 24 }),
  writes: fc.array(write, { minLength: 1, maxLength: 6 }),
});
type Case = typeof cases extends fc.Arbitrary<infer One> ? One : never;

function insertOf({ table, cells }: Case["rows"][number], { tables }: Case): string {
  const at = table % tables.length;
  const { keys = [] } = tables[at] ?? {};
  const width = 4 + keys.reduce((sum, { target }) => sum + (target === "pair" ? 2 : 1), 0);
  return `INSERT INTO t${at} VALUES (${cells.slice(0, width).join(", ")});\n`;
}

test("does to the rows that refer what SQLite does, or nothing at all", async () => {
  const property = fc.asyncProperty(cases, async (one) => {
    const ddl = one.tables.map((each, at) => createTable(each, at, one.tables.length)).join("");
    const sqlite = new SQL.Database();
    sqlite.run(`PRAGMA foreign_keys = ON;\n${ddl}`);
    const rows = one.rows.map((each) => insertOf(each, one)).filter((sql) => takes(sqlite, sql));
    const { tables: contents, problems } = await readDump(ddl + rows.join(""));
    expect(problems).toEqual([]);
    const ours = Database.load(contents, { storage: sqliteStorage });
    for (const { table: wanted, row: which, set } of one.writes) {
      const name = `t${wanted % one.tables.length}`;
      const table = memoryTable(ours, name);
      const { columns } = table.schema;
      const key = table.rows()[which % Math.max(1, table.size)]?.["id"] ?? null;
      if (key === null) continue;
      const changes = new Map(
        set.map(([at, literal]) => [columns[at % columns.length]?.name ?? "id", literal]),
      );
      const keyText = typeof key === "string" ? `'${key}'` : JSON.stringify(key);
      const assignments = [...changes].map((parts) => parts.join(" = ")).join(", ");
      const sql =
        changes.size === 0
          ? `DELETE FROM ${name} WHERE id = ${keyText}`
          : `UPDATE ${name} SET ${assignments} WHERE id = ${keyText}`;
      const isTaken = takes(sqlite, sql);
      const changed = Object.fromEntries(
        [...changes].map(([column, literal]) => [column, given(literal)]),
      );
      const result = changes.size === 0 ? table.delete([key]) : table.update([key], changed);
      expect([sql, isDone(result)], ddl + rows.join("")).toEqual([sql, isTaken]);
      for (const { schema } of contents) {
        const all = { schema, rows: memoryTable(ours, schema.name).rows() };
        expect([sql, cellsOf(all)], ddl + rows.join("")).toEqual([sql, cellsIn(sqlite, schema)]);
      }
    }
    sqlite.close();
  });
  await fc.assert(property, { numRuns: tries(1_500) });
});
