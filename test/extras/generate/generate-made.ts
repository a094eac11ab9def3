import type { FixtureFile } from "../../../src/core/fixture-set/assemble.ts";
import {
  generateTable,
  type GenerateTableOptions,
} from "../../../src/extras/generate/generate-table.ts";
import { readSqlTables } from "../../../src/extras/sqlite/read-table-files.ts";
import type { JsonRow } from "../../../src/core/store/value.ts";
import { folder } from "../../core/fixture-set/problems-of.ts";

// Rows of fixture files, as `generate` makes them.

type Tables = Readonly<Record<string, unknown>>;
export type Wanted = Partial<GenerateTableOptions> & Pick<GenerateTableOptions, "table" | "count">;

/** A folder of tables. */
export function filesOf(tables: Tables, config: object = {}): readonly FixtureFile[] {
  const entries = Object.entries(tables);
  return folder({
    "config.json": JSON.stringify(config),
    ...Object.fromEntries(
      entries.map(([name, one]) => [`tables/${name}.json`, JSON.stringify(one)]),
    ),
  });
}

/** The rows that are made, as a file has them. */
export async function made(
  files: readonly FixtureFile[],
  wanted: Wanted,
): Promise<readonly JsonRow[]> {
  const generation = await generateTable(files, { readTableFiles: readSqlTables, ...wanted });
  const rows: readonly JsonRow[] = JSON.parse(JSON.stringify(await generation.rows()));
  return rows;
}
