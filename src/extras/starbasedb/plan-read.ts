import type { Condition } from "../../core/store/operators.ts";
import type { Query, Sort } from "../../core/store/query.ts";
import type { TableSchema } from "../../core/store/schema.ts";
import type { Table } from "../../core/store/table.ts";
import { readParameters } from "../../core/rest/parameters.ts";
import { answered, type Plan, type TablesRequest } from "../../core/rest/plan.ts";
import { rowsReply } from "../../core/rest/rows-reply.ts";
import { integerKey, keyColumns } from "./columns.ts";
import { failedReply } from "./errors.ts";
import { type Filter, readFilter } from "./filters.ts";
import { findTable } from "./find-table.ts";
import { findKey, keyFilter } from "./key.ts";
import { deepestExpression, mostValues } from "./limits.ts";
import type { StatementTarget } from "./path.ts";
import { comparesLongPattern } from "./long-pattern.ts";
import { refusePragma } from "./pragma.ts";
import { rowOrder } from "./row-order.ts";
import type { TermScope } from "./term.ts";
import { isName } from "./words.ts";
import { readSorting, readWindow, type RowWindow, type Sorting } from "./window.ts";

/** Plans a GET: `SELECT * FROM table WHERE … ORDER BY … LIMIT ? OFFSET ?`. */
export function planRead(request: TablesRequest, target: StatementTarget): Plan {
  const refused = refusePragma(target.name);
  if (refused !== undefined) return answered(refused);
  const table = isName(target.name) ? findTable(request.database, target.name) : undefined;
  const statement =
    table === undefined ? undefined : readStatement(request, { table, key: target.key });
  if (table === undefined || statement === undefined) return answered(failedReply("read"));
  const { filters } = statement;
  switch (checkConstants(filters)) {
    case "fails":
      return answered(failedReply("read"));
    case "none":
      return answered(rowsReply([], `${request.call.method} ${table.schema.name}: 0 rows`));
    case "pass":
      break;
  }
  if (comparesLongPattern(table, filters)) return answered(failedReply("read"));
  return { kind: "read", table, query: queryOf(table.schema, statement) };
}

/** The parts of a statement that SQLite takes. */
interface Statement {
  readonly filters: readonly Filter[];
  readonly sorting: Sorting;
  readonly window: RowWindow;
}

function readStatement(
  { call, now }: TablesRequest,
  { table, key }: { readonly table: Table; readonly key: string | undefined },
): Statement | undefined {
  const parameters = readParameters(call.query);
  const first = (name: string): string | undefined =>
    parameters.find((parameter) => parameter.name === name)?.value;
  const scope: TermScope = { schema: table.schema, now };
  const columns = keyColumns(table.schema);
  const found = findKey(columns, key, first);
  const keys = found.ok ? [...found.values] : [];
  const filters = [
    ...keys.map(([column, value]) => keyFilter(column, String(value), scope)),
    ...parameters
      .filter(({ name }) => !reservedNames.has(name) && !columns.includes(name))
      .map((parameter) => readFilter(parameter, scope)),
  ];
  const sorting = readSorting(first("sort_by"), first("order"), scope);
  const window = readWindow(first("limit"), first("offset"));
  if (sorting === undefined || window === undefined) return undefined;
  const known = filters.flatMap((filter) => filter ?? []);
  if (known.length < filters.length || exceedsLimits(known, window)) return undefined;
  return { filters: known, sorting, window };
}

const reservedNames: ReadonlySet<string> = new Set(["sort_by", "order", "limit", "offset"]);

function exceedsLimits(filters: readonly Filter[], { limit, offset }: RowWindow): boolean {
  const counts = [limit, offset].filter((count) => count !== undefined).length;
  const values = filters.reduce((sum, filter) => sum + filter.values, counts);
  return values > mostValues || depthOf(filters) > deepestExpression;
}

/** How deep an expression is in which AND joins one condition after the other. */
function depthOf([first, ...others]: readonly Filter[]): number {
  return others.reduce((depth, filter) => 1 + Math.max(depth, filter.depth), first?.depth ?? 0);
}

/** Conditions on constants are judged before any row is looked at, one after the other. */
function checkConstants(filters: readonly Filter[]): "fails" | "none" | "pass" {
  for (const filter of filters) {
    if (filter.kind === "column") continue;
    if (filter.isTooLong) return "fails";
    if (!filter.passes) return "none";
  }
  return "pass";
}

function queryOf(schema: TableSchema, { filters, sorting, window }: Statement): Query {
  const where = filters.flatMap((filter): readonly Condition[] =>
    filter.kind === "column" ? [filter.condition] : [],
  );
  return { where, sort: sortOf(schema, where, sorting), ...window };
}

/** Of one row nobody needs to find out the order. */
function sortOf(
  schema: TableSchema,
  where: readonly Condition[],
  sorting: Sorting,
): Sort | undefined {
  const key = integerKey(schema);
  if (where.some(({ column, operator }) => column === key && operator === "eq")) return undefined;
  return rowOrder(schema, where, sorting.kind === "sorted" ? sorting.key : undefined);
}
