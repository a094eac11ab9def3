import fc from "fast-check";
import { largestKeyThatOthersFollow } from "./known-differences.ts";
import type { FuzzCase, GivenCells, Step } from "./fuzz-case.ts";
import { anyQuery } from "./random-queries.ts";
import { anyTable, type FuzzColumn, type FuzzTable } from "./random-schema.ts";
import { anyCell, distinctCell, usualCell } from "./random-values.ts";
import { declaredReferences } from "../../src/core/store/constraints.ts";
import type { TableSchema } from "../../src/core/store/schema.ts";
import { drawn, type Random } from "./random.ts";
import type { SqlCell } from "./sql-cell.ts";

/** What columns have, so that rows share values and queries find some. */
type Domains = ReadonlyMap<string, readonly SqlCell[]>;

interface Context {
  readonly random: Random;
  readonly table: FuzzTable;
  readonly domains: Domains;
}

/** A table without rows yet, and what rows and steps are made by. */
interface Base {
  readonly table: FuzzTable;
  readonly domains: Domains;
  readonly mostRows: number;
  /** Rows to insert, of which the first few are written again and again. */
  readonly later: readonly GivenCells[];
  readonly load: FuzzCase["load"];
}

const mostQueries = 260;

/** A table with rows, queries and writes. */
export const anyCase: fc.Arbitrary<FuzzCase> = drawn(anyBase).chain((base) => {
  const { table, domains, mostRows, later, load } = base;
  const { schema, child } = table;
  const row = drawn((random) => anyRow({ random, table, domains }));
  const allRows = fc.array(row, { maxLength: mostRows, size: "max" });
  return allRows.chain((rows) => {
    const known = [...rows, ...later];
    const step = drawn((random) => anySteps({ random, table, domains }, { known, later }));
    return fc
      .array(step, { maxLength: mostQueries, size: "max" })
      .map((steps) => ({ schema, child, load, rows, steps: steps.flat() }));
  });
});

function anyBase(random: Random): Base {
  const table = anyTable(random);
  const mostRows = random.weighted([
    [3, 12],
    [2, 128],
    [5, 280],
    // Indexes of more levels.
    [0.3, 3_000],
    [0.03, 20_000],
  ]);
  const domains = new Map(
    table.columns.map(
      (column) =>
        [column.column.name, domainOf(random, column, { table, rows: mostRows })] as const,
    ),
  );
  for (const { columns, to } of declaredReferences(table.schema)) {
    for (const [at, name] of columns.entries()) {
      domains.set(name, referringCells(random, domains.get(to.columns[at] ?? "") ?? []));
    }
  }
  const later = random.list(60, () => anyRow({ random, table, domains }));
  const load = random.chance(0.2) ? "as a dump" : "as values";
  return { table, domains, mostRows, later, load };
}

/** Values of those that are referred to, more often those that came early and so may well be there, and NULL. */
function referringCells(random: Random, domain: readonly SqlCell[]): readonly SqlCell[] {
  const likely = domain.slice(0, 12);
  return [null, null, ...likely, ...random.some(domain, 0.3)];
}

/** A column's values: few, so that many rows share one, or nearly as many as there are rows. */
function domainOf(
  random: Random,
  column: FuzzColumn,
  { table, rows }: { readonly table: FuzzTable; readonly rows: number },
): readonly SqlCell[] {
  const isKey = table.schema.primaryKey.includes(column.column.name);
  const isDistinct = column.column.unique || (isKey && random.chance(0.7));
  const isMixed = random.chance(0.35);
  const size = isDistinct ? rows * 2 + 5 : random.pick([2, 6, 20, 60, rows + 1]);
  return random.list(size, (at) => {
    if (column.isRowId) return rowIdCell(random, { table, rows });
    if (isDistinct && random.chance(0.8)) return distinctCell(random, column.affinity, at);
    return isMixed ? anyCell(random) : usualCell(random, column.affinity);
  });
}

/** A whole number, which the row id has to be, or sometimes something that it cannot be. */
function rowIdCell(
  random: Random,
  { table, rows }: { readonly table: FuzzTable; readonly rows: number },
): SqlCell {
  const cell = random.weighted<SqlCell>([
    [20, BigInt(random.int(-3, rows * 2 + 9))],
    [1, random.int(0, rows + 9)],
    [1, String(random.int(0, rows + 9))],
    [1, largestKeyThatOthersFollow - BigInt(random.int(0, 9))],
    [0.3, null],
    [0.5, anyCell(random)],
  ]);
  if (table.statesKeys) return cell ?? 1n;
  return Number(cell) > Number(largestKeyThatOthersFollow) ? largestKeyThatOthersFollow : cell;
}

function cellFor({ random, table, domains }: Context, column: FuzzColumn): SqlCell {
  const domain = domains.get(column.column.name) ?? [];
  if (domain.length > 0 && random.chance(0.97)) return random.pick(domain);
  if (column.isRowId) return rowIdCell(random, { table, rows: domain.length });
  return usualCell(random, column.affinity);
}

function anyRow(context: Context): GivenCells {
  const { random, table } = context;
  const leavesKey = !table.statesKeys && random.chance(0.5);
  const entries: (readonly [string, SqlCell])[] = [];
  for (const column of table.columns) {
    if (column.isRowId ? leavesKey : random.chance(0.04)) continue;
    entries.push([column.column.name, cellFor(context, column)]);
  }
  entries.push(...anyRowId(context, 0.5));
  return Object.fromEntries(entries);
}

/** Sometimes a row id, in tables that have one and do not show it. */
function anyRowId(
  { random, table }: Context,
  probability: number,
): readonly (readonly [string, SqlCell])[] {
  if (table.givenRowId === undefined || !random.chance(probability)) return [];
  return [[table.givenRowId, rowIdCell(random, { table, rows: 300 })]];
}

/** Values for some columns. */
function anyChanges(context: Context): GivenCells {
  const { random, table } = context;
  const [first] = table.columns;
  const some = random.some(table.columns, 0.35);
  const changed = some.length === 0 && first !== undefined ? [first] : some;
  const entries = changed.map((column) => [column.column.name, cellFor(context, column)] as const);
  return Object.fromEntries([...entries, ...anyRowId(context, 0.1)]);
}

/** Rows that may be there, and those to insert. */
interface Written {
  readonly known: readonly GivenCells[];
  readonly later: readonly GivenCells[];
}

/** A query, and perhaps writes after it. */
function anySteps(context: Context, written: Written): readonly Step[] {
  const { random, table } = context;
  const steps: Step[] = [{ kind: "select", query: anyQuery(context) }];
  // Indexes may take in few writes otherwise than many.
  const writes = random.weighted([
    [75, 0],
    [25, random.int(1, 3)],
    [0.5, random.int(20, 150)],
  ]);
  steps.push(...random.list(writes, () => anyWrite(context, written)));
  if (table.child !== undefined && random.chance(0.4)) {
    steps.push(anyChildWrite(context, table.child));
  }
  if (random.chance(0.02)) steps.push({ kind: random.pick(["save", "fork"]) });
  if (random.chance(0.02)) steps.push({ kind: random.pick(["back", "back", "keep"]) });
  return steps;
}

function anyWrite(context: Context, written: Written): Step {
  const { random, table } = context;
  const hasKey = table.schema.primaryKey.length > 0;
  const kind = hasKey ? random.pick(["insert", "update", "update", "replace", "delete"]) : "insert";
  if (kind === "insert") {
    return { kind, given: random.chance(0.7) ? random.pick(written.later) : anyRow(context) };
  }
  const key = anyKey(context, written);
  if (kind === "delete") return { kind, key };
  return { kind: kind === "replace" ? "replace" : "update", key, given: anyChanges(context) };
}

/** A write to the table that refers to the first one: its columns but for the key have that one's values. */
function anyChildWrite({ random, domains }: Context, child: TableSchema): Step {
  const key = [BigInt(random.int(1, 30))];
  const kind = random.pick(["insert", "insert", "insert", "update", "delete"]);
  if (kind === "delete") return { kind, key, table: "child" };
  const given = Object.fromEntries(
    declaredReferences(child).flatMap(({ columns, to }) =>
      columns.map((name, at) => {
        const domain = domains.get(to.columns[at] ?? "") ?? [];
        return [name, random.chance(0.1) || domain.length === 0 ? null : random.pick(domain)];
      }),
    ),
  );
  if (kind === "update") return { kind, key, given, table: "child" };
  return { kind: "insert", given, table: "child" };
}

/** Mostly the key of a row that was written once. */
function anyKey(context: Context, { known, later }: Written): readonly SqlCell[] {
  const { random, table } = context;
  // What was written is written again.
  const candidates = random.chance(0.3) ? later.slice(0, 3) : known;
  const row = random.chance(0.95) ? random.pick(candidates) : {};
  return table.schema.primaryKey.map((name) => {
    const column = table.columns.find((one) => one.column.name === name);
    if (column === undefined) throw new Error(`There is no column ${name}.`);
    const given = Object.hasOwn(row, name) ? row[name] : undefined;
    if (given !== undefined && random.chance(0.95)) return given;
    return column.isRowId ? BigInt(random.int(1, known.length + 2)) : cellFor(context, column);
  });
}
