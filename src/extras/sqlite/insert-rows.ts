import type { Expr, InsertStmt, SelectInsertBody, ValuesRow } from "sqlite3-parser";
import { counted } from "../../core/errors/counted.ts";
import { didYouMean } from "../../core/errors/nearest-name.ts";
import { showText } from "../../core/errors/show.ts";
import { CurrentTime, plainColumn } from "../../core/store/schema.ts";
import { defaultValue } from "../../core/store/row-draft.ts";
import { sqliteStorage } from "../../core/store/storage-rules.ts";
import type { Value } from "../../core/store/value.ts";
import { constantOf } from "./constant.ts";
import { isElsewhere } from "./create-table.ts";
import { placeIn, type Statement } from "./dump.ts";
import { rowOf } from "./dump-row.ts";
import { type DumpTable, type RowLayout, rowIdPlace } from "./dump-table.ts";
import { infiniteLiteral } from "./literals.ts";
import { foldName, isRowIdName } from "./sql-names.ts";
import { insertIntoSystemTable, isSystemTable } from "./system-tables.ts";

/** Runs an `INSERT` of any form. Whatever is wrong is reported, and its row left out. */
export function insertRows(insert: InsertStmt, statement: Statement): void {
  const { dump } = statement;
  const { objName, dbName } = insert.tblName;
  const place = placeIn(statement, objName);
  if (isElsewhere(dbName?.text)) {
    const what = `INSERT into another database, ${showText(dbName?.text ?? "")},`;
    return dump.problems.unsupported(place, what);
  }
  const { body } = insert;
  const rows = valuesOf(insert);
  if (rows === undefined && body.type === "SelectInsertBody") {
    return dump.problems.unsupported(placeIn(statement, insert), "INSERT with SELECT or WITH");
  }
  if (isSystemTable(objName.text)) {
    return insertIntoSystemTable(insert, rows ?? [], statement);
  }
  const table = dump.find(objName.text, place);
  if (table === undefined) return;
  refuseConflictClauses(insert, table, statement);
  const layout = readLayout(insert, table, statement);
  if (layout === undefined) return;
  const target: Target = { table, layout, statement };
  if (rows === undefined) addRow([], place.offset, target);
  for (const row of rows ?? []) insertRow(row, target);
}

/** What the rows of an `INSERT` are for. */
interface Target {
  readonly table: DumpTable;
  readonly layout: RowLayout;
  readonly statement: Statement;
}

/** The rows of an `INSERT … VALUES`; undefined for any other. */
function valuesOf(insert: InsertStmt): readonly ValuesRow[] | undefined {
  if (insert.body.type !== "SelectInsertBody" || insert.with !== undefined) return undefined;
  const { select } = insert.body;
  const isPlain =
    select.with === undefined &&
    select.compounds === undefined &&
    select.orderBy === undefined &&
    select.limit === undefined;
  return isPlain && select.select.type === "SelectValues" ? select.select.values : undefined;
}

/** Tells once for each table: a dump may have thousands of such statements. */
function refuseConflictClauses(insert: InsertStmt, table: DumpTable, statement: Statement): void {
  const { dump } = statement;
  const place = placeIn(statement, insert);
  const into = `into the table ${showText(table.definition.name)}`;
  const { orConflict, body, returning } = insert;
  if (orConflict !== undefined && orConflict !== "Abort") {
    const what = `INSERT OR ${orConflict.toUpperCase()} ${into}`;
    if (dump.isNews(what)) dump.problems.unsupported(place, what, "a conflict is an error");
  }
  if (upsertOf(body) !== undefined) {
    const what = `INSERT with ON CONFLICT ${into}`;
    if (dump.isNews(what)) dump.problems.unsupported(place, what, "a conflict is an error");
  }
  if (returning !== undefined) dump.problems.unsupported(place, `RETURNING of an INSERT ${into}`);
}

function upsertOf(body: InsertStmt["body"]): SelectInsertBody["upsert"] {
  return body.type === "SelectInsertBody" ? body.upsert : undefined;
}

function readLayout(
  { columns: written, body }: InsertStmt,
  table: DumpTable,
  statement: Statement,
): RowLayout | undefined {
  const { dump, file } = statement;
  if (body.type === "DefaultValuesInsertBody") return table.layoutFor([], { file, now: dump.now });
  if (written === undefined) return table.layoutFor(table.allColumns, { file, now: dump.now });
  const places: number[] = [];
  for (const node of written) {
    const at = columnPlace(node.text, table);
    if (at === undefined || places.includes(at)) {
      const message =
        at === undefined
          ? `There is no column ${showText(node.text)} in the table ${showText(table.definition.name)}.${didYouMean(node.text, table.columnNames)}`
          : `The column ${showText(node.text)} is named twice. Remove one of the two.`;
      dump.problems.report(placeIn(statement, node), message);
      return undefined;
    }
    places.push(at);
  }
  return table.layoutFor(places, { file, now: dump.now });
}

/** The place of the column that a name means here, `rowIdPlace` for the row id, undefined for none. */
function columnPlace(name: string, table: DumpTable): number | undefined {
  const at = table.columnAt(name);
  if (at !== -1) return at;
  const { rowIdAt, withoutRowId } = table.definition;
  if (withoutRowId || !isRowIdName(foldName(name))) return undefined;
  return rowIdAt === -1 ? rowIdPlace : rowIdAt;
}

function insertRow({ values }: ValuesRow, target: Target): void {
  const { layout, table, statement } = target;
  const { problems, now } = statement.dump;
  const [first] = values;
  if (first === undefined) return;
  const { file, offset } = placeIn(statement, first);
  if (values.length !== layout.columns.length) {
    const found = counted(values.length, "value");
    const message = `The row has ${found}, but the table ${showText(table.definition.name)} takes ${layout.columns.length} here.`;
    return problems.report({ file, offset }, message);
  }
  const row: Value[] = [];
  for (const expression of values) {
    const plain = constantOf(expression);
    const constant = plain === undefined ? infinityOf(expression) : plain;
    if (constant === undefined) return refuseValue(expression, statement);
    row.push(constant instanceof CurrentTime ? timeText(constant, now) : constant);
  }
  addRow(row, offset, target);
}

/** A name that is no column's, as nothing else writes it here. */
function infinityOf(expression: Expr): Value | undefined {
  const isNegative = expression.type === "UnaryExpr" && expression.op === "Negative";
  const inner = isNegative ? expression.expr : expression;
  if (inner.type !== "Id" || inner.span.length !== inner.name.length) return undefined;
  return infiniteLiteral(inner.name, isNegative);
}

/** The text of the time, as a column has it whose default it is. */
function timeText(time: CurrentTime, now: number): Value {
  const column = { ...plainColumn("time", "TEXT"), default: time };
  return defaultValue(column, { storage: sqliteStorage, now: () => now });
}

function refuseValue(expression: Expr, statement: Statement): void {
  const { problems } = statement.dump;
  const place = placeIn(statement, expression);
  const { text } = statement.file;
  const written = text.slice(place.offset, place.offset + expression.span.length);
  if (written.startsWith('"')) {
    const message = `${written} is a name, since it is in double quotes. Write a text in single quotes.`;
    return problems.report(place, message);
  }
  problems.unsupported(place, `The expression ${showText(written)}`, "its row is left out");
}

function addRow(given: readonly Value[], offset: number, target: Target): void {
  const { table, layout, statement } = target;
  const row = rowOf(table, layout, given);
  if (row !== undefined) return table.add(row, offset, layout);
  const key = table.columnNames[table.definition.rowIdAt] ?? "rowid";
  const message = `Column ${showText(key)} is the row id and takes a whole number.`;
  statement.dump.problems.report({ file: statement.file, offset }, message);
}
