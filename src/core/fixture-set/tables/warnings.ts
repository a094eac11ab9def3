import type { LoadedTables } from "../../store/database.ts";
import { declaredReferences } from "../../store/constraints.ts";
import type { Findings } from "../../schema/findings.ts";
import type { TablePlan } from "./plan-tables.ts";
import { columnKind, namedKinds } from "../../store/column-kinds.ts";
import { nearestName } from "../../errors/nearest-name.ts";
import { showText } from "../../errors/show.ts";
import { settingKeys } from "../format/document-format.ts";
import { isObject } from "../../schema/json.ts";

/**
 * Tells of the rows of dumps that refer to none, which SQLite writes as it has them: the first for each foreign key, and
 * how many there are.
 */
export function tellDanglingRows(
  plans: readonly TablePlan[],
  tables: LoadedTables["tables"],
  odd: Findings,
): void {
  for (const plan of plans) {
    if (plan.asStored === true) tellOf(plan, tables, odd);
  }
}

interface Dangling {
  readonly row: number;
  readonly column: string;
  readonly message: string;
  count: number;
}

function tellOf(
  { schema, rows, rowsPath }: TablePlan,
  tables: LoadedTables["tables"],
  odd: Findings,
): void {
  const table = tables.get(schema.name);
  if (table === undefined || declaredReferences(schema).length === 0) return;
  const dangling = new Map<string, Dangling>();
  for (const [row, values] of rows.entries()) {
    for (const { columns, message } of table.missingReferences(values)) {
      const key = JSON.stringify(columns);
      const known = dangling.get(key);
      if (known !== undefined) known.count += 1;
      else dangling.set(key, { row, column: columns[0] ?? "", message, count: 1 });
    }
  }
  for (const { row, column, message, count } of dangling.values()) {
    const others =
      count === 2 ? "and there is another such row" : `and there are ${count} such rows`;
    const text =
      count === 1 ? "The row is served as it is." : `The row is served as it is, ${others}.`;
    odd.report([...rowsPath, row, column], `${message} ${text}`);
  }
}

/** Types that columns are usually given and that mean something here. */
const known = [...namedKinds, "BLOB", "FLOAT", "DOUBLE", "CHAR", "VARCHAR"];

/** Types that SQL has and that are numbers to SQLite; no slips, however near they are to one of the others. */
const usual = [
  "BIT",
  "BOOL",
  "CIDR",
  "DATE",
  "DATETIME",
  "DECIMAL",
  "MONEY",
  "NUMBER",
  "TIME",
  "YEAR",
];

/**
 * Tells of column types that are nearly known ones, and are numbers as they are written: SQLite takes any word for one
 * that it does not know.
 */
export function tellDoubtfulTypes(plans: readonly TablePlan[], findings: Findings): void {
  for (const { path, given } of plans) {
    for (const [name, column] of Object.entries(given.columns ?? {})) {
      const type = typeof column === "string" ? column : column.type;
      const nearest = type === undefined ? undefined : nearestType(type);
      if (type === undefined || nearest === undefined) continue;
      const place = [...path, "columns", name, ...(typeof column === "string" ? [] : ["type"])];
      const message = `The column type ${showText(type)} is taken as "NUMERIC". Did you mean ${showText(nearest)}?`;
      findings.report(place, message);
    }
  }
}

/** A type that is nearly written, and under which values are not kept as they are under the written one. */
function nearestType(type: string): string | undefined {
  if (columnKind(type) !== "NUMERIC") return undefined;
  const nearest = nearestName(nameOf(type), [...usual, ...known]);
  return nearest !== undefined && columnKind(nearest) !== "NUMERIC" ? nearest : undefined;
}

/** `VARCHAR` of `varchar (20)`. */
function nameOf(type: string): string {
  return type.replace(/\(.*/s, "").trim().toUpperCase();
}

/**
 * Tells of tables of one row that may be meant for something else: for a key of the fixture format. It is no problem,
 * since a document of tables may have such a table.
 */
export function tellDoubtfulTables(
  document: Readonly<Record<string, unknown>>,
  findings: Findings,
): void {
  for (const [name, value] of Object.entries(document)) {
    // Of json-server's own, which is no table.
    if (name === "$schema" || !isObject(value)) continue;
    const advice = adviceFor(name, value);
    if (advice === undefined) continue;
    const message = `${showText(name)} is served as a table of one row. ${advice}`;
    findings.report(["tables", name], message, { at: "key" });
  }
}

function adviceFor(name: string, value: Readonly<Record<string, unknown>>): string | undefined {
  if (settingKeys.includes(name) || name === "recording") {
    return `Where it is meant as a setting, add "tables": {} beside it.`;
  }
  const near = keys.find(({ key, fits }) => isOneSlip(name, key) && fits(value));
  return near && `Did you mean ${showText(near.key)}?`;
}

/** Keys whose value is an object, and what that may look like: `profile`, `cart` and `table` are good names, too. */
const keys: readonly {
  readonly key: string;
  readonly fits: (value: Readonly<Record<string, unknown>>) => boolean;
}[] = [
  { key: "tables", fits: (value) => Object.values(value).every(isCollection) },
  { key: "limits", fits: (value) => Object.values(value).every((one) => typeof one === "number") },
  { key: "profiles", fits: (value) => hasKey(value, /^(?:rest|chat)/i) },
  { key: "chat", fits: (value) => hasKey(value, /^(?:unm|pace)/i) },
  { key: "recording", fits: (value) => hasKey(value, /^(?:redact|stable|volatile)/i) },
];

function isCollection(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function hasKey(value: Readonly<Record<string, unknown>>, pattern: RegExp): boolean {
  return Object.keys(value).some((key) => pattern.test(key));
}

/** Whether two names are a letter apart: one more, one less, another one, or two that changed places. */
function isOneSlip(left: string, right: string): boolean {
  const shortest = Math.min(left.length, right.length);
  let start = 0;
  while (start < shortest && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < shortest - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  const [wrong, meant] = [left, right].map((name) => name.slice(start, name.length - end));
  if (wrong === undefined || meant === undefined) return false;
  if (wrong.length <= 1 && meant.length <= 1) return true;
  return wrong.length === 2 && wrong === meant.charAt(1) + meant.charAt(0);
}
