import type { TableKindName } from "./table-kinds.ts";

const undeclared = "only a declared column says that of itself; a collection's own schema cannot";

/** Titles of behaviours that a kind of table is known to lack, each with the reason. */
export const tableGaps: Readonly<Record<TableKindName, Readonly<Record<string, string>>>> = {
  memory: {},
  postgres: {},
  "collection with columns": {
    "has a column named __proto__": "schema libraries leave this property out of what they make",
  },
  collection: {
    "has a column named __proto__": "schema libraries leave this property out of what they make",
    'filters price like "2.0"':
      "a number is NUMERIC, which LIKE sees as it is sent; only a declared column is REAL",
    "compares and sorts by a column's collation": undeclared,
    "keeps a unique column unique, by its collation, NULL aside": undeclared,
    "sorts numbers before texts, and documents by their text":
      "a property that may be anything is ANY; only a declared column is JSON",
    "finds numbers and texts by a filter that looks like a number":
      "a property that may be anything is ANY; only a declared column is JSON",
  },
};
