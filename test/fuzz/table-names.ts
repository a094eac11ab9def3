import { contractTables } from "../support/contract-tables.ts";

// What inputs name, so that they get far.

export const tableNames: readonly string[] = [...Object.keys(contractTables), "odd", "__proto__"];

/** Tables that SQLite has besides, and other ways to write a name. */
export const systemNames: readonly string[] = [
  "sqlite_master",
  "sqlite_schema",
  "sqlite_sequence",
  "sqlite_stat1",
  "tmp_cache",
  "USERS",
  "main.users",
  '"users"',
];

/** The columns of SQLite's own tables. */
export const systemColumns: readonly string[] = [
  "type",
  "name",
  "tbl_name",
  "rootpage",
  "sql",
  "seq",
];

const declared = Object.values(contractTables).flatMap(({ columns }) => Object.keys(columns));

/** The columns of all tables. */
export const columnNames: readonly string[] = [
  ...new Set([...declared, "sort_by", "a.b", "limit", "a b", "ä", "__proto__", "constructor"]),
];
