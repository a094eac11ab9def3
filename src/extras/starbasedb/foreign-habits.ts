import type { Reply } from "../../core/http/reply.ts";
import { adviceOn, hasOddList, warnOfHabits } from "../../core/tables/advise.ts";
import { readParameters } from "../../core/tables/parameters.ts";
import type { TablesRequest } from "../../core/tables/profile-answers.ts";
import { rowsFound } from "../../core/tables/rows-reply.ts";
import { isOperator, readCondition } from "../../core/store/operators.ts";
import { sqliteStorage } from "../../core/store/storage-rules.ts";
import { columnNamed } from "./columns.ts";
import type { StatementTarget } from "./request.ts";
import { findTable } from "./system-tables.ts";
import { sanitize } from "./words.ts";

/**
 * Warns of a GET that follows the conventions of other tools. The service refuses some of these with 500, and
 * misunderstands others: unknown operators mean equality, an unknown order is ignored.
 */
export async function warnOfForeignHabits(
  request: TablesRequest,
  { name, key }: StatementTarget,
  reply: Reply,
): Promise<void> {
  const { call, database } = request;
  const schema = findTable(database, name)?.schema;
  if (schema === undefined) return;
  const column = (word: string): string | undefined =>
    /^\w+$/.test(word) ? columnNamed(schema, sanitize(word)) : undefined;
  const isOdd = reply.status !== 200 || rowsFound(reply) === 0 || !isPlain(call.query, column);
  if (!isOdd) return;
  const scope = { schema, storage: sqliteStorage, column, database, key };
  const advice = await adviceOn(call.query, scope);
  if (advice !== undefined) warnOfHabits(request, advice, reply);
}

/** Whether the service understands all parameters as their client probably means them. */
function isPlain(query: string, column: (word: string) => string | undefined): boolean {
  const parameters = readParameters(query);
  // If a parameter is repeated, the service takes its first value.
  if (new Set(parameters.map(({ name }) => name)).size < parameters.length) return false;
  return parameters.every(({ name, value }) => {
    if (name === "limit" || name === "offset") return /^\d+$/.test(value);
    if (name === "order") return /^(?:asc|desc)$/i.test(value);
    if (name === "sort_by") return column(value) !== undefined;
    const dot = name.lastIndexOf(".");
    const operator = dot < 0 ? "eq" : name.slice(dot + 1);
    const known = column(dot < 0 ? name : name.slice(0, dot));
    return (
      known !== undefined &&
      isOperator(operator) &&
      !hasOddList([readCondition(known, operator, value)])
    );
  });
}
