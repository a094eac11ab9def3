import { EmulatorError, invalidOption, problemsError } from "../../core/errors/emulator-error.ts";
import { didYouMean, showText } from "../../core/errors/show.ts";
import { declaredReferences } from "../../core/store/constraints.ts";
import { type LoadedTables, loadTables } from "../../core/store/database.ts";
import type { TableSchema } from "../../core/store/schema.ts";
import { tableLayout } from "../../core/store/table-layout.ts";
import type { Row } from "../../core/store/value.ts";
import type { FixtureFile } from "../../core/fixture-set/assemble.ts";
import type { FixtureSet } from "../../core/fixture-set/fixture-set.ts";
import {
  assembleFiles,
  defaultNow,
  defaultSeed,
  finishReading,
  fixturesOf,
  type ReadFilesOptions,
} from "../../core/fixture-set/read-fixtures.ts";
import {
  makeRows,
  refuseRow,
  seedFor,
  visibleRows,
} from "../../core/fixture-set/tables/generate-rows.ts";
import { planTables, type TablePlan } from "../../core/fixture-set/tables/read-tables.ts";
import { type Cell, templateCells } from "../../core/fixture-set/tables/template-cells.ts";
import { Findings } from "../../core/schema/schema.ts";
import { isObject, type JsonPath } from "../../core/schema/json.ts";
import { loadFakeValues } from "../../core/template/fake-values.ts";
import { createTemplates } from "../../core/template/templates.ts";
import { rowCells } from "./row-cells.ts";
import { insertionOfRows, type RowInsertion } from "./row-insertion.ts";

/** The rows to generate. */
export interface GenerateTableOptions extends ReadFilesOptions {
  readonly table: string;
  readonly count: number;
  /** Whether the new rows replace the existing ones instead of following them. */
  readonly replace?: boolean;
  /** The seed of the new rows. Default: the fixtures' seed, else 1. Other tables use their own. */
  readonly seed?: number;
}

/** Where the new rows are inserted. */
export interface GenerationTarget extends RowInsertion {
  /** The file's name in messages. */
  readonly path: string;
  readonly text: string;
}

/** The new rows of a table. */
export interface TableGeneration {
  /** What was left out of the fixtures. */
  readonly warnings: FixtureSet["warnings"];
  /** The number of rows before the new ones. */
  readonly before: number;
  /** Rejects with an `EmulatorError` that says why a row cannot be made. */
  readonly rows: () => Promise<readonly Row[]>;
  /** The place for the rows in the table's own file. Throws `ERR_OPTION_INVALID` if there is none. */
  readonly target: () => GenerationTarget;
}

/**
 * Prepares to generate rows for a table of fixture files. Rejects with `ERR_FIXTURES_INVALID` for invalid fixtures,
 * and with `ERR_TABLE_UNKNOWN`.
 */
export async function generateTable(
  files: readonly FixtureFile[],
  { table, count, replace = false, seed, ...options }: GenerateTableOptions,
): Promise<TableGeneration> {
  const assembled = await assembleFiles(files, options.layout);
  const set = await finishReading(assembled, options);
  const schema = schemaOf(table, set);
  const document = await fixturesOf(assembled, new Findings());
  const plan = planOf(table, document);
  const now = set.settings.clock ?? defaultNow;
  const subject = { table, schema, set, plan, now };
  const tables = tablesBefore(subject, replace);
  const before = tables.get(table)?.size ?? 0;
  const findings = new Findings();
  const place = plan?.path ?? ["tables", table];
  const path = [...place, ...(plan?.generate === undefined ? ["columns"] : ["generate", "row"])];
  const generation = { ...subject, count, tables, visible: visibleRows(tables), path, findings };
  return {
    warnings: set.warnings,
    before,
    rows: async () => {
      const cells = await cellsOf(generation, seed ?? set.settings.seed ?? defaultSeed);
      const made = await makeRows({ ...generation, cells, onProgress: options.onProgress });
      if (findings.none) checkReferences(made, generation);
      // Rows that are generated at each start may restore what other tables refer to.
      const isFilledUp = (plan?.generate?.count ?? 0) > 0;
      if (findings.none && replace && !isFilledUp) checkReferrers(generation, place);
      const problems = await assembled.origins.locateAll(findings);
      if (problems.length === 0) return made;
      throw problemsError("ERR_FIXTURES_INVALID", `generate rows of ${showText(table)}`, {
        problems,
      });
    },
    target: () => {
      const origin = plan === undefined ? undefined : assembled.origins.of(plan.path);
      if (origin?.source.file === undefined) throw noPlace(table, "it comes from a SQL database");
      const { path: filePath, text } = origin.source.file;
      // In a document of tables by name, a table is an array of rows, or a single row.
      const rowsOnly = document !== assembled.document;
      const insertion = insertionOfRows(text, origin.path, { replace, rowsOnly });
      if (insertion === undefined) throw noPlace(table, "it is written as a single object");
      // Positions do not count the byte order mark that some editors write.
      const whole = files.find((file) => file.path === filePath)?.text ?? text;
      const mark = whole.length - text.length;
      const [from, to] = [insertion.from + mark, insertion.to + mark];
      return { ...insertion, from, to, path: filePath, text: whole };
    },
  };
}

const example = `{ "columns": { "id": "INTEGER", "name": "TEXT", "email": "TEXT" }, "rows": [] }`;

/** The schema of a table. Throws `ERR_TABLE_UNKNOWN` if there is no such table, or it has no columns. */
function schemaOf(name: string, { database }: FixtureSet): TableSchema {
  const schema = database.table(name)?.schema;
  const cannot = `Cannot generate rows of ${showText(name)}:`;
  if (schema === undefined) {
    const advice =
      didYouMean(name, database.names()) ||
      ` Write its columns into the file tables/${name}.json first, such as ${example}.`;
    throw new EmulatorError(
      "ERR_TABLE_UNKNOWN",
      `${cannot} the fixtures have no such table.${advice}`,
    );
  }
  if (schema.columns.length > 0) return schema;
  throw new EmulatorError(
    "ERR_TABLE_UNKNOWN",
    `${cannot} it has no columns yet. Declare them in the table, such as ${example}.`,
  );
}

/** The table as written; undefined when it comes from a SQL database. */
function planOf(
  name: string,
  document: Readonly<Record<string, unknown>> | undefined,
): TablePlan | undefined {
  const tables = document?.["tables"];
  if (!isObject(tables) || !Object.hasOwn(tables, name)) return undefined;
  // The document has been read without problems, so the findings are not used.
  return planTables(Object.fromEntries([[name, tables[name]]]), new Findings())[0];
}

/** The table for which rows are generated, and its surroundings. */
interface Subject {
  readonly table: string;
  readonly schema: TableSchema;
  readonly set: FixtureSet;
  /** Undefined: the table comes from a SQL database. */
  readonly plan: TablePlan | undefined;
  /** The time of the fixtures. */
  readonly now: number;
}

/** All tables with their rows, including generated ones; of the table itself only the written ones. */
function tablesBefore(
  { set, plan, table, now }: Subject,
  replace: boolean,
): LoadedTables["tables"] {
  const contents = set.tables.map((one) => {
    if (one.schema.name !== table) return one;
    const written = plan?.generate === undefined ? one.rows : plan.rows;
    return { ...one, rows: replace ? [] : written };
  });
  return loadTables(contents, { storage: set.storage, now: () => now }).tables;
}

type Generation = Omit<Parameters<typeof makeRows>[0], "cells"> & Subject;

/** The cells of a row: from the table's templates, else by names and types of columns. */
async function cellsOf(generation: Generation, seed: number): Promise<readonly Cell[]> {
  const { table, schema, set, plan, now, tables, visible, path, findings } = generation;
  const template = plan?.generate?.row ?? {};
  const samples = tables.get(table)?.rows() ?? [];
  /*
   * The random sequence differs from that of rows generated at each start, and changes with the number of existing
   * rows: otherwise all unique values would already be taken.
   */
  const sequence = (what: string): { readonly seed: number; readonly now: () => number } => ({
    seed: seedFor(seed, `${table}:${what}:${samples.length}`),
    now: () => now,
  });
  const templates = createTemplates(sequence("templates"));
  const given = await templateCells(template, { schema, templates, path, findings });
  return [
    ...given,
    ...rowCells({
      schema,
      layout: tableLayout(schema, set.storage),
      schemas: set.tables.map((one) => one.schema),
      templated: Object.keys(template),
      rows: visible,
      samples,
      fakeValues: await loadFakeValues(sequence("columns")),
      refuse: (columns, message) => {
        const place = plan?.path ?? ["tables", table];
        findings.report([...place, "columns", ...columns.slice(0, 1)], message);
      },
    }),
  ];
}

/** Reports the first reference to a missing row, so that no file is written that could not be read back. */
function checkReferences(made: readonly Row[], generation: Generation): void {
  const own = generation.tables.get(generation.table);
  for (const [index, row] of made.entries()) {
    const [violation] = own?.missingReferences(row) ?? [];
    if (violation !== undefined) return refuseRow(violation, index, generation);
  }
}

/** Reports a row of another table that refers to a row that is being replaced. */
function checkReferrers({ tables, table, findings }: Generation, path: JsonPath): void {
  for (const [name, other] of tables) {
    const references = declaredReferences(other.schema).filter(({ to }) => to.table === table);
    if (name === table || references.length === 0) continue;
    for (const row of other.rows()) {
      const missing = other
        .missingReferences(row)
        .find((one) => references.some(({ columns }) => String(columns) === String(one.columns)));
      if (missing === undefined) continue;
      const message = `Rows of ${showText(name)} refer to rows that would be removed: ${missing.message}`;
      findings.report(path, `${message} Make more rows, or keep the existing ones.`);
      return;
    }
  }
}

function noPlace(table: string, reason: string): EmulatorError {
  return invalidOption(
    `Cannot write rows of ${showText(table)} into its own file: ${reason}. Name a file for them: --out ${table}.json.`,
  );
}
