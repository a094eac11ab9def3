/** Who takes part, with what each is good for. */
import type { Item } from "../items.ts";
import type { MakeContender } from "./contender.ts";

export const contenderNames = [
  "engine",
  "better-sqlite3",
  "array",
  "@msw/data",
  "@mswjs/data",
] as const;
export type ContenderName = (typeof contenderNames)[number];

/** The most rows that are given to those that look at every row, and slowly. */
export const scannedRows = 10_000;

/** The most rows that a contender is asked for. */
export const mostRows: Readonly<Record<ContenderName, number>> = {
  engine: Infinity,
  "better-sqlite3": Infinity,
  array: Infinity,
  "@msw/data": scannedRows,
  "@mswjs/data": scannedRows,
};

/** Contenders that keep indexes, which a write has to keep right. */
export const withIndexes: readonly ContenderName[] = ["engine", "better-sqlite3"];

/** Contenders that live in `bench/package.json`. */
export const fromPackages: readonly ContenderName[] = [
  "better-sqlite3",
  "@msw/data",
  "@mswjs/data",
];

/** Each is imported only when it is asked for, so that a process has one contender in it. */
export const makers: Readonly<Record<ContenderName, MakeContender>> = {
  engine: async (items) => {
    const { Engine, loadItems } = await import("./engine.ts");
    return new Engine(loadItems(items));
  },
  "better-sqlite3": async (items) => {
    const { fillSqlite, Sqlite, sqliteIndexes, sqliteOpener } = await import("./sqlite.ts");
    const database = (await sqliteOpener())();
    fillSqlite(database, items);
    database.exec(sqliteIndexes);
    return new Sqlite(database);
  },
  array: async (items) => new (await import("./plain-array.ts")).PlainArray(items),
  "@msw/data": async (items: readonly Item[]) => (await import("./msw-data.ts")).makeMswData(items),
  "@mswjs/data": async (items: readonly Item[]) =>
    (await import("./mswjs-data.ts")).makeMswjsData(items),
};
