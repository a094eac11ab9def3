import { didYouMean, showText } from "../../errors/show.ts";
import type { Call } from "../../http/call.ts";
import { type Reply, emptyReply, jsonReply, asMiss } from "../../http/reply.ts";
import type { Query, Table, WriteResult } from "../../store/table.ts";
import type { TableSchema } from "../../store/schema.ts";
import { readParameters } from "../parameters.ts";
import type { ProfileAnswers, TablesRequest } from "../profile-answers.ts";
import { selectReply, writeAnswerer } from "../rows-reply.ts";
import {
  type RestFailure,
  listNames,
  restErrorStatuses,
  type RestErrorCode,
  violationFailure,
} from "./errors.ts";
import { planRead } from "./query-parameters.ts";
import {
  allMethods,
  methodsOf,
  readOperation,
  readTarget,
  type Target,
  type WriteOperation,
} from "./request.ts";
import { writeRow } from "./write.ts";
import { bearerKey, isAcceptedKey } from "../../http/bearer-key.ts";

/** The documented interface. */
export const documentAnswers: ProfileAnswers = {
  cors: { methods: allMethods },
  refuse: refuseWithoutToken,
  answer,
  answerElsewhere: undefined,
  refuseUnrecorded: (message) =>
    jsonReply(restErrorStatuses.not_recorded, { error: message, code: "not_recorded" }),
  faults: {
    isOfTable: (path, table) => {
      const target = readTarget(path);
      return target.ok && target.value.table === table;
    },
    // The code is none of the service's own, since it was never asked.
    answer: ({ status, message, headers }) =>
      jsonReply(status, { error: message, code: "planned_fault" }, headers),
  },
};

function answer(request: TablesRequest): Reply | Promise<Reply> {
  return answerKnownRead(request) ?? answerAnew(request);
}

/** A recent GET of any emulator: what it asks for depends only on path, query and schema, which all are compared. */
interface KnownRead {
  readonly query: Query;
  readonly schema: TableSchema;
}

const knownReads = new Map<string, KnownRead>();
/** Enough for the pages of a list, and for what a page of a site asks for repeatedly. */
const mostKnown = 256;
/** Longer ones are rare and would take much memory. */
const longestKnown = 1000;

/** Reading and checking the parameters again takes 4 to 9 % of a page's time, and 5 of its 13 KB of garbage. */
function answerKnownRead({ call, path, database }: TablesRequest): Reply | undefined {
  if (call.method !== "GET") return undefined;
  const known = knownReads.get(`${path}?${call.query}`);
  const table = known && database.table(known.schema.name);
  if (known === undefined || table === undefined || table.schema !== known.schema) return undefined;
  return selectReply("GET", table, known.query);
}

function keepRead({ call, path }: TablesRequest, read: KnownRead): void {
  const asked = `${path}?${call.query}`;
  if (call.method !== "GET" || asked.length > longestKnown) return;
  const [oldest] = knownReads.size < mostKnown ? [] : knownReads.keys();
  if (oldest !== undefined) knownReads.delete(oldest);
  knownReads.set(asked, read);
}

function answerAnew(request: TablesRequest): Reply | Promise<Reply> {
  const { call, path, database } = request;
  const { method } = call;
  const target = readTarget(path);
  if (!target.ok) return refusal(method, target.error);
  const { table: name, key } = target.value;
  const table = database.table(name);
  if (table === undefined) return refusal(method, unknownTable(name, database.names()));
  const operation = readOperation(method, target.value, table.schema.primaryKey);
  if (!operation.ok) return refusal(method, operation.error);
  switch (operation.value) {
    case "options":
      return emptyReply(204, { allow: methodsOf(target.value).join(", ") });
    case "read": {
      const query = planRead(table.schema, key, readParameters(call.query));
      if (!query.ok) return refusal(method, query.error);
      keepRead(request, { query: query.value, schema: table.schema });
      return selectReply(method, table, query.value);
    }
    default:
      return answerWrite(call, operation.value, { target: target.value, table });
  }
}

async function answerWrite(
  call: Call,
  operation: WriteOperation,
  row: { readonly target: Target; readonly table: Table },
): Promise<Reply> {
  const result = await writeRow(call, operation, row);
  if (!result.ok) return refusal(call.method, result.error);
  return respond(operation, row.table.schema, result.value);
}

function unknownTable(name: string, names: readonly string[]): RestFailure {
  return {
    code: "unknown_table",
    message: `There is no table ${showText(name)}.${didYouMean(name, names)}`,
    hint: listNames("Tables", names),
  };
}

/** Of each operation: its method, what it does, and what it has done. */
const words: Readonly<Record<WriteOperation, readonly [string, string, string]>> = {
  insert: ["POST", "insert a row into", "created"],
  replace: ["PUT", "replace a row of", "replaced"],
  update: ["PATCH", "update a row of", "updated"],
  delete: ["DELETE", "delete a row of", "deleted"],
};

/** The answer to a write: the row as stored now, or every rule that the write would break. */
function respond(operation: WriteOperation, schema: TableSchema, result: WriteResult): Reply {
  const [method, what, done] = words[operation];
  const { name, columns, primaryKey } = schema;
  if (!result.ok) {
    const names = columns.map((column) => column.name);
    return refusal(method, violationFailure(`${what} "${name}"`, result.violations, names));
  }
  const message = `Resource ${done} successfully`;
  const body = operation === "delete" ? { message } : { message, data: result.row };
  const status = operation === "insert" ? 201 : 200;
  // A new row was not searched for.
  const key = operation === "insert" ? [] : primaryKey;
  const values = key.map((column) => [column, result.row[column]] as const);
  return {
    answeredBy: writeAnswerer(method, schema, values),
    ...jsonReply(status, { result: body }),
  };
}

/** Failures about something that the fixtures do not have. */
const misses: ReadonlySet<RestErrorCode> = new Set(["unknown_path", "unknown_table"]);

/** A failure in the service's envelope, with this profile's additional fields. */
function refusal(method: string, { code, message, hint, headers }: RestFailure): Reply {
  const body = { error: message, code, ...(hint === undefined ? {} : { hint }) };
  const reply = jsonReply(restErrorStatuses[code], body, headers);
  const named = { answeredBy: `${method}: ${code}`, ...reply };
  return misses.has(code) ? asMiss(named) : named;
}

/** Checked before anything else: without the token, neither tables nor body are touched. */
function refuseWithoutToken(call: Call, tokens: readonly string[] | null): Reply | undefined {
  if (tokens === null) return undefined;
  const key = bearerKey(call.headers["authorization"]);
  if (key !== undefined && isAcceptedKey(key, tokens)) return undefined;
  return refusal(call.method, { code: "unauthorized", message: "Unauthorized request" });
}
