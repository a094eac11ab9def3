import type { CreateIndexStmt, SortedColumn } from "sqlite3-parser";
import { showText } from "../../core/errors/show.ts";
import { type DeclaredIndex, plainColumn } from "../../core/store/schema.ts";
import { findColumn, keyPartOf, readCollation } from "./column-names.ts";
import { placeIn, type Statement } from "./dump.ts";
import type { DumpIndex, DumpTable } from "./dump-table.ts";
import { schemaSql } from "./schema-sql.ts";
import { foldName } from "./sql-names.ts";

type IndexColumn = DeclaredIndex["columns"][number];

/** Runs a `CREATE INDEX`. */
export function createIndex(create: CreateIndexStmt, statement: Statement): void {
  const { dump } = statement;
  const { idxName, tblName, unique, ifNotExists, whereClause, columns: written } = create;
  const name = idxName.objName.text;
  const place = placeIn(statement, idxName);
  if (findIndex(name, statement) !== undefined) {
    if (ifNotExists) return;
    return dump.problems.report(place, `There is another index ${showText(name)}.`);
  }
  const table = dump.find(tblName.text, placeIn(statement, tblName));
  if (table === undefined) return;
  if (whereClause !== undefined) {
    return dump.problems.unsupported(place, `The partial index ${showText(name)}`);
  }
  if (written.some((column) => keyPartOf(column) === undefined)) {
    return dump.problems.unsupported(place, `The index ${showText(name)} on an expression`);
  }
  const columns = written.flatMap((column) => readColumn(column, table, statement) ?? []);
  if (columns.length < written.length) return;
  const head = unique ? "CREATE UNIQUE INDEX" : "CREATE INDEX";
  const sql = schemaSql(head, { whole: create, name: idxName.objName }, statement);
  table.indexes.push({ columns, unique, made: { name, sql, serial: dump.nextSerial() } });
}

function readColumn(
  written: SortedColumn,
  { definition }: DumpTable,
  statement: Statement,
): IndexColumn | undefined {
  const part = keyPartOf(written);
  if (part === undefined) return undefined;
  const { node, collation, descending } = part;
  const columns = definition.columns.map(({ column }) => column);
  const generated = definition.generated.map((name) => ({
    ...plainColumn(name, ""),
    isGenerated: true,
  }));
  const column = findColumn(part.name, [...columns, ...generated], { statement, node });
  if (column === undefined) return undefined;
  const collate =
    (collation === undefined ? undefined : readCollation(collation, statement, node)) ??
    column.collate;
  return { name: column.name, collate, descending };
}

/** Runs a `DROP INDEX`. */
export function dropIndex(name: string, statement: Statement): boolean {
  const found = findIndex(name, statement);
  if (found === undefined) return false;
  found.indexes.splice(found.indexes.findIndex(isCalled(name)), 1);
  return true;
}

function findIndex(name: string, { dump }: Statement): DumpTable | undefined {
  return dump.tables.find(({ indexes }) => indexes.some(isCalled(name)));
}

function isCalled(name: string): (index: DumpIndex) => boolean {
  const folded = foldName(name);
  return ({ made }) => made !== undefined && foldName(made.name) === folded;
}
