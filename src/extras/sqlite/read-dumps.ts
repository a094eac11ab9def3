import type { Problem } from "../../core/errors/emulator-error.ts";
import type { TableContents } from "../../core/store/database.ts";
import type { TableSchema } from "../../core/store/schema.ts";
import type { FixtureFile } from "../../core/fixture-set/assemble.ts";
import type { JsonPath } from "../../core/schema/json.ts";
import { Dump } from "./dump.ts";
import type { DumpPlace } from "./dump-place.ts";
import { DumpProblems } from "./dump-problems.ts";
import { schemasOf, withForeignKeys } from "./dump-schema.ts";
import { linkForeignKeys } from "./link-foreign-keys.ts";
import { placeInTable } from "./locate-row.ts";
import { runDump } from "./run-dump.ts";

/** How dumps are read. */
export interface DumpOptions {
  /** Whether what is not supported is left out, with a warning, instead of being a problem. */
  readonly skipUnsupported: boolean;
  /** Tables of other files. */
  readonly others: readonly TableSchema[];
  /** Unix time in milliseconds, for `CURRENT_TIMESTAMP`. */
  readonly now: number;
}

/** A table of a dump, in stored form. */
export interface DumpedTable extends TableContents {
  readonly asStored: true;
  /** Where a part of the table is written: `["rows", 3, "email"]`, `["columns", "email"]`. */
  readonly placeOf: (path: JsonPath) => DumpPlace;
}

/** What dumps have, and what is wrong with them. */
export interface DumpContents {
  readonly tables: readonly DumpedTable[];
  readonly problems: readonly Problem[];
  /** How many problems there are beyond those in the list. */
  readonly more: number;
  readonly warnings: readonly Problem[];
}

/** Reads SQLite dumps, one after the other into the same database. */
export function readDumps(files: readonly FixtureFile[], options: DumpOptions): DumpContents {
  const problems = new DumpProblems(options.skipUnsupported);
  const dump = new Dump({ problems, others: options.others, now: options.now });
  for (const file of files) runDump(file, dump);
  const { tables } = dump;
  const schemas = schemasOf(tables);
  const all = [...schemas, ...options.others];
  const dumped = schemas.flatMap((schema): readonly DumpedTable[] => {
    const table = dump.table(schema.name);
    if (table === undefined) return [];
    const { definition, rows, sequence } = table;
    const foreignKeys = linkForeignKeys(definition.foreignKeys, all, dump);
    const contents: DumpedTable = {
      schema: withForeignKeys(schema, foreignKeys),
      rows,
      asStored: true,
      lastGeneratedKey: sequence,
      placeOf: (path) => placeInTable(table, path),
    };
    return [contents];
  });
  const { problems: found, more, warnings } = problems;
  return { tables: dumped, problems: found, more, warnings };
}
