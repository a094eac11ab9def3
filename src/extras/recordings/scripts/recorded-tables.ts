import type { Remark } from "./read-completion.ts";
import { decodedPart } from "../../../core/replay/query-pairs.ts";
import type { TableInput } from "../../../core/fixture-set/format/table-format.ts";
import type { NamedCassette, Recording } from "../../../core/replay/cassette.ts";
import { bodyText } from "../../../core/replay/recorded-body.ts";
import { canonicalJson } from "../../../core/replay/request-key.ts";
import { asObject } from "../../../core/schema/json.ts";
import { inferColumns } from "../../../core/store/schema.ts";
import type { JsonRow } from "../../../core/store/value.ts";
import { withExactNumbers } from "./exact-numbers.ts";

/** A table with the rows that were seen. */
export interface TableFile {
  readonly name: string;
  /** What stands in the table's file. */
  readonly document: TableInput | readonly JsonRow[];
}

/** What was asked of one table: reads that gave rows, and deletions. */
type Seen =
  | { readonly kind: "rows"; readonly key: string | undefined; readonly rows: readonly JsonRow[] }
  | { readonly kind: "gone"; readonly key: string };

/** The tables of recordings, with the rows that reads have shown. Of a row that was seen twice the later one counts. */
export function recordedTables(
  cassettes: readonly NamedCassette[],
  remark: Remark,
): readonly TableFile[] {
  const tables = new Map<string, Seen[]>();
  for (const { name, recordings } of cassettes) {
    for (const [index, recording] of recordings.entries()) {
      const place = `${name}, recording ${index + 1}`;
      const [table = "", key] = segmentsOf(recording);
      // A name goes into a path on the disk: `..%2Fx` must not lead out of the folder.
      const seen = canBeFileName(table)
        ? readSeen(recording, key)
        : `${JSON.stringify(table)} cannot be the name of a table's file`;
      if (typeof seen === "string") remark(`${place}: left out: ${seen}`);
      else if (seen !== undefined) tables.set(table, [...(tables.get(table) ?? []), seen]);
    }
  }
  return [...tables].map(([name, seen]) => ({ name, document: documentOf(name, seen, remark) }));
}

function segmentsOf({ request }: Recording): readonly string[] {
  return request.path
    .split("/")
    .slice(1)
    .map((segment) => decodedPart(segment) ?? segment);
}

/** What a recording tells of the rows that there are; undefined: nothing, as a change that a later read shows. */
function readSeen(
  { request, answer }: Recording,
  key: string | undefined,
): Seen | string | undefined {
  const { method } = request;
  const { status } = answer;
  if (status < 200 || status > 299) {
    return `${method} ${request.path} was answered ${status}`;
  }
  if (method === "DELETE") return key === undefined ? undefined : { kind: "gone", key };
  if (method !== "GET") return undefined;
  const rows = resultOf(answer);
  if (rows !== undefined) return { kind: "rows", key, rows };
  return `the answer to ${method} ${request.path} is no list of rows in "result"`;
}

function resultOf({ body }: Recording["answer"]): readonly JsonRow[] | undefined {
  if (body === undefined) return undefined;
  const result = asObject(parse(withExactNumbers(bodyText(body) ?? "")))?.["result"];
  if (!Array.isArray(result) || !result.every((row) => asObject(row) !== undefined))
    return undefined;
  return result as readonly JsonRow[];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function documentOf(name: string, given: readonly Seen[], remark: Remark): TableFile["document"] {
  const seen = withSoundRows(name, given, remark);
  const reads = seen.flatMap((item) => (item.kind === "rows" ? [item] : []));
  const all = reads.flatMap(({ rows }) => rows);
  const asked = reads.flatMap(({ key, rows }) => (key === undefined ? [] : [{ key, rows }]));
  const key = keyOfRows(all, asked);
  const identity = (row: JsonRow): string =>
    key === undefined ? canonicalJson(row) : keyText(row[key]);
  const rows = new Map<string, JsonRow>();
  for (const item of seen) {
    if (item.kind === "gone") rows.delete(item.key);
    else for (const row of item.rows) rows.set(identity(row), row);
  }
  if (key === undefined && all.length > 0) {
    remark(
      `table ${name}: no column is known to be its key: a row that changed, or was deleted, is still there`,
    );
  }
  return tableDocument([...rows.values()], key);
}

/** Without columns that have no name, and where rows have an `id`, which is a key, without those that have none. */
function withSoundRows(name: string, seen: readonly Seen[], remark: Remark): readonly Seen[] {
  const hasIds = seen.some(
    (item) => item.kind === "rows" && item.rows.some((row) => Object.hasOwn(row, "id")),
  );
  return seen.map((item): Seen => {
    if (item.kind === "gone") return item;
    const rows = item.rows.filter((row) => !hasIds || isKeyValue(row["id"]));
    if (rows.length < item.rows.length) remark(`table ${name}: rows without an id were left out`);
    if (!rows.some((row) => Object.hasOwn(row, ""))) return { ...item, rows };
    remark(`table ${name}: a column without a name was left out`);
    return { ...item, rows: rows.map(withoutNameless) };
  });
}

function withoutNameless(row: JsonRow): JsonRow {
  return Object.fromEntries(Object.entries(row).filter(([column]) => column !== ""));
}

/** Rows that were asked for by their key. */
interface AskedByKey {
  readonly key: string;
  readonly rows: readonly JsonRow[];
}

/**
 * The column that is the key of rows: the one whose value each request by key had in its path, else `id`. Undefined where none
 * can be.
 */
function keyOfRows(rows: readonly JsonRow[], asked: readonly AskedByKey[]): string | undefined {
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
function keyText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Whether a value can be a key. */
function isKeyValue(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}

/** Rows as a table's file: with the columns that they have, and their key. Without rows nothing is known of either. */
function tableDocument(
  rows: readonly JsonRow[],
  key: string | undefined,
): TableInput | readonly JsonRow[] {
  if (rows.length === 0) return [];
  const columns = inferColumns(rows).map(({ name, type }): [string, string] => [name, type]);
  return {
    ...(key === undefined ? {} : { primaryKey: key }),
    columns: Object.fromEntries(columns),
    rows,
  };
}

/** Whether a table can have a file of its own in a fixtures folder. */
export function canBeFileName(table: string): boolean {
  // Hidden files and notes are not read; some systems know no such names, or no long ones.
  const isUsual = /^[^\p{Cc}\\/:*?"<>|.][^\p{Cc}\\/:*?"<>|]{0,99}$/u.test(table);
  return isUsual && !/^readme/i.test(table) && !/[. ]$/.test(table);
}
