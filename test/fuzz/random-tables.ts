import { largestKeyThatOthersFollow } from "./known-differences.ts";
import type { FuzzCase, GivenCells, Step } from "./fuzz-case.ts";
import { anyQuery } from "./random-queries.ts";
import { anyTable, type FuzzColumn, type FuzzTable } from "./random-schema.ts";
import { anyCell, distinctCell, usualCell } from "./random-values.ts";
import { declaredReferences } from "../../src/core/store/constraints.ts";
import type { TableSchema } from "../../src/core/store/schema.ts";
import { Random } from "./random.ts";
import type { SqlCell } from "./sql-cell.ts";

/** What columns have, so that rows share values and queries find some. */
type Domains = ReadonlyMap<string, readonly SqlCell[]>;

interface Context {
  readonly random: Random;
  readonly table: FuzzTable;
  readonly domains: Domains;
}

/** A table with rows, queries and writes; the same for the same seed. */
export function randomCase(seed: number): FuzzCase {
  const random = new Random(seed);
  const table = anyTable(random);
  const count = random.weighted([
    [3, random.int(0, 12)],
    [2, random.int(13, 128)],
    [5, random.int(129, 280)],
    // Indexes of more levels.
    [0.3, random.int(600, 3_000)],
    [0.03, random.int(9_000, 20_000)],
  ]);
  const domains = new Map(
    table.columns.map(
      (column) => [column.column.name, domainOf(random, column, { table, rows: count })] as const,
    ),
  );
  for (const { columns, to } of declaredReferences(table.schema)) {
    for (const [at, name] of columns.entries()) {
      domains.set(name, referringCells(random, domains.get(to.columns[at] ?? "") ?? []));
    }
  }
  const context: Context = { random, table, domains };
  const rows = random.list(count, () => anyRow(context));
  const load = random.chance(0.2) ? "as a dump" : "as values";
  const { schema, child } = table;
  return { seed, schema, child, load, rows, steps: anySteps(context, rows) };
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

function anySteps(context: Context, rows: readonly GivenCells[]): readonly Step[] {
  const { random, table } = context;
  const known = [...rows];
  const steps: Step[] = [];
  const queries = random.int(60, 200);
  for (let asked = 0; asked < queries; asked++) {
    const query = anyQuery(context);
    steps.push({ kind: "select", query });
    // Indexes may take in few writes otherwise than many.
    const writes = random.weighted([
      [75, 0],
      [25, random.int(1, 3)],
      [0.5, random.int(20, 150)],
    ]);
    steps.push(...random.list(writes, () => anyWrite(context, known)));
    if (table.child !== undefined && random.chance(0.4)) {
      steps.push(anyChildWrite(context, table.child));
    }
    if (random.chance(0.02)) steps.push({ kind: random.pick(["save", "fork"]) });
    if (random.chance(0.02)) steps.push({ kind: random.pick(["back", "back", "keep"]) });
  }
  return steps;
}

function anyWrite(context: Context, known: GivenCells[]): Step {
  const { random, table } = context;
  const hasKey = table.schema.primaryKey.length > 0;
  const kind = hasKey ? random.pick(["insert", "update", "update", "replace", "delete"]) : "insert";
  if (kind === "insert") {
    const given = anyRow(context);
    known.push(given);
    return { kind, given };
  }
  const key = anyKey(context, known);
  if (kind === "delete") return { kind, key };
  const given = anyChanges(context);
  if (kind === "update") known.push(given);
  return { kind: kind === "replace" ? "replace" : "update", key, given };
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
function anyKey(context: Context, known: readonly GivenCells[]): readonly SqlCell[] {
  const { random, table } = context;
  // What was just written is written again more often than the rest.
  const candidates = random.chance(0.3) ? known.slice(-3) : known;
  const row = candidates.length > 0 && random.chance(0.95) ? random.pick(candidates) : {};
  return table.schema.primaryKey.map((name) => {
    const column = table.columns.find((one) => one.column.name === name);
    if (column === undefined) throw new Error(`There is no column ${name}.`);
    const given = Object.hasOwn(row, name) ? row[name] : undefined;
    if (given !== undefined && random.chance(0.95)) return given;
    return column.isRowId ? BigInt(random.int(1, known.length + 2)) : cellFor(context, column);
  });
}
