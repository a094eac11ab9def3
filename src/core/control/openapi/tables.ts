import type { StateProfiles } from "../../emulator/state/export-state.ts";
import type { JsonSchema } from "../../schema/schema.ts";
import { operatorNames } from "../../store/operators.ts";
import {
  type Described,
  errorResponses,
  type InterfaceDescription,
  jsonBody,
  jsonResponse,
} from "./operation.ts";
import { component, listOf, objectOf, text } from "./schemas.ts";

/** The operations on tables, by their ids in the document. */
type Operation = "readRows" | "insertRow" | "readRow" | "replaceRow" | "updateRow" | "deleteRow";

/** The descriptions of one profile. */
interface Words {
  readonly order: Described;
  readonly limit: Described;
  readonly offset: Described;
  readonly filters: string;
  readonly key: string;
  readonly replace: string;
  readonly update: string;
  readonly delete: string;
  /** The answer to POST, PUT and PATCH. */
  readonly written: Described;
  readonly deleted: string;
  readonly error: JsonSchema;
  readonly errors: (operation: Operation) => Described;
}

/** A row of any table. */
const row: JsonSchema = {
  type: "object",
  description: "A value for each column, by name.",
  additionalProperties: true,
};

/** The answer to a write, with a row as `data` if there is one. */
function writeResult(data: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return objectOf({ result: objectOf({ message: text, ...data }) });
}

function named(operationId: Operation, summary: string): Described {
  return { operationId, summary, tags: ["tables"] };
}

/** The tables in a profile. */
export function describeTables(
  profile: StateProfiles["rest"],
  names: readonly string[],
): InterfaceDescription {
  const words = profiles[profile];
  const parameters = queryParameters(words);
  const reading = (operation: Operation, summary: string): Described => ({
    ...named(operation, summary),
    parameters,
    responses: {
      200: jsonResponse("The matching rows.", objectOf({ result: listOf(row) })),
      ...words.errors(operation),
    },
  });
  const writing = (operation: Operation, summary: string, status: 200 | 201 = 200): Described => ({
    ...named(operation, summary),
    requestBody: jsonBody(row),
    responses: { [status]: words.written, ...words.errors(operation) },
  });
  const table = {
    name: "table",
    in: "path",
    required: true,
    description: "The table's name.",
    schema: { type: "string", ...(names.length === 0 ? {} : { examples: names }) },
  };
  const key = { name: "key", in: "path", required: true, description: words.key, schema: text };
  return {
    schemas: { TablesError: words.error },
    paths: {
      "/rest/{table}": {
        parameters: [table],
        operations: {
          get: reading("readRows", "Finds rows"),
          post: writing("insertRow", "Inserts a row", 201),
        },
      },
      "/rest/{table}/{key}": {
        parameters: [table, key],
        operations: {
          get: reading("readRow", "Finds a row by its key"),
          put: writing("replaceRow", words.replace),
          patch: writing("updateRow", words.update),
          delete: {
            ...named("deleteRow", words.delete),
            responses: {
              200: jsonResponse(words.deleted, writeResult({})),
              ...words.errors("deleteRow"),
            },
          },
        },
      },
    },
  };
}

/** The parameters that find, sort and page rows. */
function queryParameters({ order, limit, offset, filters }: Words): readonly Described[] {
  const sortBy = "The column to sort by. Default: row id order.";
  return [
    { name: "sort_by", in: "query", description: sortBy, schema: text },
    { name: "order", in: "query", ...order },
    { name: "limit", in: "query", ...limit },
    { name: "offset", in: "query", ...offset },
    {
      name: "filters",
      in: "query",
      description: filters,
      style: "form",
      explode: true,
      schema: { type: "object", additionalProperties: text },
      example: { "price.gte": "10", "title.like": "%a%" },
    },
  ];
}

const conditions =
  "Conditions that must all hold: `<column>=<value>` or `<column>.<operator>=<value>` with";

const quotedOperators = operatorNames.map((name) => `\`${name}\``);
const listedOperators = `${quotedOperators.slice(0, -1).join(", ")} or ${quotedOperators.at(-1)}`;

type ErrorMeanings = Readonly<Record<number, string>>;

const bodyErrors = {
  400: "The body does not fit, and every problem is named: `not_json`, `empty_body`, `invalid_body`, `incomplete_body`, `unknown_column`; or the path or a query: `invalid_path`, `no_primary_key`, `invalid_key`, `unexpected_query`.",
  409: "The write would break a constraint: `conflict`, `reference_missing`, `row_referenced`.",
  413: "`body_too_large`.",
  415: "`unsupported_media_type`: the content type is not JSON.",
};
const rowMissing = { 404: "`row_not_found`, `unknown_table` or `unknown_path`." };
const keyedBodyErrors = {
  ...bodyErrors,
  ...rowMissing,
  400: `${bodyErrors[400]} Also \`key_mismatch\`: the key in the body differs from the path's.`,
};

/** The answers of all operations in the profile `document`, and what some answer instead or in addition. */
const documentErrors: Readonly<Record<Operation | "any", ErrorMeanings>> = {
  any: {
    400: "The path or the query does not fit: `invalid_path`, `no_primary_key`, `invalid_key`, `unknown_column`, `unknown_operator`, `invalid_filter`, `invalid_order`, `invalid_limit`, `invalid_offset`, `repeated_parameter`, `unexpected_query`.",
    401: "`unauthorized`: the token is missing or wrong.",
    404: "`unknown_table`, with the nearest name, or `unknown_path`.",
  },
  readRows: {},
  readRow: {},
  insertRow: bodyErrors,
  replaceRow: keyedBodyErrors,
  updateRow: keyedBodyErrors,
  deleteRow: { ...rowMissing, 409: "`row_referenced`: other rows refer to it." },
};

const noTable = "The path names no table.";
const emptyBody = "The body is empty, or no key is in the path.";

/** What 400 means in the profile `starbasedb`. */
const starbasedbErrors: Readonly<Record<Operation, string>> = {
  readRows: noTable,
  readRow: noTable,
  insertRow: emptyBody,
  replaceRow: emptyBody,
  updateRow: emptyBody,
  deleteRow: "The table has no primary key, or no key is in the path.",
};

const profiles: Readonly<Record<StateProfiles["rest"], Words>> = {
  document: {
    order: {
      description: "Case does not matter. Without `sort_by` it applies to the primary key.",
      schema: { type: "string", pattern: "^(?:[Aa][Ss][Cc]|[Dd][Ee][Ss][Cc])$" },
    },
    limit: { description: "The most rows to return.", schema: { type: "integer", minimum: 0 } },
    offset: { description: "The number of rows to skip.", schema: { type: "integer", minimum: 0 } },
    filters: `${conditions} ${listedOperators}. A repeated one adds a condition.`,
    key: "The primary key. A key of several columns is their values in key order, joined by commas.",
    replace: "Replaces a row; missing columns get their default, else null",
    update: "Changes some columns of a row",
    delete: "Deletes a row",
    written: jsonResponse("The row as stored.", writeResult({ data: row })),
    deleted: "The row is deleted.",
    error: objectOf(
      {
        error: text,
        code: text,
        hint: { ...text, description: "What to do, or which names are valid." },
      },
      ["error", "code"],
    ),
    errors: (operation) =>
      errorResponses(
        { ...documentErrors.any, ...documentErrors[operation] },
        component("TablesError"),
      ),
  },
  starbasedb: {
    order: {
      description: "`desc` in any case; everything else is ascending. No effect without `sort_by`.",
      schema: text,
    },
    limit: {
      description: "How many rows at most. 0, or text that is no number, means all.",
      schema: text,
    },
    offset: { description: "How many rows are skipped; needs a `limit`.", schema: text },
    filters: `${conditions} \`ne\`, \`gt\`, \`gte\`, \`lt\`, \`lte\`, \`like\` or \`in\`; any other operator means equal. At most 100 values.`,
    key: "The primary key, which has one column. It is not percent-decoded.",
    replace: "Sets the columns sent",
    update: "Sets the columns sent",
    delete: "Deletes a row; a missing row is no error",
    written: jsonResponse(
      "The body as it was sent, whatever was stored.",
      writeResult({ data: {} }),
    ),
    deleted: "The row does not exist now.",
    error: objectOf({ error: text }),
    errors: (operation) => ({
      ...errorResponses(
        { 400: starbasedbErrors[operation], 401: "The token is missing or wrong." },
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
