import { isObject, parseJson } from "../../schema/json.ts";
import { columnMeant, type HabitScope, type Meaning, unquoted } from "./scope.ts";

type Direction = "asc" | "desc";

const oneColumn = "Rows are sorted by one column.";

/** Reads a sort direction in the words of any tool. */
export function directionNamed(text: string): Direction | undefined {
  const word = text.trim().toLowerCase();
  if (/^(?:a|asc|ascend|ascending|1|\+1?|up)$/.test(word)) return "asc";
  return /^(?:d|desc|descend|descending|-1?|down|reverse)$/.test(word) ? "desc" : undefined;
}

/**
 * What `-views`, `views:desc`, `views.desc.nullslast`, `desc(views)`, `views desc`, `["views","DESC"]` or `{"views":-1}`
 * sorts by. Undefined: no column of the table.
 */
export function foreignSort(text: string, scope: HabitScope): Meaning | undefined {
  const [first, ...more] = /^\s*[[{]/.test(text) ? jsonKeys(parseJson(text)) : keysOf(text);
  if (first === undefined) return undefined;
  // The form `views,desc`.
  const [second = ""] = more;
  const apart = more.length === 1 ? directionNamed(second) : undefined;
  const read = readKey(first, scope);
  if (read === undefined) return undefined;
  const say = more.length > 0 && apart === undefined ? oneColumn : undefined;
  return { ...read, order: apart ?? read.order, say };
}

function keysOf(text: string): readonly string[] {
  return text.split(/[,;]/).flatMap((key) => (key.trim() === "" ? [] : [key]));
}

function jsonKeys(json: unknown): readonly string[] {
  if (Array.isArray(json))
    return json.flatMap((one) => (typeof one === "string" ? [one] : jsonKeys(one)));
  if (!isObject(json)) return [];
  const { field, column = field, order, direction = order } = json;
  if (typeof column === "string")
    return [`${column} ${JSON.stringify(direction ?? "asc")}`.replaceAll('"', "")];
  return Object.entries(json).map(([key, value]) => `${key} ${String(value)}`);
}

function readKey(text: string, scope: HabitScope): Meaning | undefined {
  const key = unquoted(text.trim());
  const whole = columnMeant(key, scope);
  if (whole !== undefined && /^[\p{L}_]/u.test(key)) return { sortBy: whole };
  const call = /^(?<direction>asc|desc)\((?<name>.+)\)$/i.exec(key);
  const sign = /^(?<direction>[+-])(?<name>.+)$/s.exec(key);
  const { name, direction } = (call ?? sign ?? suffix.exec(key))?.groups ?? {};
  return name === undefined ? undefined : keyOf(name, directionNamed(direction ?? ""), scope);
}

/** `views desc`, `views:desc`, `views.desc.nullslast`, `views[desc]`. */
const suffix =
  /^(?<name>.+?)(?:[\s:.|_-]+?|\[)(?<direction>asc|ascending|desc|descending|-?1)\]?(?:[\s.:]+nulls\w*)?$/i;

function keyOf(name: string, order: Direction | undefined, scope: HabitScope): Meaning | undefined {
  const sortBy = columnMeant(name, scope);
  return sortBy === undefined ? undefined : { sortBy, order };
}

/** Advice for a repeated `sort_by`: rows are sorted by one column. */
export const repeatedSort: Meaning = { say: oneColumn };
