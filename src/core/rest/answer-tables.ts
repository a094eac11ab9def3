import { counted } from "../errors/counted.ts";
import type { AnswerDetails, AnswerScene, Answerer } from "../http/answerer.ts";
import type { Call } from "../http/call.ts";
import { isPreflight, preflightReply, withCors } from "../http/cors.ts";
import { type PlannedError, type Reply, emptyReply, withoutBody } from "../http/reply.ts";
import { Database } from "../store/database.ts";
import type { Condition } from "../store/operators.ts";
import type { Query } from "../store/query.ts";
import type { TableSchema } from "../store/schema.ts";
import type { Table } from "../store/table.ts";
import { executeChange } from "./execute.ts";
import type { ReadPlan, RestStages, RowTarget, WritePlan } from "./plan.ts";
import { rowsReply } from "./rows-reply.ts";

/** What the tables interface works with. */
export interface TablesContext {
  readonly database: Database;
  /** Those of its profile. */
  readonly stages: RestStages;
  /** The tokens that open the tables; null: everybody may. */
  readonly tokens: readonly string[] | null;
  readonly cors: boolean;
  /** The time, in milliseconds of Unix time. */
  readonly now: () => number;
}

/** Answers a call to the tables. `path` is what follows `/rest`, still percent-encoded. */
export async function answerTables(
  call: Call,
  path: string,
  context: TablesContext,
): Promise<Reply> {
  const { stages } = context;
  const cors = context.cors && stages.cors !== undefined;
  if (cors && isPreflight(call)) {
    return { ...preflightReply(call, stages.cors.methods), answeredBy: "preflight" };
  }
  const reply = await answer(call, path, context);
  const shown = call.method === "HEAD" ? withoutBody(reply) : reply;
  return cors ? withCors(shown, []) : shown;
}

/** Answers a call at a path that no interface has. Only for profiles that answer such. */
export function answerElsewhere(
  call: Call,
  path: string,
  { stages, tokens }: TablesContext,
): Reply {
  const reply = stages.refuse(call, tokens) ?? stages.answerElsewhere?.(path) ?? emptyReply(404);
  return call.method === "HEAD" ? withoutBody(reply) : reply;
}

async function answer(
  call: Call,
  path: string,
  { database, stages, tokens, now }: TablesContext,
): Promise<Reply> {
  const refusal = stages.refuse(call, tokens);
  if (refusal !== undefined) return refusal;
  const plan = await stages.plan({ call, path, database, now });
  switch (plan.kind) {
    case "answered":
      return plan.reply;
    case "read":
      return answerRead(call, plan);
    case "write":
      return answerWrite(call, plan, stages);
  }
}

function answerRead({ method }: Call, { table, query }: ReadPlan): Reply {
  const rows = table.select(query);
  const { schema } = table;
  return rowsReply(rows, new TableAnswer(`${method} ${schema.name}`, rows.length, schema, query));
}

async function answerWrite({ method }: Call, plan: WritePlan, stages: RestStages): Promise<Reply> {
  const { name, table, change } = plan;
  const reply = stages.respond(plan, await executeChange(table, change));
  const wanted = change.kind === "insert" ? undefined : change.target;
  return labelled(reply, new TableAnswer(`${method} ${name}`, 1, table.schema, wanted));
}

/** Says in the log what gave the answer, unless the reply says so itself, as refusals do. */
function labelled(reply: Reply, answeredBy: TableAnswer): Reply {
  return { answeredBy, ...reply };
}

/** Answers a call to the tables with an error, whatever it asks for. Pages of other origins can read it, too. */
export function failTables(
  { method }: Call,
  error: PlannedError,
  { stages, cors }: FailContext,
): Reply {
  const reply = stages.faults.answer(error);
  const shown = method === "HEAD" ? withoutBody(reply) : reply;
  return cors && stages.cors !== undefined ? withCors(shown, Object.keys(error.headers)) : shown;
}

/** Refuses a call to the tables that is not recorded. The message says so. */
export function refuseUnrecordedRow(
  { method }: Call,
  message: string,
  { stages, cors }: FailContext,
): Reply {
  const reply = stages.refuseUnrecorded(message);
  const shown = method === "HEAD" ? withoutBody(reply) : reply;
  return cors && stages.cors !== undefined ? withCors(shown, []) : shown;
}

type FailContext = Pick<TablesContext, "stages" | "cors">;

/** What a table was asked: for the rows of a query, or for the one row that is changed. */
type Wanted = Query | RowTarget;

/**
 * A table's answer, as log and journal tell of it. It keeps what was asked and no rows, so the plan is that of the table
 * as it is when somebody asks.
 */
export class TableAnswer implements Answerer {
  readonly #words: string;
  readonly #count: number;
  readonly #schema: TableSchema;
  readonly #wanted: Wanted | undefined;

  /** `words` are the method and the table's name, `wanted` is undefined where a row was added. */
  // Not an options object, which would be one more for each request.
  // oxlint-disable-next-line max-params
  constructor(words: string, count: number, schema: TableSchema, wanted: Wanted | undefined) {
    this.#words = words;
    this.#count = count;
    this.#schema = schema;
    this.#wanted = wanted;
  }

  label(): string {
    return `${this.#words}: ${counted(this.#count, "row")}`;
  }

  details({ tables }: AnswerScene): AnswerDetails {
    const table = tables instanceof Database ? tables.table(this.#schema.name) : undefined;
    const query = this.#wanted && queryOf(this.#schema, this.#wanted);
    if (table === undefined || query === undefined || !this.#fits(table, query)) return {};
    return { plan: table.explain(query) };
  }

  /** Whether the table is still the same, or at least has the columns that were asked for. */
  #fits({ schema }: Table, { where, sort }: Query): boolean {
    if (schema === this.#schema) return true;
    const known = new Set(schema.columns.map(({ name }) => name));
    const columns = [...where, ...(sort?.by ?? [])].map(({ column }) => column);
    return columns.every((column) => known.has(column));
  }
}

/** The query that finds the row of a change; undefined where no text says its key. */
function queryOf({ primaryKey }: TableSchema, wanted: Wanted): Query | undefined {
  if (!("key" in wanted)) return wanted;
  const where = primaryKey.flatMap((column, place): readonly Condition[] => {
    const value = wanted.key[place] ?? null;
    return typeof value === "object" ? [] : [{ column, operator: "eq", value: String(value) }];
  });
  return where.length === primaryKey.length ? { where } : undefined;
}
