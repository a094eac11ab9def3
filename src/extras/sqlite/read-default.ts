import { affinity } from "../../core/store/column-kinds.ts";
import { type Column, CurrentTime } from "../../core/store/schema.ts";
import { sqliteStorage, type StorageRules } from "../../core/store/storage-rules.ts";
import { integerValue, realValue, type Value } from "../../core/store/value.ts";
import { tokensOf, unquoteName } from "./sql-text.ts";
import { select, type SqlCell, type SqlDatabase } from "./sqlite.ts";

/** What evaluating defaults needs. */
export interface DefaultContext {
  /** A private database with a table `one_row`. */
  readonly scratch: SqlDatabase;
  readonly storage: StorageRules;
}

const currentTime = /^current_(timestamp|date|time)$|^(datetime|date|time)\s*\(\s*'now'\s*\)$/i;

/** The value of a default's expression. Undefined: it is not constant, so each row would get another value. */
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
      // SQLite refuses an index on an expression that is not deterministic.
      scratch.run(`CREATE INDEX same ON one_row ((${expression}))`);
      scratch.run("DROP INDEX same");
    }
    const [row] = select(scratch, `SELECT (${expression}) AS value`);
    return cellValue(row?.["value"] ?? null, storage);
  } catch {
    const [name, ...others] = tokensOf(expression);
    // An unknown name is a text.
    return name === undefined || others.length > 0 ? undefined : unquoteName(name.text);
  }
}

/** The stored value of a cell in a column that converts nothing. */
export function cellValue(cell: SqlCell, storage: StorageRules): Value {
  if (typeof cell === "bigint") return integerValue(cell);
  if (typeof cell === "number") return realValue(cell);
  return cell instanceof Uint8Array ? storage.blob(cell) : cell;
}
