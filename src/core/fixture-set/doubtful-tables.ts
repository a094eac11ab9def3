import { settingKeys } from "./format/document-format.ts";
import { isObject } from "../schema/json.ts";
import { showText } from "../errors/show.ts";
import type { Findings } from "../schema/findings.ts";

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
