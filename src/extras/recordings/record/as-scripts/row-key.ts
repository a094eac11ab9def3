import type { JsonRow } from "../../../../core/store/value.ts";

/** Rows that were asked for by their key. */
export interface AskedByKey {
  readonly key: string;
  readonly rows: readonly JsonRow[];
}

/**
 * The column that is the key of rows: the one whose value each request by key had in its path, else `id`. Undefined where none
 * can be.
 */
export function keyOfRows(
  rows: readonly JsonRow[],
  asked: readonly AskedByKey[],
): string | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  const candidates = Object.keys(first).filter(
    (name) => rows.every((row) => isKeyValue(row[name])) && asked.every((one) => fits(one, name)),
  );
  const found = asked.some((one) => one.rows.length > 0) ? candidates : [];
  if (candidates.includes("id")) return "id";
  return found.length === 1 ? found[0] : undefined;
}

function fits({ key, rows }: AskedByKey, name: string): boolean {
  return rows.length <= 1 && rows.every((row) => keyText(row[name]) === key);
}

/** A key as it stands in a path. */
export function keyText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Whether a value can be a key. */
export function isKeyValue(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}
