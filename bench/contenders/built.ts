/**
 * The engine as it is built and shipped. Run from its source by tsx it would be slower: tsx names every function
 * that is made, at each time that it is made.
 */
type DatabaseModule = typeof import("../../src/core/store/database.ts");

const built: DatabaseModule = await import(
  new URL("../../dist/core/store/database.js", import.meta.url).href
);

export type Database = InstanceType<DatabaseModule["Database"]>;
export const loadDatabase: DatabaseModule["Database"]["load"] = built.Database.load.bind(
  built.Database,
);
