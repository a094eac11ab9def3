import { decodedPart } from "../../../core/http/url-parts.ts";
import type { NamedCassette, Recording } from "../../../core/replay/cassette.ts";
import { bodyText } from "../../../core/replay/recorded-body.ts";
import { canonicalJson } from "../../../core/replay/request-key.ts";
import { asObject, parseJson, showPath } from "../../../core/schema/json.ts";
import type { JsonRow } from "../../../core/store/value.ts";
import type { ImportedFile, Tell } from "../importers/imported.ts";
import { type ImportedTable, validRows, tableFiles } from "../importers/table-files.ts";
import type { Remark } from "./read-completion.ts";

/** What a recording shows of a table: the rows that were read, and the key in the request's path, if any. A deleted row: no rows. */
interface Seen {
  readonly key: string | undefined;
  readonly rows: readonly JsonRow[];
  readonly isDeletion: boolean;
}

/** The files of tables with the rows that reads have shown. Of a row that was seen twice the later one counts. */
export function recordedTables(
  cassettes: readonly NamedCassette[],
  remark: Remark,
): readonly ImportedFile[] {
  const seen = new Map<string, Seen[]>();
  for (const { name, recordings } of cassettes) {
    for (const [index, recording] of recordings.entries()) {
      const [table = "", key] = recording.request.path
        .split("/")
        .slice(1)
        .map((segment) => decodedPart(segment) ?? segment);
      const read = readSeen(recording, key);
      if (typeof read === "string") remark(`${name}, recording ${index + 1}: left out: ${read}`);
      else if (read !== undefined) seen.set(table, [...(seen.get(table) ?? []), read]);
    }
  }
  const tell: Tell = (path, message) => remark(`table ${showPath(path)}: ${message}`);
  const tables = [...seen].map(([name, list]) => validRows(tableOf(name, list, tell), tell));
  return tableFiles(tables, new Map(), tell);
}

/** What a recording tells of the rows that there are; undefined: nothing, as a change that a later read shows. */
function readSeen(
  { request: { method, path }, answer: { status, body } }: Recording,
  key: string | undefined,
): Seen | string | undefined {
  if (status < 200 || status > 299) return `${method} ${path} was answered ${status}`;
  if (method === "DELETE") return { key, rows: [], isDeletion: true };
  if (method !== "GET") return undefined;
  const text = body === undefined ? undefined : bodyText(body);
  const rows = asObject(parseJson(withExactNumbers(text ?? "")))?.["result"];
  if (Array.isArray(rows) && rows.every((row) => asObject(row) !== undefined)) {
    return { key, rows: rows as JsonRow[], isDeletion: false };
  }
  return `the answer to ${method} ${path} has no list of rows in "result"`;
}

function tableOf(name: string, seen: readonly Seen[], tell: Tell): ImportedTable {
  const key = keyOf(seen.filter(({ isDeletion }) => !isDeletion));
  const rows = new Map<string, JsonRow>();
  for (const { rows: read, key: asked, isDeletion } of seen) {
    for (const row of read)
      rows.set(key === undefined ? canonicalJson(row) : keyText(row[key]), row);
    if (isDeletion && asked !== undefined) rows.delete(asked);
  }
  if (key === undefined && rows.size > 0) {
    tell([name], "its key is unknown: rows that were changed or deleted are still there");
  }
  return { name, path: [name], rows: [...rows.values()], primaryKey: key };
}

/** The column that is the key of rows: `id`, or else the one whose value each request by key had in its path. */
function keyOf(reads: readonly Seen[]): string | undefined {
  const all = reads.flatMap(({ rows }) => rows);
  const asked = reads.filter(({ key }) => key !== undefined);
  const isAskedBy = (name: string): boolean =>
    asked.every(
      ({ key, rows }) => rows.length <= 1 && rows.every((row) => keyText(row[name]) === key),
    );
  if (all.some((row) => Object.hasOwn(row, "id")) && isAskedBy("id")) return "id";
  if (asked.every(({ rows }) => rows.length === 0)) return undefined;
  const [found, ...others] = Object.keys(all[0] ?? {}).filter(
    (name) => isAskedBy(name) && all.every((row) => /^(?:string|number)$/.test(typeof row[name])),
  );
  return others.length === 0 ? found : undefined;
}

/** A key as it stands in a path. */
function keyText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Whole numbers of 16 digits or more, which a double may not hold, and texts, in which numbers mean nothing. */
const textsAndLargeNumbers = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/** A JSON text in which whole numbers that no double holds are texts. Their digits would change as soon as somebody reads them. */
function withExactNumbers(json: string): string {
  return json.replaceAll(textsAndLargeNumbers, (found) =>
    found.startsWith('"') || BigInt(found) === BigInt(Number(found)) ? found : `"${found}"`,
  );
}
