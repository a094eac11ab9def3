import * as fixtures from "../../src/core/fixture-set/read-fixtures.ts";
import { readSqlTables } from "../../src/extras/sqlite/read-table-files.ts";
import type { FixtureSet } from "../../src/index.ts";

/** Reads fixture files, SQL dumps and database files included. */
export function readFixtureFiles(
  files: readonly fixtures.FixtureFile[],
  options: fixtures.ReadFilesOptions = {},
): Promise<FixtureSet> {
  return fixtures.readFixtureFiles(files, { readTableFiles: readSqlTables, ...options });
}
