import { affinity } from "../../core/store/column-kinds.ts";
import { type Column, CurrentTime } from "../../core/store/schema.ts";
import { sqliteStorage, type StorageRules } from "../../core/store/storage-rules.ts";
import { integerValue, realValue, type Value } from "../../core/store/value.ts";
import { tokensOf, unquoteName } from "./sql-text.ts";
import { select, type SqlCell, type SqlDatabase } from "./sqlite.ts";

/** What defaults are evaluated with. */
export interface DefaultContext {
  /** A database of no one else, with a table `one_row`. */
  readonly scratch: SqlDatabase;
  readonly storage: StorageRules;
}

const currentTime = /^current_(timestamp|date|time)$|^(datetime|date|time)\s*\(\s*'now'\s*\)$/i;

/** What the expression of a default comes to. Undefined: no constant, so that each row would get another value. */
export function readDefault(
  expression: string,
  type: string,
  context: DefaultContext,
): Column["default"] {
  const [, word, call] = currentTime.exec(expression.trim()) ?? [];
  const format = (word ?? call)?.toLowerCase();
  if (format === "date" || format === "time") return new CurrentTime(format);
  if (format !== undefined) return new CurrentTime("timestamp");
  const value = constantOf(expression, context);
  if (value === undefined || value === null) return value;
  const fitting = sqliteStorage.fit(value, affinity(type));
  return fitting.ok ? fitting.value : null;
}

function constantOf(expression: string, { scratch, storage }: DefaultContext): Value | undefined {
  try {
    if (expression.includes("(")) {
      // SQLite refuses an index on what is not always the same.
      scratch.run(`CREATE INDEX same ON one_row ((${expression}))`);
      scratch.run("DROP INDEX same");
    }
    const [row] = select(scratch, `SELECT (${expression}) AS value`);
    return cellValue(row?.["value"] ?? null, storage);
  } catch {
    const [name, ...others] = tokensOf(expression);
    // A name that is no column's is a text.
    return name === undefined || others.length > 0 ? undefined : unquoteName(name.text);
  }
}

/** The value that stands for a cell in a column that converts nothing. */
export function cellValue(cell: SqlCell, storage: StorageRules): Value {
  if (typeof cell === "bigint") return integerValue(cell);
  if (typeof cell === "number") return realValue(cell);
  return cell instanceof Uint8Array ? storage.blob(cell) : cell;
}
