import type { Problem } from "../../errors/emulator-error.ts";
import type { TableContents } from "../../store/database.ts";
import type { TableSchema } from "../../store/schema.ts";
import type { StorageRules } from "../../store/storage-rules.ts";
import type { Assembled, FixtureFile } from "../assemble.ts";
import { positionOf } from "../json/text-position.ts";
import type { Findings } from "../../schema/schema.ts";
import type { JsonPath } from "../../schema/json.ts";
import type { TablePlan } from "./read-tables.ts";

/** A position in the text of a file. */
export interface TextPlace {
  readonly file: FixtureFile;
  /** UTF-16 code units from the start of the file. A database file has no positions: 0. */
  readonly offset: number;
}

/** The problem with this message at a position. */
export function problemAt({ file, offset }: TextPlace, message: string): Problem {
  const position = file.bytes === undefined ? positionOf(file.text, offset) : {};
  return { message, file: file.path, ...position };
}

/** How SQL dumps and database files are read. */
export interface TableFileOptions {
  /** Whether to skip what is not supported, with a warning, instead of reporting a problem. */
  readonly skipUnsupported: boolean;
  /** Tables of other files. */
  readonly others: readonly TableSchema[];
  /** The storage rules, which decide the form of blobs. */
  readonly storage: StorageRules;
  /** Unix time in milliseconds, for `CURRENT_TIMESTAMP`. */
  readonly now: number;
}

/** A table of a dump or a database, in stored form. */
export interface FileTable extends TableContents {
  readonly asStored: true;
  /** The position of a part of the table, such as `["rows", 3, "email"]` or `["columns", "email"]`. */
  readonly placeOf: (path: JsonPath) => TextPlace;
}

/** The contents of dumps and databases, and their problems. */
export interface FileTables {
  readonly tables: readonly FileTable[];
  readonly problems: readonly Problem[];
  /** The number of further problems that are not in the list. */
  readonly more: number;
  readonly warnings: readonly Problem[];
}

/** Reads SQL dumps, which form one database together, and database files. The core has no reader of its own. */
export type TableFileReader = (
  files: readonly FixtureFile[],
  options: TableFileOptions,
) => Promise<FileTables>;

/** How the dumps and databases of a document become tables. */
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
  /** Whether a file has a problem, so that the target of a reference may be missing. */
  readonly isPartial: boolean;
  readonly warnings: readonly Problem[];
}

/** Reads the dumps and databases of a document. Adds their problems to the document's. */
export async function planTableFiles(
  { databases, problems, origins }: Pick<Assembled, "databases" | "problems" | "origins">,
  findings: Findings,
  { read, others, storage, now, skipUnsupported = false }: PlanTableFilesOptions,
): Promise<PlannedTableFiles> {
  const [first] = databases;
  if (first === undefined) return { plans: [], isPartial: false, warnings: [] };
  if (read === undefined) {
    const message = `SQL files cannot be read here. Load the file with loadFixtures of "backlot/node".`;
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
