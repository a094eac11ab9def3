import type { InsertStmt, ValuesRow } from "sqlite3-parser";
import { showText } from "../../core/errors/show.ts";
import { rowIdOf } from "../../core/store/table-layout.ts";
import type { Value } from "../../core/store/value.ts";
import { constantOf } from "./constant.ts";
import { placeIn, type Statement } from "./dump.ts";
import { CurrentTime } from "../../core/store/schema.ts";
import { foldName } from "./sql-names.ts";

/** Whether a table is SQLite's own. */
export function isSystemTable(name: string): boolean {
  return foldName(name).startsWith("sqlite_");
}

/** Whether a system table holds nothing but statistics, which change no answer. */
export function isStatistics(name: string): boolean {
  return /^sqlite_stat\d$/i.test(name);
}

/** Runs an `INSERT` into one of SQLite's own tables, as dumps have them. */
export function insertIntoSystemTable(
  insert: InsertStmt,
  rows: readonly ValuesRow[],
  statement: Statement,
): void {
  const { objName } = insert.tblName;
  const folded = foldName(objName.text);
  if (isStatistics(folded)) return;
  for (const row of rows) {
    if (folded === "sqlite_sequence") setSequence(insert, row, statement);
    else if (folded === "sqlite_master" || folded === "sqlite_schema") {
      addToSchema(insert, row, statement);
    } else {
      const what = `INSERT into the table ${showText(objName.text)}`;
      statement.dump.problems.unsupported(placeIn(statement, objName), what);
    }
  }
}

/** The last key of a table that never uses a key again. */
function setSequence(insert: InsertStmt, row: ValuesRow, statement: Statement): void {
  const { dump } = statement;
  const name = valueOf("name", row, insert.columns ?? ["name", "seq"]);
  const sequence = rowIdOf(valueOf("seq", row, insert.columns ?? ["name", "seq"]) ?? null);
  const [first] = row.values;
  const place = placeIn(statement, first ?? insert.tblName);
  if (typeof name !== "string" || sequence === undefined) {
    const message = `Expected the name of a table and its last key, such as ('users', 10).`;
    return dump.problems.report(place, message);
  }
  const table = dump.find(name, place);
  if (table !== undefined) table.sequence = sequence;
}

/** Virtual tables come as rows of the schema, in a dump. */
function addToSchema(insert: InsertStmt, row: ValuesRow, statement: Statement): void {
  const { dump } = statement;
  const columns = insert.columns ?? ["type", "name", "tbl_name", "rootpage", "sql"];
  const name = valueOf("name", row, columns);
  const shown = typeof name === "string" ? ` ${showText(name)}` : "";
  dump.problems.unsupported(placeIn(statement, insert.tblName), `The virtual table${shown}`);
  if (typeof name === "string") dump.addMissing(name);
}

/** The value of a column; undefined where it is not there, or no constant. */
function valueOf(
  column: string,
  { values }: ValuesRow,
  columns: readonly (string | { readonly text: string })[],
): Value | undefined {
  const names = columns.map((name) => foldName(typeof name === "string" ? name : name.text));
  const expression = values[names.indexOf(column)];
  const constant = expression === undefined ? undefined : constantOf(expression);
  return constant instanceof CurrentTime ? undefined : constant;
}
