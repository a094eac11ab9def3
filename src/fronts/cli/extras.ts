// What the command line uses of extras. Each is loaded when a command needs it.
export type { RowTarget, TableGeneration } from "../../extras/generate/generate-table.ts";
export type { TablesBeginning } from "../../extras/postgres/postgres-tables.ts";

/** Tables that are kept in PostgreSQL. */
export function loadPostgres(): Promise<typeof import("../../extras/postgres/index.ts")> {
  return import("../../extras/postgres/index.ts");
}

/** Made-up rows. */
export function loadGenerate(): Promise<typeof import("../../extras/generate/generate-table.ts")> {
  return import("../../extras/generate/generate-table.ts");
}
