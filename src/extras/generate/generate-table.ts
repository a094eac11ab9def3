import { EmulatorError, problemsError } from "../../core/errors/emulator-error.ts";
import { showText } from "../../core/errors/show.ts";
import type { Row } from "../../core/store/value.ts";
import type { FixtureFile } from "../../core/fixture-set/assemble.ts";
import type { FixtureSet } from "../../core/fixture-set/fixture-set.ts";
import {
  assembleFiles,
  finishReading,
  type ReadFilesOptions,
} from "../../core/fixture-set/read-fixtures.ts";
import { Findings } from "../../core/schema/findings.ts";
import { defaultNow, defaultSeed } from "../../core/fixture-set/read-document.ts";
import { rowSource } from "./make-rows.ts";
import { openTable } from "./open-table.ts";
import { type RowInsertion, insertionOfRows } from "./row-insertion.ts";

/** What rows are to be made. */
export interface GenerateTableOptions extends ReadFilesOptions {
  readonly table: string;
  readonly count: number;
  /** Whether they come instead of those that the file has, rather than after them. */
  readonly replace?: boolean;
  /** Of the rows that are made. Default: that of the fixtures, else 1. Other tables are as their own seed makes them. */
  readonly seed?: number;
}

/** Where rows are written to. */
export interface RowTarget extends RowInsertion {
  /** The file's name as messages show it. */
  readonly path: string;
  readonly text: string;
}

/** Rows that are made one by one, as they are taken. */
export interface TableGeneration {
  /** What was left out of the fixtures. */
  readonly warnings: FixtureSet["warnings"];
  /** How many rows come before those that are made. */
  readonly before: number;
  /** Throws an `EmulatorError` that says why a row cannot be made. */
  readonly rows: () => AsyncGenerator<Row, void>;
  /** The place for them in the file that the table is written in. Throws `ERR_OPTION_INVALID` where there is none. */
  readonly target: () => RowTarget;
}

/**
 * Prepares to make rows for a table of fixture files. Rejects with `ERR_FIXTURES_INVALID` when these are wrong, and with
 * `ERR_TABLE_UNKNOWN`.
 */
export async function generateTable(
  files: readonly FixtureFile[],
  options: GenerateTableOptions,
): Promise<TableGeneration> {
  const { table, count, replace = false, seed, ...readOptions } = options;
  const assembled = await assembleFiles(files, readOptions.layout);
  const set = await finishReading(assembled, readOptions);
  const open = await openTable(table, assembled, set);
  const findings = new Findings();
  const makeRows = await rowSource(open, {
    seed: seed ?? set.settings.seed ?? defaultSeed,
    now: set.settings.clock ?? defaultNow,
    replace,
    findings,
  });
  return {
    warnings: set.warnings,
    before: replace ? 0 : open.written.length,
    rows: async function* rowsOrError() {
      yield* makeRows(count);
      const problems = await assembled.origins.locateAll(findings);
      if (problems.length === 0) return;
      throw problemsError("ERR_FIXTURES_INVALID", `generate rows of ${showText(table)}`, {
        problems,
      });
    },
    target: () => {
      const path = open.plan?.path;
      const origin = path === undefined ? undefined : assembled.origins.of(path);
      if (origin?.source.file === undefined) throw noPlace(table, "it comes from a SQL database");
      const { path: filePath, text } = origin.source.file;
      const rowsOnly = open.isInTablesDocument;
      const insertion = insertionOfRows(text, origin.path, { replace, rowsOnly });
      if (insertion === undefined) throw noPlace(table, "it is written as a single object");
      // The byte order mark that some editors write is not part of the text that was read.
      const file = files.find((one) => one.path === filePath);
      const mark = file?.text.startsWith("\uFEFF") === true ? "\uFEFF" : "";
      return { ...shifted(insertion, mark.length), path: filePath, text: `${mark}${text}` };
    },
  };
}

function shifted({ from, to, ...insertion }: RowInsertion, by: number): RowInsertion {
  return { ...insertion, from: from + by, to: to + by };
}

function noPlace(table: string, reason: string): EmulatorError {
  return new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot write rows of ${showText(table)} to where the table is: ${reason}. Name a file for them: --out ${table}.json.`,
  );
}
