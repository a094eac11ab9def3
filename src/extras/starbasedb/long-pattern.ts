import { type Condition, operators } from "../../core/store/operators.ts";
import type { Table } from "../../core/store/table.ts";
import { integerKey, rowIdColumn } from "./columns.ts";
import type { Filter } from "./filters.ts";
import { FixedValues } from "./fixed-values.ts";
import { uniqueConstraints } from "./unique-indexes.ts";

/** A condition on a column. */
interface Judged {
  readonly condition: Condition;
  readonly isTooLong: boolean;
}

/**
 * Whether a pattern that is too long is compared with anything: SQLite refuses it only then. Before any row come the
 * conditions on columns of which another one says what they have.
 */
export function comparesLongPattern(table: Table, filters: readonly Filter[]): boolean {
  if (!filters.some(({ kind, isTooLong }) => kind === "column" && isTooLong)) return false;
  const judged = filters.flatMap((filter) => (filter.kind === "column" ? [filter] : []));
  const where = judged.map(({ condition }) => condition);
  const fixed = new FixedValues(table.schema, where);
  const inRows: Judged[] = [];
  for (const one of judged) {
    const passes = fixed.judge(one.condition);
    if (passes === undefined) inRows.push(one);
    else if (one.isTooLong) return true;
    else if (!passes) return false;
  }
  return comparesInRows(table, inRows);
}

/**
 * Rows come to the pattern that pass the conditions before it and those that an index answers, and NULL is not
 * compared.
 */
function comparesInRows(table: Table, judged: readonly Judged[]): boolean {
  const position = judged.findIndex(({ isTooLong }) => isTooLong);
  const long = judged[position];
  if (long === undefined) return false;
  const indexed = indexedColumns(table);
  const before = judged
    .map(({ condition }) => condition)
    .filter((one, index) => index < position || (indexed.has(one.column) && isSearch(one)));
  const { column } = long.condition;
  const present: Condition = { column, operator: "like", value: "%" };
  return table.select({ where: [...before, present], limit: 1 }).length > 0;
}

/** Columns by whose order rows can be found. */
function indexedColumns({ schema }: Table): ReadonlySet<string> {
  const first = uniqueConstraints(schema).flatMap((columns) => columns[0] ?? []);
  const rowIds = [integerKey(schema), rowIdColumn(schema)].flatMap((name) => name ?? []);
  const declared = (schema.indexes ?? []).flatMap(({ columns }) => columns[0]?.name ?? []);
  return new Set([...first, ...rowIds, ...declared]);
}

function isSearch({ operator }: Condition): boolean {
  return operators[operator].search !== "none";
}
