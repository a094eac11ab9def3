import type { Row } from "../../core/store/value.ts";
import { tableLayout } from "../../core/store/table-layout.ts";
import { loadFakeValues } from "../../core/template/fake-values.ts";
import { createTemplates } from "../../core/template/templates.ts";
import type { JsonPath } from "../../core/schema/json.ts";
import type { Findings } from "../../core/schema/findings.ts";
import { RowMaker, TakenKeys, uniqueKeysOf } from "../../core/fixture-set/tables/row-maker.ts";
import { refuseRow, seedFor } from "../../core/fixture-set/tables/generate-rows.ts";
import { templateCells } from "../../core/fixture-set/tables/template-cells.ts";
import type { OpenTable } from "./open-table.ts";
import { referenceGuard } from "./reference-guard.ts";
import { tableCells } from "./table-cells.ts";

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
