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
import { openTable, type OpenTable } from "./open-table.ts";
import { insertionOfRows, type RowInsertion } from "./row-insertion.ts";
import { tableLayout } from "../../core/store/table-layout.ts";
import { loadFakeValues } from "../../core/template/fake-values.ts";
import { createTemplates } from "../../core/template/templates.ts";
import type { JsonPath } from "../../core/schema/json.ts";
import { RowMaker, TakenKeys, uniqueKeysOf } from "../../core/fixture-set/tables/row-maker.ts";
import { refuseRow, seedFor } from "../../core/fixture-set/tables/generate-rows.ts";
import { templateCells } from "../../core/fixture-set/tables/template-cells.ts";
import { referenceGuard } from "./reference-cells.ts";
import { tableCells } from "./table-cells.ts";

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
export interface GenerationTarget extends RowInsertion {
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
  readonly target: () => GenerationTarget;
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

/** What rows are made with. */
export interface MakeOptions {
  readonly seed: number;
  /** The time that dates are near to. */
  readonly now: number;
  /** Whether the rows come instead of those that are written. */
  readonly replace: boolean;
  /** Told why a row cannot be made; there is none after it. */
  readonly findings: Findings;
}

/** Makes rows one by one, up to a count, and ends early when there is a finding. */
export type RowSource = (count: number) => Generator<Row, void>;

/** Prepares to make rows of a table: by its templates, and by the names and types of columns that have none. */
export async function rowSource(open: OpenTable, options: MakeOptions): Promise<RowSource> {
  const { schema, plan } = open;
  const { seed, now, replace, findings } = options;
  const layout = tableLayout(schema, open.storage);
  // They grow where a row can look at those before it.
  const own: Row[] = replace ? [] : [...open.written];
  const rowsOf = (table: string): readonly Row[] =>
    table === schema.name ? own : open.rowsOf(table);
  const template = plan?.generate?.row ?? {};
  const templated = Object.keys(template);
  const paths = pathsOf(open);
  const seeds = seedsOf(schema.name, { seed, before: own.length });
  const templates = createTemplates({ seed: seeds.templates, now: () => now });
  const fakeValues = await loadFakeValues({ seed: seeds.columns, now: () => now });
  const taken = new TakenKeys(uniqueKeysOf(layout, templated), own);
  const given = await templateCells(template, { schema, templates, path: paths.row, findings });
  const refuseColumn = (columns: readonly string[], message: string): void =>
    findings.report([...paths.columns, ...columns.slice(0, 1)], message);
  const context = { open, layout, templated, taken, rowsOf, fakeValues, refuse: refuseColumn };
  const refuse = refuseRow(paths.row, findings);
  const maker = new RowMaker({
    layout,
    cells: [...given, ...tableCells(context)],
    taken,
    existing: own,
    lastKey: open.lastKey,
    tables: Object.fromEntries(open.schemas.map(({ name }) => [name, rowsOf(name)])),
    now,
    refuse,
  });
  const guard = referenceGuard({ open, templated, rowsOf, replace });
  const isLookedAt = guard.refersToOwn || JSON.stringify(template).includes("tables");
  return function* makeRows(count) {
    for (let index = 0; index < count; index++) {
      const row = findings.none ? maker.make(index) : undefined;
      if (row === undefined) return;
      const violation = guard.judge(row);
      if (violation !== undefined) return refuse(violation, index);
      if (isLookedAt) own.push(row);
      yield row;
    }
    const missing = guard.stillNeeded();
    if (missing !== undefined) findings.report(paths.table, missing);
  };
}

/** Where messages about what is made find its cause. */
function pathsOf({ plan, schema }: OpenTable): Record<"table" | "row" | "columns", JsonPath> {
  const table = plan?.path ?? ["tables", schema.name];
  return {
    table,
    row: plan?.generate === undefined ? [...table, "columns"] : [...table, "generate", "row"],
    columns: [...table, "columns"],
  };
}

/**
 * Other sequences than that of the rows which the table makes at each start, and others with each row that is there:
 * with the same ones, unique values would all be taken.
 */
function seedsOf(
  table: string,
  { seed, before }: { readonly seed: number; readonly before: number },
): Record<"templates" | "columns", number> {
  return {
    templates: seedFor(seed, `${table}:templates:${before}`),
    columns: seedFor(seed, `${table}:columns:${before}`),
  };
}
