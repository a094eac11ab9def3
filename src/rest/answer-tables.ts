import { bearerKey, isAcceptedKey } from "../http/bearer-key.ts";
import type { Call } from "../http/call.ts";
import { isPreflight, preflightReply, withCors } from "../http/cors.ts";
import { emptyReply, type Reply, withoutBody } from "../http/reply.ts";
import type { Database } from "../store/database.ts";
import type { Condition } from "../store/filter.ts";
import type { Row } from "../store/row.ts";
import type { Table } from "../store/table.ts";
import { accepted, type Failure, type Outcome, refused, violationFailure } from "./errors.ts";
import { executeWrite } from "./execute.ts";
import { allMethods, methodsOf, type Operation } from "./methods.ts";
import type { WritePlan } from "./plan.ts";
import type { RestProfile } from "./profiles.ts";
import { readParameters, type Target } from "./request.ts";
import { rowsReply } from "./respond.ts";

/** What the tables interface works with. */
export interface TablesContext {
  readonly database: Database;
  readonly profile: RestProfile;
  /** The tokens that open the tables; null: everybody may. */
  readonly tokens: readonly string[] | null;
  readonly cors: boolean;
}

/**
 * Answers a call to the tables. `path` is what follows `/rest`, still percent-encoded. Whatever the client
 * sends, the answer is a 2xx or a 4xx.
 */
export async function answerTables(
  call: Call,
  path: string,
  context: TablesContext,
): Promise<Reply> {
  const cors = context.cors && context.profile.cors;
  if (cors && isPreflight(call)) {
    return { ...preflightReply(call, allMethods), answeredBy: "preflight" };
  }
  const outcome = await answer(call, path, context);
  const reply = outcome.ok ? outcome.value : refusal(call, outcome.failure, context.profile);
  const shown = call.method === "HEAD" ? withoutBody(reply) : reply;
  return cors ? withCors(shown, []) : shown;
}

function refusal({ method }: Call, failure: Failure, profile: RestProfile): Reply {
  return { ...profile.failureReply(failure), answeredBy: `${method}: ${failure.code}` };
}

async function answer(
  call: Call,
  path: string,
  { database, profile, tokens }: TablesContext,
): Promise<Outcome<Reply>> {
  if (!isAuthorized(call, tokens)) {
    return refused({ code: "unauthorized", message: "Unauthorized request" });
  }
  const target = profile.readTarget(path);
  if (!target.ok) return target;
  const table = profile.findTable(database, target.value.table);
  if (!table.ok) return table;
  const { primaryKey } = table.value.schema;
  const operation = profile.readOperation(call.method, target.value, primaryKey);
  if (!operation.ok) return operation;
  const request = { call, profile, table: table.value, target: target.value };
  switch (operation.value) {
    case "options":
      return accepted(emptyReply(204, { allow: methodsOf(target.value).join(", ") }));
    case "read":
      return answerRead(request);
    default:
      return answerWrite(request, operation.value);
  }
}

/** Nothing else is looked at before this: neither tables nor body are reached without the token. */
function isAuthorized(call: Call, tokens: readonly string[] | null): boolean {
  if (tokens === null) return true;
  const key = bearerKey(call.headers["authorization"]);
  return key !== undefined && isAcceptedKey(key, tokens);
}

interface TableRequest {
  readonly call: Call;
  readonly profile: RestProfile;
  readonly table: Table;
  readonly target: Target;
}

function answerRead({ call, profile, table, target }: TableRequest): Outcome<Reply> {
  const plan = profile.planRead(table.schema, target.key, readParameters(call.query));
  if (!plan.ok) return plan;
  const rows = table.select(plan.value);
  const count = rows.length === 1 ? "1 row" : `${rows.length} rows`;
  return accepted({ ...rowsReply(rows), answeredBy: `${call.method} ${target.table}: ${count}` });
}

async function answerWrite(
  request: TableRequest,
  operation: Exclude<Operation, "read" | "options">,
): Promise<Outcome<Reply>> {
  const { call, profile, table, target } = request;
  const plan = await planWrite(request, operation);
  if (!plan.ok) return plan;
  const result = executeWrite(table, plan.value);
  if (!result.ok) {
    const columns = table.schema.columns.map(({ name }) => name);
    return refused(
      violationFailure(
        `${operation} ${nouns[operation]} "${target.table}"`,
        result.violations,
        columns,
      ),
    );
  }
  const reply = profile.writtenReply(operation, result.row);
  return accepted({ ...reply, answeredBy: `${call.method} ${target.table}: 1 row` });
}

const nouns: Readonly<Record<WritePlan["kind"], string>> = {
  insert: "a row into",
  replace: "a row of",
  update: "a row of",
  delete: "a row of",
};

async function planWrite(
  { call, profile, table, target }: TableRequest,
  operation: WritePlan["kind"],
): Promise<Outcome<WritePlan>> {
  const query = profile.refuseQuery(readParameters(call.query));
  if (query !== undefined) return refused(query);
  const where: Outcome<readonly Condition[]> =
    target.key === undefined ? accepted([]) : profile.keyConditions(table.schema, target.key);
  if (!where.ok) return where;
  if (operation === "delete") return accepted({ kind: operation, where: where.value });
  const row: Outcome<Row> = await profile.readRowBody(call);
  if (!row.ok) return row;
  switch (operation) {
    case "insert":
      return accepted({ kind: operation, row: row.value });
    case "replace":
      return profile.planReplace(table.schema, where.value, row.value);
    case "update":
      return profile.planUpdate(table.schema, where.value, row.value);
  }
}
