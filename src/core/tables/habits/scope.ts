import { nearestName } from "../../errors/show.ts";
import type { Database } from "../../store/database.ts";
import type { Operator } from "../../store/operators.ts";
import type { Column, TableSchema } from "../../store/schema.ts";
import type { StorageRules } from "../../store/storage-rules.ts";

/** The table that a query asks, as its profile sees it. */
export interface HabitScope {
  readonly schema: TableSchema;
  readonly storage: Pick<StorageRules, "kindOf">;
  /** The column that the profile takes a name for. */
  readonly column: (name: string) => string | undefined;
  readonly database: Database;
  /** The key in the path. */
  readonly key: string | undefined;
}

/** A condition of the documented interface. */
export interface MeantFilter {
  readonly column: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

/** The meaning of another tool's parameter: parts of a query, and advice on the rest. */
export interface Meaning {
  readonly filters?: readonly MeantFilter[];
  readonly sortBy?: string | undefined;
  readonly order?: "asc" | "desc" | undefined;
  readonly limit?: number | string | undefined;
  readonly offset?: number | string | undefined;
  /** Advice on what parts of a query cannot express, in a sentence. */
  readonly say?: string | undefined;
}

/** A parameter of a query, with all values that it has. */
export interface SentParameter {
  readonly name: string;
  readonly values: readonly string[];
}

export function filter(column: string, operator: Operator, ...values: readonly string[]): Meaning {
  return { filters: [{ column, operator, values }] };
}

/** Joins two meanings. The first one wins where there can be only one value. */
export function joinMeanings(first: Meaning, second: Meaning): Meaning {
  const sentences = [...new Set([first.say, second.say])].filter((one) => one !== undefined);
  return {
    filters: joinFilters([...(first.filters ?? []), ...(second.filters ?? [])]),
    sortBy: first.sortBy ?? second.sortBy,
    order: first.order ?? second.order,
    limit: first.limit ?? second.limit,
    offset: first.offset ?? second.offset,
    say: sentences.length === 0 ? undefined : sentences.join(" "),
  };
}

/** Lists of one column are one list: `id[0]=1&id[1]=2`. */
function joinFilters(filters: readonly MeantFilter[]): readonly MeantFilter[] {
  const joined: MeantFilter[] = [];
  for (const one of filters) {
    const at = joined.findIndex(
      ({ column, operator }) => operator === "in" && one.operator === "in" && column === one.column,
    );
    const known = joined[at];
    if (known === undefined) joined.push(one);
    else joined[at] = { ...known, values: [...new Set([...known.values, ...one.values])] };
  }
  return joined;
}

/** The column that a name means: `posts.views`, `Views` and `"views"` are `views`. */
export function columnMeant(name: string, scope: HabitScope): string | undefined {
  const { schema, column } = scope;
  const bare = name.replaceAll(/^["'`\s]+|["'`\s]+$/g, "");
  const found = column(bare) ?? schema.columns.find((one) => isAlike(one.name, bare))?.name;
  if (found !== undefined) return found;
  const prefix = `${schema.name}.`;
  return bare.startsWith(prefix) ? columnMeant(bare.slice(prefix.length), scope) : undefined;
}

/** The column that a name means, else the one with the nearest name. */
export function nearestColumn(name: string, scope: HabitScope): string | undefined {
  const names = scope.schema.columns.map((column) => column.name);
  return columnMeant(name, scope) ?? nearestName(name, names);
}

/** Whether names differ in case and separators only, such as `userId`, `user.id` and `user_id`. */
function isAlike(left: string, right: string): boolean {
  return words(left) === words(right);
}

function words(name: string): string {
  return name.toLowerCase().replaceAll(/[_.\-\s]/g, "");
}

/** A name's letters and digits: `pagesize` for `page_size`, `pageSize` and `page[size]`. */
export function plainWord(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

export function columnOf(name: string, { schema }: HabitScope): Column | undefined {
  return schema.columns.find((column) => column.name === name);
}

/** Whether a text is a number to a filter. */
export function isNumber(text: string): boolean {
  return /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(text);
}

/** The items of a list in any notation: `1,2`, `(1,2)`, `[1,2]`, `["a","b"]`, `1;2`, `1|2`. */
export function listItems(text: string): readonly string[] {
  const inner = /^\s*[([{](.*)[)\]}]\s*$/s.exec(text)?.[1] ?? text;
  const separator = inner.includes(",") ? "," : /[;|]/.exec(inner)?.[0];
  const items = separator === undefined ? [inner] : inner.split(separator);
  return items.map((item) => unquoted(item.trim())).filter((item) => item !== "");
}

export function unquoted(text: string): string {
  return /^(["'])(.*)\1$/s.exec(text)?.[2] ?? text;
}
