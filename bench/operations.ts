/** What is asked of every contender, and what the figures should be. */
import { categoryOf, emailOf, mix, nouns, priceLimit, priceOf } from "./items.ts";

/** What each read is told. Numbers come as text too: whoever takes texts should not pay for making them. */
export interface ReadParameters {
  readonly get: { readonly id: number };
  readonly equal: { readonly category: string };
  readonly range: PriceRange;
  readonly resorted: PriceRange;
  readonly like: { readonly part: string };
  readonly in: { readonly emails: readonly string[] };
  readonly top: null;
  readonly fullSort: null;
}

interface PriceRange {
  readonly from: number;
  readonly to: number;
  readonly fromText: string;
  readonly toText: string;
  readonly offset: number;
}

export type ReadName = keyof ReadParameters;
export type WriteName = "insert" | "update" | "delete";
export type OperationName = ReadName | WriteName | "mixed";

/** How many rows a page has. */
export const pageSize = 10;

/** How each operation is called in the tables. */
export const labels: Readonly<Record<OperationName, string>> = {
  get: "lookup by key",
  equal: "equality, first 10",
  range: "range, sorted by it, page of 10",
  resorted: "range, sorted by another, page",
  like: "LIKE %…%, all",
  in: "IN 5",
  top: "top 10",
  fullSort: "full sort, all rows",
  insert: "insert",
  update: "update",
  delete: "delete",
  mixed: "update, then 4 indexed reads",
};

export const readNames: readonly ReadName[] = [
  "get",
  "equal",
  "range",
  "resorted",
  "like",
  "in",
  "top",
  "fullSort",
];
export const writeNames: readonly WriteName[] = ["insert", "update", "delete"];

/** Reads that use one index each; together they use all four. */
export const indexedReads = ["equal", "range", "in", "top"] as const;

/** How many times faster than better-sqlite3 an operation should be at {@link goalSize} rows. */
export const goals: Partial<Readonly<Record<OperationName, number>>> = {
  get: 5,
  equal: 5,
  range: 5,
  top: 5,
  fullSort: 5,
  like: 1,
  in: 1,
  insert: 1,
  update: 1,
  delete: 1,
};
export const goalSize = 100_000;

/** How many sets of parameters each read goes round. */
const parameterSets = 512;

type Sets = { readonly [Name in ReadName]: readonly ReadParameters[Name][] };

function setsOf<Parameters>(use: number, make: (random: number) => Parameters): Parameters[] {
  return Array.from({ length: parameterSets }, (_, index) => make(mix(index, use)));
}

/** A tenth of all prices, and one of the first ten pages of them; at few rows, always a full page. */
function priceRange(random: number, size: number): PriceRange {
  const width = priceLimit / 10;
  const from = Math.floor((priceOf(random) * (priceLimit - width)) / priceLimit);
  const pages = Math.max(1, Math.min(10, Math.floor(size / 10 / pageSize / 2)));
  const offset = (mix(random, 20) % pages) * pageSize;
  const to = from + width;
  return { from, to, fromText: String(from), toText: String(to), offset };
}

function likePart(random: number): string {
  return `${nouns[random % nouns.length] ?? ""} ${10 + (mix(random, 21) % 90)}`;
}

function fiveEmails(random: number, size: number): readonly string[] {
  return Array.from({ length: 5 }, (_, index) => emailOf(1 + (mix(random, 30 + index) % size)));
}

const made = new Map<number, Sets>();

/** The parameters for a table of this many rows. */
export function parametersFor(size: number): Sets {
  const sets = made.get(size) ?? makeParameters(size);
  made.set(size, sets);
  return sets;
}

function makeParameters(size: number): Sets {
  return {
    get: setsOf(10, (random) => ({ id: 1 + (random % size) })),
    equal: setsOf(11, (random) => ({ category: categoryOf(random) })),
    range: setsOf(12, (random) => priceRange(random, size)),
    resorted: setsOf(13, (random) => priceRange(random, size)),
    like: setsOf(14, (random) => ({ part: likePart(random) })),
    in: setsOf(15, (random) => ({ emails: fiveEmails(random, size) })),
    top: [null],
    fullSort: [null],
  };
}
