import * as fc from "fast-check";
import initSqlJs, { type SqlDatabase } from "sql.js-period";
import { expect, test } from "vitest";
import { Database } from "../../../src/core/store/database.ts";
import { sqliteStorage } from "../../../src/core/store/storage-rules.ts";
import type { Table } from "../../../src/core/store/table.ts";
import { readDump } from "../../extras/sqlite/sqlite-judge.ts";
import { tries } from "../../support/tries.ts";

// SQLite itself is the judge of what may become of a row that others refer to, whatever the types of the two columns.

const type = fc.constantFrom("INTEGER", "REAL", "NUMERIC", "TEXT", "BLOB", "");
const collation = fc.constantFrom("", "", "COLLATE NOCASE", "COLLATE RTRIM");

/** Values that some comparisons take for the same and others do not. */
const values = [5, 5.5, 6, 1000, -7, "5", "5.0", " 5", "05", "5.5", "1e3", "a", "A", "a ", "x"];
const value = fc.constantFrom(...values);

const schema = fc.record({
  own: type,
  collation,
  other: type,
  /** Whether a row that refers is known by what it refers to. */
  isKey: fc.boolean(),
});

const write = fc.record({
  row: fc.nat({ max: 5 }),
  /** What takes the place of the value; undefined: the row is deleted. */
  changed: fc.option(value, { nil: undefined }),
});

function literal(given: number | string): string {
  return typeof given === "string" ? `'${given}'` : String(given);
}

interface Case {
  readonly schema: { own: string; collation: string; other: string; isKey: boolean };
  readonly parents: readonly (number | string)[];
  readonly children: readonly (number | string)[];
  readonly writes: readonly { row: number; changed: number | string | undefined }[];
}

function createTables({ own, collation: collate, other, isKey }: Case["schema"]): string {
  const refers = isKey
    ? "r INTEGER PRIMARY KEY REFERENCES parent (p)"
    : `k INTEGER PRIMARY KEY, r ${other} REFERENCES parent (p)`;
  return (
    `CREATE TABLE parent (id INTEGER PRIMARY KEY, p ${own} ${collate} UNIQUE);\n` +
    `CREATE TABLE child (${refers});\n`
  );
}

const SQL = await initSqlJs();

/** Whether SQLite takes a statement. */
function takes(sqlite: SqlDatabase, sql: string): boolean {
  try {
    sqlite.run(sql);
    return true;
  } catch {
    return false;
  }
}

/** A database of SQLite, and ours with the same rows: those that SQLite takes. */
async function filled({ schema: given, parents, children }: Case): Promise<{
  readonly sqlite: SqlDatabase;
  readonly parent: Table;
}> {
  const tables = createTables(given);
  const sqlite = new SQL.Database();
  sqlite.run(`PRAGMA foreign_keys = ON;\n${tables}`);
  const inserts = [
    ...parents.map((p, at) => `INSERT INTO parent (id, p) VALUES (${at + 1}, ${literal(p)});\n`),
    ...children.map((r) => `INSERT INTO child (r) VALUES (${literal(r)});\n`),
  ].filter((sql) => takes(sqlite, sql));
  const { tables: contents } = await readDump(tables + inserts.join(""));
  const parent = Database.load(contents, { storage: sqliteStorage }).table("parent");
  if (parent === undefined) throw new Error("There is no table.");
  return { sqlite, parent };
}

/** Whether we take a write. */
function take(parent: Table, { row, changed }: Case["writes"][number]): boolean {
  const written =
    changed === undefined ? parent.delete([row]) : parent.update([row], { p: changed });
  if ("then" in written) throw new Error("The store writes at once.");
  return written.ok;
}

test("lets a row that others refer to change and go where SQLite does", async () => {
  const some = fc.array(value, { minLength: 1, maxLength: 5 });
  const cases = fc.record({
    schema,
    parents: some,
    children: some,
    writes: fc.array(write, { minLength: 1, maxLength: 6 }),
  });
  const property = fc.asyncProperty(cases, async (one) => {
    const { sqlite, parent } = await filled(one);
    for (const { row, changed } of one.writes) {
      if (parent.get([row]) === undefined) continue;
      const sql =
        changed === undefined
          ? `DELETE FROM parent WHERE id = ${row}`
          : `UPDATE parent SET p = ${literal(changed)} WHERE id = ${row}`;
      const isTaken = takes(sqlite, sql);
      expect([sql, take(parent, { row, changed })]).toEqual([sql, isTaken]);
    }
    sqlite.close();
  });
  await fc.assert(property, { numRuns: tries(600) });
});
