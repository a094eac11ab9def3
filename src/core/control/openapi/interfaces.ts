import type { StateProfiles } from "../../emulator/state/export-state.ts";
import { restErrorStatuses } from "../../rest/document/errors.ts";
import type { JsonSchema, Refer } from "../../schema/schema.ts";
import { operatorNames } from "../../store/operators.ts";
import {
  type Described,
  errorResponses,
  type InterfaceDescription,
  jsonBody,
  jsonResponse,
  component,
  listOf,
  objectOf,
  text,
  count,
  nullable,
} from "./operation.ts";
import type { RequestRules } from "../../chat/request/request-rules.ts";

/** Where the profiles differ. */
interface Dialect {
  readonly order: Described;
  readonly limit: Described;
  readonly offset: Described;
  readonly operators: string;
  readonly key: string;
  readonly error: JsonSchema;
  /** The refusals of an operation that can have these statuses. */
  readonly refusals: (statuses: readonly number[]) => Described;
}

/** A row of any table. */
const row: JsonSchema = {
  type: "object",
  description: "A value for each column, by name.",
  additionalProperties: true,
};

const found = jsonResponse("The matching rows.", objectOf({ result: listOf(row) }));
const written = jsonResponse(
  "The row as stored; under the profile `starbasedb`, the body as sent.",
  objectOf({ result: objectOf({ message: text, "data?": row }) }),
);
const deleted = jsonResponse(
  "The row is gone, or never existed.",
  objectOf({ result: objectOf({ message: text }) }),
);

const ofReads = [400, 401, 404];
const ofDeletes = [...ofReads, 409];
const ofWrites = [...ofDeletes, 413, 415];

/** The tables in a profile. */
export function describeTables(
  profile: StateProfiles["rest"],
  names: readonly string[],
): InterfaceDescription {
  const { key: ofKey, error, refusals, ...query } = dialects[profile];
  const schema = { type: "string", ...(names.length === 0 ? {} : { examples: names }) };
  const inPath = { in: "path", required: true };
  const table = { name: "table", ...inPath, description: "The table's name.", schema };
  const key = { name: "key", ...inPath, description: ofKey, schema: text };
  const read = {
    parameters: queryParameters(query),
    responses: { 200: found, ...refusals(ofReads) },
  };
  const write = {
    requestBody: jsonBody(row),
    responses: { 200: written, ...refusals(ofWrites) },
  };
  const insert = { ...write, responses: { 201: written, ...refusals(ofWrites) } };
  return {
    schemas: { TablesError: error },
    paths: {
      "/rest/{table}": {
        parameters: [table],
        operations: {
          get: { operationId: "readRows", summary: "Finds rows", ...read },
          post: { operationId: "insertRow", summary: "Inserts a row", ...insert },
        },
      },
      "/rest/{table}/{key}": {
        parameters: [table, key],
        operations: {
          get: { operationId: "readRow", summary: "Finds a row by its key", ...read },
          put: { operationId: "replaceRow", summary: "Replaces a row", ...write },
          patch: { operationId: "updateRow", summary: "Changes some columns of a row", ...write },
          delete: {
            operationId: "deleteRow",
            summary: "Deletes a row",
            responses: { 200: deleted, ...refusals(ofDeletes) },
          },
        },
      },
    },
  };
}

/** The parameters that find, sort and page rows. */
function queryParameters({
  order,
  limit,
  offset,
  operators,
}: Pick<Dialect, "order" | "limit" | "offset" | "operators">): readonly Described[] {
  const sortBy = "The column to sort by. Default: row id order.";
  return [
    { name: "sort_by", in: "query", description: sortBy, schema: text },
    { name: "order", in: "query", ...order },
    { name: "limit", in: "query", ...limit },
    { name: "offset", in: "query", ...offset },
    {
      name: "filters",
      in: "query",
      description: `Conditions that must all hold: \`<column>=<value>\` or \`<column>.<operator>=<value>\` with ${operators}`,
      style: "form",
      explode: true,
      schema: { type: "object", additionalProperties: text },
      example: { "price.gte": "10", "title.like": "%a%" },
    },
  ];
}

function codesWith(status: number): string {
  const codes = Object.entries(restErrorStatuses).filter(([, one]) => one === status);
  return `${codes.map(([code]) => `\`${code}\``).join(", ")}.`;
}

const dialects: Readonly<Record<StateProfiles["rest"], Dialect>> = {
  document: {
    order: {
      description: "Case does not matter. Without `sort_by` it applies to the primary key.",
      schema: { type: "string", pattern: "^(?:[Aa][Ss][Cc]|[Dd][Ee][Ss][Cc])$" },
    },
    limit: {
      description: "The largest number of rows to return.",
      schema: { type: "integer", minimum: 0 },
    },
    offset: { description: "The number of rows to skip.", schema: { type: "integer", minimum: 0 } },
    operators: `${operatorNames.map((name) => `\`${name}\``).join(", ")}. A repeated one adds a condition.`,
    key: "The primary key. A key of several columns is their values in key order, joined by commas.",
    error: objectOf({
      error: text,
      code: text,
      "hint?": { ...text, description: "What to do, or which names are valid." },
    }),
    refusals: (statuses) =>
      errorResponses(
        Object.fromEntries(statuses.map((status) => [status, codesWith(status)])),
        component("TablesError"),
      ),
  },
  starbasedb: {
    order: {
      description: "`desc` in any case; everything else is ascending. No effect without `sort_by`.",
      schema: text,
    },
    limit: {
      description: "How many rows at most. 0, or text that is not a number, means all.",
      schema: text,
    },
    offset: { description: "How many rows are skipped; needs a `limit`.", schema: text },
    operators:
      "`ne`, `gt`, `gte`, `lt`, `lte`, `like` or `in`; any other operator means equal. At most 100 values.",
    key: "The primary key, which has one column. It is not percent-decoded.",
    error: objectOf({ error: text }),
    refusals: () => ({
      ...errorResponses(
        {
          400: "The path names no table or no key, the table has no primary key, or the body is empty.",
          401: "The token is missing or wrong.",
        },
        component("TablesError"),
      ),
      // The service answers its own errors in plain text, those of its database in JSON.
      500: {
        description:
          "The statement failed: no such table or column, a constraint, a body that is not valid JSON.",
        content: {
          "application/json": { schema: component("TablesError") },
          "text/plain": { schema: text },
        },
      },
    }),
  },
};

const ofKeys = { 401: "The key is missing or wrong (`invalid_api_key`)." };

const ofCompletions = {
  400: "The body is not JSON, a field does not fit (`param` says which), or the context is too small.",
  ...ofKeys,
  404: "`model_not_found` or `model_not_supported`; `no_script_matched` under `--strict`.",
  413: "`request_too_large`.",
  429: "`rate_limit_exceeded`, where limits are configured; `retry-after` says how long.",
  500: "`template_failed`: a script's template could not be rendered.",
};

/** The refusal of a profile that reads JSON only. */
const ofMediaTypes = { 415: "`unsupported_media_type`: the content type is not JSON." };

function chatRefusals(meanings: Readonly<Record<number, string>>): Described {
  return errorResponses(meanings, component("ChatError"));
}

function completing(meanings: Readonly<Record<number, string>>): Described {
  return {
    operationId: "createChatCompletion",
    summary: "Answers a chat with the first matching script",
    requestBody: jsonBody(component("ChatCompletionRequest")),
    responses: {
      200: {
        description:
          "The completion. If `stream` is set: server-sent events with a `ChatCompletionChunk` as their data, ended by `data: [DONE]`.",
        content: {
          "application/json": { schema: component("ChatCompletion") },
          "text/event-stream": { schema: text },
        },
      },
      ...chatRefusals(meanings),
      default: jsonResponse("An error of a script, with its own status.", component("ChatError")),
    },
  };
}

const listing = {
  operationId: "listModels",
  summary: "Lists the models",
  responses: { 200: jsonResponse("The models.", component("ModelList")), ...chatRefusals(ofKeys) },
};

const retrieving = {
  operationId: "retrieveModel",
  summary: "Returns one model",
  responses: {
    200: jsonResponse("The model.", component("Model")),
    ...chatRefusals({ ...ofKeys, 404: "`model_not_found`." }),
  },
};

/** Chat under a profile's rules. */
export function describeChat({ body, refuseMediaType }: RequestRules): InterfaceDescription {
  const refer: Refer = (schema) => schema.json(refer);
  const needsJson = refuseMediaType("text/plain") !== undefined;
  const meanings = { ...ofCompletions, ...(needsJson ? ofMediaTypes : {}) };
  const modelId = { name: "id", in: "path", required: true, schema: text };
  return {
    schemas: { ...chatSchemas, ChatCompletionRequest: body.json(refer) },
    paths: {
      "/chat/completions": { parameters: [], operations: { post: completing(meanings) } },
      "/models": { parameters: [], operations: { get: listing } },
      "/models/{id}": { parameters: [modelId], operations: { get: retrieving } },
    },
  };
}

const maybeText = nullable("string");
const maybeObject = nullable("object");
const tokenDetails: JsonSchema = { type: "object", additionalProperties: count };

const usage = objectOf({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  "prompt_tokens_details?": tokenDetails,
  "completion_tokens_details?": tokenDetails,
});

const toolCall = objectOf({
  id: text,
  type: { const: "function" },
  function: objectOf({ name: text, arguments: { ...text, description: "JSON text." } }),
});

const message = objectOf({
  role: { const: "assistant" },
  content: maybeText,
  refusal: maybeText,
  "reasoning_content?": text,
  "tool_calls?": listOf(toolCall),
});

/** A call's name is in its first piece, and its arguments come bit by bit. */
const callPiece = objectOf({
  index: count,
  "id?": text,
  "type?": { const: "function" },
  function: objectOf({ "name?": text, arguments: text }),
});

const delta = objectOf({
  "role?": { const: "assistant" },
  "content?": maybeText,
  "refusal?": maybeText,
  "reasoning_content?": text,
  "tool_calls?": listOf(callPiece),
});

/** The schemas of chat that all profiles share. */
const chatSchemas: Readonly<Record<string, JsonSchema>> = {
  ChatCompletion: objectOf({
    id: text,
    object: { const: "chat.completion" },
    created: count,
    model: { ...text, description: "May be a more specific variant of the requested model." },
    choices: listOf(
      objectOf({ index: count, message, logprobs: maybeObject, finish_reason: text }),
    ),
    usage,
    system_fingerprint: maybeText,
  }),
  ChatCompletionChunk: objectOf({
    id: text,
    object: { const: "chat.completion.chunk" },
    created: count,
    model: text,
    system_fingerprint: maybeText,
    choices: listOf(
      objectOf({ index: count, delta, logprobs: maybeObject, finish_reason: maybeText }),
    ),
    "usage?": { anyOf: [usage, { type: "null" }] },
  }),
  Model: objectOf({ id: text, object: { const: "model" }, created: count, owned_by: text }),
  ModelList: objectOf({ object: { const: "list" }, data: listOf(component("Model")) }),
  ChatError: objectOf({
    error: objectOf({ message: text, type: text, param: maybeText, code: maybeText }),
  }),
};
