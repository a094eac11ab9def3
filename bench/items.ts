/** The rows that every contender holds: seven columns, each row a pure function of its number. */

/** A row without its key, as it is given to an insert. No interface: it has to pass for a record of values. */
export type NewItem = {
  readonly name: string;
  readonly email: string;
  readonly category: string;
  readonly price: number;
  readonly stock: number;
  readonly created: string;
};

export type Item = { readonly id: number } & NewItem;

const words = {
  adjective: ["amber", "brave", "calm", "dusty", "early", "faint", "grand", "hollow", "inner"],
  noun: [
    "lamp",
    "chair",
    "table",
    "shelf",
    "clock",
    "mirror",
    "carpet",
    "drawer",
    "basket",
    "stool",
  ],
};
const categories = 50;

/** How many rows a page has. */
export const pageSize = 10;

/** Prices are below this, evenly spread. */
export const priceLimit = 1000;

/** A well-mixed number from 0 to 2^32 - 1 for a number and the use it is put to. */
export function mix(number: number, use: number): number {
  let hash = (number ^ Math.imul(use + 1, 0x9e3779b1)) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function pick(values: readonly string[], number: number): string {
  return values[number % values.length] ?? "";
}

function emailOf(id: number): string {
  return `${pick(words.noun, mix(id, 1))}.${id}@example.com`;
}

export function categoryOf(number: number): string {
  return `c-${100 + (number % categories)}`;
}

/** A price with two decimals, from a number that is well mixed. */
export function priceOf(number: number): number {
  return (number % (priceLimit * 100)) / 100;
}

/** What row `id` holds. No two rows share an email or a time. */
export function newItem(id: number): NewItem {
  const adjective = pick(words.adjective, mix(id, 2));
  // An odd factor gives every number below 2^32 a time of its own, in no order.
  const seconds = Math.imul(id, 0x9e3779b1) >>> 0;
  return {
    name: `${adjective} ${pick(words.noun, mix(id, 3))} ${1000 + (mix(id, 4) % 9000)}`,
    email: emailOf(id),
    category: categoryOf(mix(id, 5)),
    price: priceOf(mix(id, 6)),
    stock: mix(id, 7) % 500,
    created: `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`,
  };
}

const types: Readonly<Record<keyof Item, string>> = {
  id: "INTEGER",
  name: "TEXT",
  email: "TEXT",
  category: "TEXT",
  price: "REAL",
  stock: "INTEGER",
  created: "TEXT",
};

export const itemTypes: ReadonlyMap<string, string> = new Map(Object.entries(types));
