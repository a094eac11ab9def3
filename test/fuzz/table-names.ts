import { contractTables } from "../support/contract-tables.ts";

// What inputs name, so that they get far.

export const tableNames: readonly string[] = [...Object.keys(contractTables), "odd", "__proto__"];

const declared = Object.values(contractTables).flatMap(({ columns }) => Object.keys(columns));

/** The columns of all tables. */
export const columnNames: readonly string[] = [
  ...new Set([...declared, "sort_by", "a.b", "limit", "a b", "ä", "__proto__", "constructor"]),
];
