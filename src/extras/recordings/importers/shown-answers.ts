import { showText, showValue } from "../../../core/errors/show.ts";
import { isObject, type JsonObject, type JsonPath, parseJson } from "../../../core/schema/json.ts";
import type { JsonRow } from "../../../core/store/value.ts";
import { type Imported, createRemarks, type Tell } from "./imported.ts";
import { findReferences } from "./json-server.ts";
import { type ImportedTable, tableFiles, validRows } from "./table-files.ts";
import { whyUnusable } from "./usable-values.ts";

/** An answer that another tool gives to a request. */
export interface ShownAnswer {
  /** The answer's place in the file. */
  readonly path: JsonPath;
  readonly method: string;
  /** The address of the request, with or without a host. Parameters are `:id` or `{id}`. */
  readonly url: string;
  readonly status: number;
  /** The text or value of the body. Undefined: there is no body. */
  readonly body: unknown;
  /** Why the body cannot be read. */
  readonly problem?: string;
}

/** Rows that another tool keeps under a name. */
export interface ShownTable {
  readonly path: JsonPath;
  readonly name: string;
  /** The list of rows, as text or value. */
  readonly rows: unknown;
  readonly primaryKey?: string | undefined;
}

/** The tables in another tool's answers: their lists, and single rows of such lists. All other answers get a remark. */
export function importAnswers(
  answers: readonly ShownAnswer[],
  kept: readonly ShownTable[],
  told: readonly { readonly path: JsonPath; readonly message: string }[] = [],
): Imported {
  const { list, tell } = createRemarks();
  const drafts = new Map<string, ImportedTable & { readonly rows: JsonRow[] }>();
  const add = (name: string, path: JsonPath, rows: readonly JsonRow[], key?: string): void => {
    const draft = drafts.get(name) ?? { name, path, rows: [], primaryKey: key };
    drafts.set(name, draft);
    const known = new Set(draft.rows.map((row) => JSON.stringify(row)));
    draft.rows.push(...rows.filter((row) => !known.has(JSON.stringify(row))));
  };
  for (const { path, name, rows, primaryKey } of kept) {
    const read = rowsIn(valueOf(rows));
    if (typeof read === "string") tell(path, `${showText(name)} was left out: ${read}`);
    else add(name, path, usableRows(read, path, tell), primaryKey);
  }
  for (const answer of answers) {
    const read = tableIn(answer);
    const { method, url, path } = answer;
    if (typeof read === "string")
      tell(path, `${showText(`${method} ${url}`)} was left out: ${read}`);
    else add(read.name, path, usableRows(read.rows, path, tell));
  }
  for (const { path, message } of told) tell(path, message);
  const tables = [...drafts.values()].map((table) => validRows(withKey(table), tell));
  const references = findReferences(tables, () => undefined);
  return { files: tableFiles(tables, references, tell), remarks: list };
}

function valueOf(body: unknown): unknown {
  return typeof body === "string" ? (parseJson(body.replace(/^\uFEFF/, "")) ?? body) : body;
}

/** The rows in a list, or why there are none. */
function rowsIn(value: unknown): readonly JsonRow[] | string {
  if (typeof value === "string") {
    return /\{\{/.test(value) ? "it is made by templates" : "it is not JSON";
  }
  if (!Array.isArray(value)) return `it is ${showValue(value)}, and not a list`;
  if (value.length > 0 && !value.some(isObject)) return "it is a list, but not of objects";
  return value.filter(isObject) as JsonRow[];
}

/** Why an answer cannot show rows, before its body is read. Undefined: it may. */
function refusal({ method, status, body, problem }: ShownAnswer): string | undefined {
  if (!/^(?:GET|ANY)$/i.test(method)) return "only what GET answers becomes rows";
  if (status < 200 || status > 299) return `its status is ${status}`;
  return problem ?? (body === undefined || body === "" ? "it has no body" : undefined);
}

/** The table that an answer shows, or why it shows none. */
function tableIn(
  answer: ShownAnswer,
): { readonly name: string; readonly rows: readonly JsonRow[] } | string {
  const refused = refusal(answer);
  if (refused !== undefined) return refused;
  const segments = pathOf(answer.url);
  const last = segments.at(-1) ?? "";
  const name = segments.findLast((segment) => !isParameter(segment));
  const value = valueOf(answer.body);
  if (name === undefined) return "its path names no table";
  if (!isObject(value)) {
    const rows = rowsIn(value);
    return typeof rows === "string" ? rows : { name, rows };
  }
  const isOfRow = segments.length > 1 && Object.values(value).map(String).includes(last);
  if (last !== name || isOfRow) return oneRow(value, segments, name);
  const lists = Object.values(value).filter(isRows);
  const [list, ...others] = lists;
  if (list === undefined || others.length > 0) return "it gives one object, and not a list";
  return { name, rows: list };
}

function oneRow(
  value: JsonObject,
  segments: readonly string[],
  name: string,
): { readonly name: string; readonly rows: readonly JsonRow[] } | string {
  const isNamed = isParameter(segments.at(-1) ?? "");
  const table = isNamed ? name : segments.at(-2);
  if (table === undefined || isParameter(table)) return "its path names no table";
  const { data } = value;
  return { name: table, rows: [(isObject(data) ? data : value) as JsonRow] };
}

function isRows(value: unknown): value is readonly JsonRow[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

function pathOf(url: string): readonly string[] {
  const path = url
    .replace(/^(?:[a-z][a-z0-9+.-]*:\/\/|\{\{[^}]*\}\})[^/]*/i, "")
    .replace(/[?#].*$/, "");
  return path
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment) => segment.replace(/(?<=.)\.json$/, ""));
}

/** Whether a part of a path stands for any row: `:id`, `{id}`, `{{id}}`, a number or a UUID. */
function isParameter(segment: string): boolean {
  return /^(?::.*|\{.*\}|\d+|[\da-f]{8}-[\da-f-]{27})$/i.test(segment);
}

/** The rows, without values that no row can have. */
function usableRows(rows: readonly JsonRow[], path: JsonPath, tell: Tell): readonly JsonRow[] {
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).filter(([column, value]) => {
        const isTemplate = typeof value === "string" && /\{\{.*\}\}/.test(value);
        const problem = isTemplate ? "it is made by a template" : whyUnusable(value);
        if (problem !== undefined)
          tell(path, `left out: a value of ${showText(column)}: ${problem}`);
        return problem === undefined;
      }),
    ),
  );
}

/** The table with its key, if the key identifies every row. */
function withKey(table: ImportedTable): ImportedTable {
  const { rows, primaryKey: key } = table;
  if (key === undefined || key === "id") return { ...table, primaryKey: undefined };
  const values = rows.map((row) => row[key]);
  const areKeys = values.every((value) => typeof value === "string" || typeof value === "number");
  return new Set(values).size === rows.length && areKeys
    ? table
    : { ...table, primaryKey: undefined };
}
