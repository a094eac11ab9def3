import { readParameters } from "../../core/tables/parameters.ts";
import type { Reply } from "../../core/http/reply.ts";
import type { TablesRequest } from "../../core/tables/profile-answers.ts";
import { rowsReply, selectReply } from "../../core/tables/rows-reply.ts";
import type { Condition } from "../../core/store/operators.ts";
import type { Sort, SortKey, Table } from "../../core/store/table.ts";
import type { TableSchema } from "../../core/store/schema.ts";
import {
  countBound,
  deepestExpression,
  mostValues,
  type StatementFilter,
  findKey,
  keyFilter,
  readStatementFilter,
  type TermScope,
  readTerm,
} from "./filters.ts";
import { integerKey, keyColumns } from "./columns.ts";
import { failedReply } from "./errors.ts";
import { findTable } from "./system-tables.ts";
import { type StatementTarget, refusePragma } from "./request.ts";
import { bestSearch, rowOrder } from "./row-order.ts";
import { isName, sanitize, withoutSeparators, wordKind } from "./words.ts";

/** Answers a GET: `SELECT * FROM table WHERE … ORDER BY … LIMIT ? OFFSET ?`. */
export function selectRows(request: TablesRequest, target: StatementTarget): Reply {
  const refused = refusePragma(target.name);
  if (refused !== undefined) return refused;
  const table = isName(target.name) ? findTable(request.database, target.name) : undefined;
  const statement =
    table === undefined ? undefined : readStatement(request, { table, key: target.key });
  if (table === undefined || statement === undefined) return failedReply("GET");
  const { filters, window } = statement;
  // SQLite evaluates conditions on constants in order before it reads any row.
  const constant = filters.find((one) => one.kind === "constant" && (one.isTooLong || !one.passes));
  if (constant?.isTooLong === true) return failedReply("GET");
  if (constant !== undefined) return rowsReply([], `GET ${table.schema.name}: 0 rows`);
  const [sort] = statement.sorting;
  if (comparesLongPattern(table, filters)) return failedReply("GET");
  const where = filters.flatMap((one) => (one.kind === "column" ? [one.condition] : []));
  return selectReply("GET", table, {
    where,
    sort: orderOf(table.schema, where, sort),
    ...window,
  });
}

/** The parts of a statement that SQLite accepts. */
interface Statement {
  readonly filters: readonly StatementFilter[];
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
  const keys = found.ok ? [...found.value] : [];
  const filters = [
    ...keys.map(([column, value]) => keyFilter(column, String(value), scope)),
    ...parameters
      .filter(({ name }) => !reservedNames.has(name) && !columns.includes(name))
      .map((parameter) => readStatementFilter(parameter, scope)),
  ];
  const sorting = readSorting(first("sort_by"), first("order"), scope);
  const window = readWindow(first("limit"), first("offset"));
  if (sorting === undefined || window === undefined) return undefined;
  const known = filters.flatMap((filter) => filter ?? []);
  if (known.length < filters.length || exceedsLimits(known, window)) return undefined;
  return { filters: known, sorting, window };
}

const reservedNames: ReadonlySet<string> = new Set(["sort_by", "order", "limit", "offset"]);

function exceedsLimits(filters: readonly StatementFilter[], { limit, offset }: RowWindow): boolean {
  const counts = [limit, offset].filter((count) => count !== undefined).length;
  const values = filters.reduce((sum, filter) => sum + filter.values, counts);
  return values > mostValues || depthOf(filters) > deepestExpression;
}

/** The depth of conditions that are joined by AND, one after the other. */
function depthOf([first, ...others]: readonly StatementFilter[]): number {
  return others.reduce((depth, filter) => 1 + Math.max(depth, filter.depth), first?.depth ?? 0);
}

/** How rows are sorted. A single row needs no order. */
function orderOf(
  schema: TableSchema,
  where: readonly Condition[],
  sort: SortKey | undefined,
): Sort | undefined {
  const key = integerKey(schema);
  if (where.some(({ column, operator }) => column === key && operator === "eq")) return undefined;
  return rowOrder(schema, where, sort);
}

/** Integers up to this one are column numbers in ORDER BY; larger ones are plain constants. */
const largestColumnNumber = 0x7f_ff_ff_ff;

/** The keys by which rows are sorted: none, or one. */
type Sorting = readonly [] | readonly [SortKey];

/**
 * Reads `sort_by`, a column or its number, and `order`. Constants sort nothing. Undefined: SQLite refuses the name.
 */
function readSorting(
  sortBy: string | undefined,
  order: string | undefined,
  scope: TermScope,
): Sorting | undefined {
  if (sortBy === undefined || sortBy === "") return [];
  const word = withoutSeparators(sanitize(sortBy));
  const descending = order?.toUpperCase() === "DESC";
  if (wordKind(word) === "integer" && Number(word) <= largestColumnNumber) {
    const column = scope.schema.columns[Number(word) - 1]?.name;
    return column === undefined ? undefined : [{ column, descending }];
  }
  const term = readTerm(word, scope);
  if (term === undefined) return undefined;
  return term.kind === "constant" ? [] : [{ column: term.column, descending }];
}

/** The window of rows to return. */
interface RowWindow {
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}

/**
 * Reads `limit` and `offset` as JavaScript's parseInt does. Anything but a positive number is ignored, and so is an
 * offset without a limit. Undefined: SQLite refuses a number.
 */
function readWindow(
  limitText: string | undefined,
  offsetText: string | undefined,
): RowWindow | undefined {
  const limit = readCount(limitText);
  const offset = limit === undefined ? undefined : readCount(offsetText);
  if ((limit ?? 0) >= countBound || (offset ?? 0) >= countBound) return undefined;
  return { limit, offset };
}

function readCount(text: string | undefined): number | undefined {
  const count = Number.parseInt(text ?? "", 10);
  return count > 0 ? count : undefined;
}

/**
 * Whether SQLite compares any value, NULL included, with a pattern that is too long, and so refuses the pattern. It
 * compares a value if a row passes the filter that finds rows, and the conditions before the pattern.
 */
function comparesLongPattern(table: Table, filters: readonly StatementFilter[]): boolean {
  const ofColumns = filters.filter((filter) => filter.kind === "column");
  const position = ofColumns.findIndex(({ isTooLong }) => isTooLong);
  if (position === -1) return false;
  const conditions = ofColumns.map(({ condition }) => condition);
  const found = bestSearch(table.schema, conditions);
  const before = conditions.slice(0, position);
  const where = found === undefined ? before : [found.filter, ...before];
  return table.select({ where, limit: 1 }).length > 0;
}
