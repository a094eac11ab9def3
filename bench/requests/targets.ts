/** What is asked of the servers, and the fixtures that they serve. */
import { categoryOf, mix, type NewItem, pageSize, priceLimit, priceOf } from "../items.ts";

/** Rows of the table. */
export const servedRows = 1000;
const targetsOfEach = 64;

/** Requests of one kind, and how many times a bare server's CPU time they may take. */
export interface RequestKind {
  readonly label: string;
  readonly goal: number;
  /** Different ones, so that an answer that is kept helps little. */
  readonly targets: readonly string[];
  /** The body of a POST. Default: a GET without one. */
  readonly body?: string;
}

function targets(use: number, query: (random: number) => string): readonly string[] {
  const made = Array.from({ length: targetsOfEach }, (_, index) => query(mix(index, use)));
  return [...new Set(made)].map((rest) => `/rest/items${rest}`);
}

function rangePage(random: number): string {
  const from = Math.floor(priceOf(random) / 2);
  const offset = pageSize * (mix(random, 70) % 5);
  const range = `price.gte=${from}&price.lt=${from + priceLimit / 2}`;
  return `?${range}&sort_by=price&order=desc&limit=${pageSize}&offset=${offset}`;
}

function equalPage(random: number): string {
  return `?category=${categoryOf(random)}&sort_by=price&limit=${pageSize}`;
}

const newRow: NewItem = {
  name: "amber clock 4059",
  email: "mirror@example.com",
  category: categoryOf(7),
  price: 136.1,
  stock: 163,
  created: "2054-02-11T15:16:01Z",
};

export const requestKinds: readonly RequestKind[] = [
  { label: "page of 10: range, sorted by it", goal: 1.4, targets: targets(71, rangePage) },
  { label: "page of 10: equality, sorted by another", goal: 1.4, targets: targets(72, equalPage) },
  {
    label: "GET by key",
    goal: 1.15,
    targets: targets(73, (random) => `/${1 + (random % servedRows)}`),
  },
  { label: "POST of a row", goal: 1.6, targets: ["/rest/items"], body: JSON.stringify(newRow) },
];
