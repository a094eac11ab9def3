import type { Problem } from "../../errors/emulator-error.ts";
import type { TableContents } from "../../store/database.ts";
import type { TableSchema } from "../../store/schema.ts";
import type { StorageRules } from "../../store/storage-rules.ts";
import type { Assembled, FixtureFile } from "../assemble.ts";
import { positionOf } from "../json/text-position.ts";
import type { Findings } from "../../schema/findings.ts";
import type { JsonPath } from "../../schema/json.ts";
import type { TablePlan } from "./plan-tables.ts";

/** A place in the text of a file. */
export interface TextPlace {
  readonly file: FixtureFile;
  /** In UTF-16 code units from the file's beginning. A database file has no places: 0. */
  readonly offset: number;
}

/** The problem that a message is about a place. */
export function problemAt({ file, offset }: TextPlace, message: string): Problem {
  const position = file.bytes === undefined ? positionOf(file.text, offset) : {};
  return { message, file: file.path, ...position };
}

/** How SQL dumps and database files are read. */
export interface TableFileOptions {
  /** Whether what is not supported is left out, with a warning, instead of being a problem. */
  readonly skipUnsupported: boolean;
  /** Tables of other files. */
  readonly others: readonly TableSchema[];
  /** How blobs are kept. */
  readonly storage: StorageRules;
  /** Unix time in milliseconds, for `CURRENT_TIMESTAMP`. */
  readonly now: number;
}

/** A table of a dump or a database, in stored form. */
export interface FileTable extends TableContents {
  readonly asStored: true;
  /** Where a part of the table is written: `["rows", 3, "email"]`, `["columns", "email"]`. */
  readonly placeOf: (path: JsonPath) => TextPlace;
}

/** What dumps and databases have, and what is wrong with them. */
export interface FileTables {
  readonly tables: readonly FileTable[];
  readonly problems: readonly Problem[];
  /** How many problems there are beyond those in the list. */
  readonly more: number;
  readonly warnings: readonly Problem[];
}

/** Reads SQL dumps, which are one database together, and database files. The core has none of its own. */
export type TableFileReader = (
  files: readonly FixtureFile[],
  options: TableFileOptions,
) => Promise<FileTables>;

/** How the dumps and databases of a document become tables of it. */
export interface PlanTableFilesOptions {
  readonly read: TableFileReader | undefined;
  /** The tables of the document's other files. */
  readonly others: readonly TablePlan[];
  readonly storage: StorageRules;
  readonly now: number;
  readonly skipUnsupported?: boolean | undefined;
}

/** The tables of a document's dumps and databases. */
export interface PlannedTableFiles {
  readonly plans: readonly TablePlan[];
  /** Whether something is wrong, so that what others refer to may be missing. */
  readonly isPartial: boolean;
  readonly warnings: readonly Problem[];
}

/** Reads the dumps and databases of a document. What is wrong with them is added to its problems. */
export async function planTableFiles(
  { databases, problems, origins }: Pick<Assembled, "databases" | "problems" | "origins">,
  findings: Findings,
  { read, others, storage, now, skipUnsupported = false }: PlanTableFilesOptions,
): Promise<PlannedTableFiles> {
  const [first] = databases;
  if (first === undefined) return { plans: [], isPartial: false, warnings: [] };
  if (read === undefined) {
    const message = `Nothing here reads SQL. Load the file by loadFixtures of "backlot/node".`;
    problems.push({ message, file: first.path });
    return { plans: [], isPartial: true, warnings: [] };
  }
  const schemas = others.map(({ schema }) => schema);
  const found = await read(databases, { skipUnsupported, others: schemas, storage, now });
  problems.push(...found.problems);
  findings.countMore(found.more);
  const plans = found.tables.map(({ placeOf, ...contents }): TablePlan => {
    const path = ["tables", contents.schema.name];
    origins.add(path, {
      locate: async (finding) => problemAt(placeOf(finding.path), finding.message),
    });
    return { ...contents, given: {}, generate: undefined, path, rowsPath: [...path, "rows"] };
  });
  return { plans, isPartial: found.problems.length > 0, warnings: found.warnings };
}
