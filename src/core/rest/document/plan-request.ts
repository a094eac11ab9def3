import { type Failure, listNames } from "./errors.ts";
import { failed, ok, type Result } from "../../errors/result.ts";
import { didYouMean } from "../../errors/nearest-name.ts";
import { andThen, type MaybePromise } from "../../http/maybe-promise.ts";
import type { Call } from "../../http/call.ts";
import { asMiss, emptyReply } from "../../http/reply.ts";
import type { Database } from "../../store/database.ts";
import type { Condition } from "../../store/operators.ts";
import { showText } from "../../errors/show.ts";
import type { TableSchema } from "../../store/schema.ts";
import type { Table } from "../../store/table.ts";
import { readParameters } from "../parameters.ts";
import {
  answered,
  type Change,
  type Plan,
  type TablesRequest,
  type WriteOperation,
} from "../plan.ts";
import { keepRead, knownRead } from "./known-reads.ts";
import { methodsOf, type Operation, readOperation } from "./methods.ts";
import { keyConditions, planRead, planReplace, planUpdate, refuseQuery } from "./plan.ts";
import { readRowBody, readTarget, type Target } from "./request.ts";
import { refusal } from "./respond.ts";
import { readSentRow } from "./sent-row.ts";

/** A request whose path is understood. */
interface TargetRequest {
  readonly call: Call;
  readonly target: Target;
  readonly table: Table;
}

/** What is said of what the fixtures do not have. */
const misses: ReadonlySet<string> = new Set(["unknown_path", "unknown_table"]);

/** Reads a request and plans it, or refuses it with everything that is wrong. */
export function planRequest(request: TablesRequest): MaybePromise<Plan> {
  const known = knownRead(request);
  if (known !== undefined) return known;
  return andThen(plan(request), (outcome) => {
    if (!outcome.ok) {
      const { error: failure } = outcome;
      const reply = refusal(request.call.method, failure);
      return answered(misses.has(failure.code) ? asMiss(reply) : reply);
    }
    if (outcome.value.kind === "read") keepRead(request, outcome.value);
    return outcome.value;
  });
}

function plan({ call, path, database }: TablesRequest): MaybePromise<Result<Plan, Failure>> {
  const target = readTarget(path);
  if (!target.ok) return target;
  const table = findTable(database, target.value.table);
  if (!table.ok) return table;
  const { primaryKey } = table.value.schema;
  const operation = readOperation(call.method, target.value, primaryKey);
  if (!operation.ok) return operation;
  return planOperation({ call, target: target.value, table: table.value }, operation.value);
}

function planOperation(
  request: TargetRequest,
  operation: Operation,
): MaybePromise<Result<Plan, Failure>> {
  const { call, table, target } = request;
  switch (operation) {
    case "options":
      return ok(answered(emptyReply(204, { allow: methodsOf(target).join(", ") })));
    case "read": {
      const query = planRead(table.schema, target.key, readParameters(call.query));
      return query.ok ? ok({ kind: "read", table, query: query.value }) : query;
    }
    default:
      return andThen(planChange(request, operation), (change) => {
        if (!change.ok) return change;
        const { table: name } = target;
        // What is answered is the row as it is stored, so the body is of no further use.
        const rest = { operation, change: change.value, sent: undefined };
        return ok<Plan>({ kind: "write", table, name, ...rest });
      });
  }
}

/** A table by its exact name. */
function findTable(database: Database, name: string): Result<Table, Failure> {
  const table = database.table(name);
  if (table !== undefined) return ok(table);
  const names = database.names();
  return failed({
    code: "unknown_table",
    message: `There is no table ${showText(name)}.${didYouMean(name, names)}`,
    hint: listNames("Tables", names),
  });
}

function planChange(
  { call, table, target }: TargetRequest,
  operation: WriteOperation,
): MaybePromise<Result<Change, Failure>> {
  const query = refuseQuery(readParameters(call.query));
  if (query !== undefined) return failed(query);
  const where: Result<readonly Condition[], Failure> =
    target.key === undefined ? ok([]) : keyConditions(table.schema, target.key);
  if (!where.ok) return where;
  if (operation === "delete") return ok({ kind: operation, target: { where: where.value } });
  return planSent(call, { operation, schema: table.schema, where: where.value });
}

interface SentChange {
  readonly operation: Exclude<WriteOperation, "delete">;
  readonly schema: TableSchema;
  readonly where: readonly Condition[];
}

/** Plans a write that has a body. */
async function planSent(
  call: Call,
  { operation, schema, where }: SentChange,
): Promise<Result<Change, Failure>> {
  const body = await readRowBody(call);
  if (!body.ok) return body;
  const row = await readSentRow(call, body.value, schema);
  if (!row.ok) return row;
  switch (operation) {
    case "insert":
      return ok({ kind: operation, row: row.value });
    case "replace":
      return planReplace(schema, where, row.value);
    case "update":
      return planUpdate(schema, where, row.value);
  }
}
