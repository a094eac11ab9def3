import { failed, ok, type Result } from "../../core/errors/result.ts";
import type { Reply } from "../../core/http/reply.ts";
import type { GivenRow } from "../../core/store/row-draft.ts";
import type { TableSchema } from "../../core/store/schema.ts";
import type { Table } from "../../core/store/table.ts";
import { integerValue, type Value } from "../../core/store/value.ts";
import { answered, type Plan, type TablesRequest } from "../../core/rest/plan.ts";
import { bindValues } from "./bind.ts";
import { isBodyObject } from "./body.ts";
import { findColumn, integerKey, rowIdColumn } from "./columns.ts";
import { errorReply, sqliteReply } from "./errors.ts";
import { findTable } from "./find-table.ts";
import { refuseInsertSyntax } from "./insert-statement.ts";
import { isTooBig } from "./limits.ts";
import { catalogueName } from "./system-tables.ts";
import { sanitize } from "./words.ts";

/** Plans a POST: `INSERT INTO table (…) VALUES (…)`. A key in the path has no effect. */
export function planInsert({ database }: TablesRequest, name: string, body: unknown): Plan {
  if (!isBodyObject(body)) return answered(errorReply(400, "Invalid data format"));
  const keys = Object.keys(body);
  if (keys.length === 0) return answered(errorReply(400, "No data provided"));
  const bound = bindValues(keys.map((key) => body[key]));
  if (!bound.ok) return answered(errorReply(500, bound.message));
  const words = keys.map(sanitize);
  const syntax = refuseInsertSyntax(name, words);
  if (syntax !== undefined) return answered(syntax);
  const table = findTable(database, name);
  if (table === undefined) return answered(sqliteReply(`no such table: ${name}`));
  const row = readRow(table.schema, { name, words, values: bound.values });
  if (!row.ok) return answered(row.error);
  if (hasNoKeyLeft(table, row.value)) return answered(sqliteReply(noKeyLeft, "full"));
  const change = { kind: "insert", row: row.value } as const;
  return { kind: "write", table, name, operation: "insert", change, sent: body };
}

const largestKey = 2n ** 63n - 1n;
const noKeyLeft = "database or disk is full";

/** Whether a key that is never used again is to be made after the largest there can be. */
function hasNoKeyLeft(table: Table, row: GivenRow): boolean {
  const key = table.schema.autoIncrement === true ? integerKey(table.schema) : undefined;
  if (key === undefined || (row[key] ?? null) !== null) return false;
  return (table.sequence ?? 0) >= largestKey || table.get([integerValue(largestKey)]) !== undefined;
}

interface InsertValues {
  /** The table's name as the statement has it. */
  readonly name: string;
  readonly words: readonly string[];
  readonly values: readonly Value[];
}

/** The row that is given by columns and values. */
function readRow(
  schema: TableSchema,
  { name, words, values }: InsertValues,
): Result<GivenRow, Reply> {
  const refused = refuseTable(schema);
  if (refused !== undefined) return failed(refused);
  const rowId = rowIdColumn(schema);
  const row = new Map<string, Value>();
  for (const [index, word] of words.entries()) {
    const column = findColumn(schema, word);
    if (column === undefined) {
      return failed(sqliteReply(`table ${name} has no column named ${word}`));
    }
    // Of a column that is named twice the first value counts, but of the row id the last.
    if (column === rowId || !row.has(column)) row.set(column, values[index] ?? null);
  }
  if (isTooBig(values)) return failed(sqliteReply("string or blob too big", "tooBig"));
  return ok(Object.fromEntries(row));
}

function refuseTable({ name }: TableSchema): Reply | undefined {
  if (name !== catalogueName) return undefined;
  return sqliteReply(`table ${catalogueName} may not be modified`);
}
