import { didYouMean, showText } from "../../errors/show.ts";
import type { Call } from "../../http/call.ts";
import { type Reply, emptyReply, jsonReply, asMiss } from "../../http/reply.ts";
import type { Query, Table } from "../../store/table.ts";
import type { TableSchema } from "../../store/schema.ts";
import { findRows } from "../find-rows.ts";
import { readParameters } from "../parameters.ts";
import { type KnownKeys, tokenAdvice } from "../token-advice.ts";
import type { ProfileAnswers, TablesRequest } from "../profile-answers.ts";
import { rowsFound, selectReply, writeAnswerer } from "../rows-reply.ts";
import {
  type TablesFailure,
  type TablesFailures,
  hintText,
  joinFailures,
  listNames,
  tablesErrorStatuses,
  type TablesErrorCode,
  violationFailure,
} from "./errors.ts";
import { adviceOn, hasOddList, warnOfHabits } from "../advise.ts";
import type { HabitScope } from "../habits/scope.ts";
import { strictStorage } from "../../store/storage-rules.ts";
import { planRead } from "./query-parameters.ts";
import {
  allMethods,
  methodsOf,
  type PathKey,
  readOperation,
  readTarget,
  type Target,
  type WriteOperation,
} from "./request.ts";
import { type RowWrite, writeRow } from "./write.ts";
import { bearerKey, isAcceptedKey } from "../../http/bearer-key.ts";

/** The documented interface. */
export const documentAnswers: ProfileAnswers = {
  cors: { methods: allMethods },
  refuse: refuseWithoutToken,
  answer,
  answerElsewhere: undefined,
  refuseUnrecorded: (message) =>
    jsonReply(tablesErrorStatuses.not_recorded, { error: message, code: "not_recorded" }),
  faults: {
    isOfTable: (path, table) => {
      const target = readTarget(path);
      return target.ok && target.value.table === table;
    },
    // The code is not one of the service's own, since no rule of the service refuses the request.
    answer: ({ status, message, headers }) =>
      jsonReply(status, { error: message, code: "planned_fault" }, headers),
  },
};

/** Answers with the rows of a query. If there are none, the log says what the client probably meant. */
function answerRead(
  request: TablesRequest,
  query: Query,
  { table, key }: { readonly table: Table; readonly key: PathKey | undefined },
): Reply | Promise<Reply> {
  const { call } = request;
  const reply = selectReply(call.method, table, query);
  if (rowsFound(reply) !== 0 && !hasOddList(query.where)) return reply;
  return withAdviceInLog(request, reply, scopeOf(request, table, key));
}

async function withAdviceInLog(
  request: TablesRequest,
  reply: Reply,
  scope: HabitScope,
): Promise<Reply> {
  const advice = await adviceOn(request.call.query, scope);
  if (advice !== undefined) warnOfHabits(request, advice, reply);
  return reply;
}

function scopeOf(
  { database }: Pick<TablesRequest, "database">,
  { schema }: Table,
  key: PathKey | undefined,
): HabitScope {
  const column = (name: string): string | undefined =>
    schema.columns.some((known) => known.name === name) ? name : undefined;
  return { schema, storage: strictStorage, column, database, key: key?.whole };
}

function answer(request: TablesRequest): Reply | Promise<Reply> {
  const { call, path, database } = request;
  const { method } = call;
  const asked = refusedRequest(request);
  const target = readTarget(path);
  if (!target.ok) return refusal(asked, withRowsMeant(target.error, request));
  const { table: name, key } = target.value;
  const table = database.table(name);
  if (table === undefined) {
    return refusal(asked, withRowsMeant(unknownTable(name, database.names()), request));
  }
  const operation = readOperation(method, target.value, table.schema.primaryKey);
  if (!operation.ok) return refusal(asked, withKeyOfQuery(operation.error, request, table.schema));
  switch (operation.value) {
    case "options":
      return emptyReply(204, { allow: methodsOf(target.value).join(", ") });
    case "read": {
      const query = planRead(table.schema, key, readParameters(call.query));
      if (!query.ok) return refuseQuery(request, query.error, scopeOf(request, table, key));
      return answerRead(request, query.value, { table, key });
    }
    default:
      return answerWrite(request, operation.value, { target: target.value, table });
  }
}

/** Refuses a query. If it follows another tool's conventions, the refusal says what to write instead. */
async function refuseQuery(
  request: TablesRequest,
  [first, ...others]: TablesFailures,
  scope: HabitScope,
): Promise<Reply> {
  const advice = await adviceOn(request.call.query, scope);
  const advised = (failure: TablesFailure): TablesFailure =>
    advice?.about.includes(failure.about ?? "") === true
      ? withAdvice(failure, advice.text)
      : failure;
  return refusal(refusedRequest(request), joinFailures(advised(first), others.map(advised)));
}

/** Adds advice to a failure, and drops the guessed column name if the advice names another one. */
function withAdvice(failure: TablesFailure, advice: string): TablesFailure {
  const { guessed } = failure;
  if (guessed === undefined || advice.includes(guessed)) return { ...failure, hint: advice };
  return { ...failure, guess: "", hint: advice };
}

async function answerWrite(
  request: TablesRequest,
  operation: WriteOperation,
  row: { readonly target: Target; readonly table: Table },
): Promise<Reply> {
  const result = await writeRow(request.call, operation, row);
  if (!result.ok) return refusal(refusedRequest(request), result.error);
  return respond(operation, row.table.schema, result.value, refusedRequest(request));
}

/** For a path as other services have it, such as `/v1/posts` or `/posts/1/comments`, adds a hint at the right path. */
function withRowsMeant(failure: TablesFailure, { path, database }: TablesRequest): TablesFailure {
  const rows = failure.code === "invalid_path" ? undefined : findRows(path, database);
  // A path that already begins with the right one gets no hint.
  const isKnown = rows === undefined || path.startsWith(rows.path.slice("/rest".length));
  if (isKnown || !rows.isExact) return failure;
  const below = rows.path.slice("/rest".length);
  return { ...failure, guess: "", hint: (root) => `Use ${root}${below}.` };
}

/** For a write that names its row in the query, such as `?id=5`, adds a hint at the row's path. */
function withKeyOfQuery(
  failure: TablesFailure,
  { call }: TablesRequest,
  { name, primaryKey }: TableSchema,
): TablesFailure {
  if (failure.code !== "missing_key") return failure;
  const sent = readParameters(call.query);
  const values = primaryKey.map((column) => {
    const found = sent.find((one) => one.name === column || one.name === `${column}.eq`);
    return found?.value.replace(/^eq\./, "");
  });
  if (values.some((value) => value === undefined)) return failure;
  const key = values.map((value = "") => encodeURIComponent(value)).join(",");
  const below = `${encodeURIComponent(name)}/${key}`;
  return { ...failure, hint: (root) => `Use ${call.method} ${root}/${below}.` };
}

function unknownTable(name: string, names: readonly string[]): TablesFailure {
  return {
    code: "unknown_table",
    message: `There is no table ${showText(name)}.`,
    guess: didYouMean(name, names),
    hint: listNames("Tables", names),
  };
}

/** For each operation: its method, its verb, and the verb's past form. */
const words: Readonly<Record<WriteOperation, readonly [string, string, string]>> = {
  insert: ["POST", "insert a row into", "created"],
  replace: ["PUT", "replace a row of", "replaced"],
  update: ["PATCH", "update a row of", "updated"],
  delete: ["DELETE", "delete a row of", "deleted"],
};

/** The answer to a write: the row as stored now, or every rule that the write would break. */
function respond(
  operation: WriteOperation,
  schema: TableSchema,
  result: RowWrite,
  asked: RefusedRequest,
): Reply {
  const [method, what, done] = words[operation];
  const { name, columns, primaryKey } = schema;
  if (!result.ok) {
    const names = columns.map((column) => column.name);
    return refusal(asked, violationFailure(`${what} "${name}"`, result.violations, names));
  }
  const message = `Resource ${done} successfully`;
  const body = operation === "delete" ? { message } : { message, data: result.row };
  const status = operation === "insert" ? 201 : 200;
  // A new row has no key to log: nothing was looked up.
  const key = operation === "insert" ? [] : primaryKey;
  const values = key.map((column) => [column, result.row[column]] as const);
  return {
    answeredBy: writeAnswerer(method, schema, values, {
      before: result.before,
      after: operation === "delete" ? undefined : result.row,
    }),
    ...jsonReply(status, { result: body }),
  };
}

/** Failures about something that the fixtures do not have. */
const misses: ReadonlySet<TablesErrorCode> = new Set(["unknown_path", "unknown_table"]);

/** What a refusal needs to know about its request. */
interface RefusedRequest {
  readonly method: string;
  /** The path of the tables in the request's own form, with its session: such as `/@test-7/v1/rest`. */
  readonly root: string;
}

function refusedRequest({ call, path }: Pick<TablesRequest, "call" | "path">): RefusedRequest {
  const { method, path: whole, prefix = "" } = call;
  return { method, root: prefix + whole.slice(0, whole.length - path.length) };
}

/** A failure in the service's envelope, with this profile's additional fields. */
function refusal({ method, root }: RefusedRequest, failure: TablesFailure): Reply {
  const { code, message, guess = "", hint, headers } = failure;
  const body = {
    error: message + guess,
    code,
    ...(hint === undefined ? {} : { hint: hintText(hint, root) }),
  };
  const reply = jsonReply(tablesErrorStatuses[code], body, headers);
  const named = { answeredBy: `${method}: ${code}`, ...reply };
  return misses.has(code) ? asMiss(named) : named;
}

/** Refuses a call without the token. Checked before anything else, so that neither tables nor body are touched. */
function refuseWithoutToken({ method, headers }: Call, keys: KnownKeys): Reply | undefined {
  if (keys.tokens === null) return undefined;
  const key = bearerKey(headers["authorization"]);
  if (key !== undefined && isAcceptedKey(key, keys.tokens)) return undefined;
  const hint = tokenAdvice(headers, keys);
  const message = "Unauthorized request";
  return refusal({ method, root: "" }, { code: "unauthorized", message, hint });
}
