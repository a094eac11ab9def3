import type { JsonSchema } from "../../schema/schema.ts";
import { operatorNames } from "../../store/operators.ts";
import {
  component,
  type Described,
  errorResponses,
  type InterfaceDescription,
  jsonBody,
  jsonResponse,
} from "./operation.ts";
import { queryParameters, row, rowsResult, tableParameter, writeResult } from "./tables-shared.ts";

/** The codes of each status that any operation may answer. */
const always = {
  400: "The path or the query does not fit: `invalid_path`, `no_primary_key`, `invalid_key`, `unknown_column`, `unknown_operator`, `invalid_order`, `invalid_limit`, `invalid_offset`, `repeated_parameter`, `unexpected_query`.",
  401: "`unauthorized`: the token is missing or another one.",
  404: "`unknown_table`, with the nearest name, or `unknown_path`.",
};

const ofBodies = {
  400: "The body does not fit, and every problem is named: `not_json`, `empty_body`, `invalid_body`, `incomplete_body`, `unknown_column`; or the path or a query: `invalid_path`, `no_primary_key`, `invalid_key`, `unexpected_query`.",
  409: "A constraint would be broken: `conflict`, `reference_missing`, `row_referenced`.",
  413: "`body_too_large`.",
  415: "`unsupported_media_type`: the content type is not JSON.",
};

const ofRows = { 404: "`row_not_found`, `unknown_table` or `unknown_path`." };

const tablesError: JsonSchema = {
  type: "object",
  properties: {
    error: { type: "string" },
    code: { type: "string" },
    hint: { type: "string", description: "What to do, or which names are valid." },
  },
  required: ["error", "code"],
};

function errors(...meanings: readonly Readonly<Record<number, string>>[]): Described {
  return errorResponses(Object.assign({}, always, ...meanings), component("TablesError"));
}

interface Words {
  readonly operationId: string;
  readonly summary: string;
}

function reading(words: Words, parameters: readonly Described[]): Described {
  return {
    ...words,
    tags: ["tables"],
    parameters,
    responses: { 200: jsonResponse("The rows that fit.", rowsResult), ...errors() },
  };
}

function writing(
  words: Words,
  status: 200 | 201,
  specific: Readonly<Record<number, string>>,
): Described {
  const stored = jsonResponse("The row as it is stored.", writeResult(row));
  return {
    ...words,
    tags: ["tables"],
    requestBody: jsonBody(row),
    responses: { [status]: stored, ...errors(ofBodies, specific) },
  };
}

const quotedOperators = operatorNames.map((name) => `\`${name}\``);
const listedOperators = `${quotedOperators.slice(0, -1).join(", ")} or ${quotedOperators.at(-1)}`;

const rowsParameters = queryParameters({
  order: {
    description: "In any case of letters. Without `sort_by` it is that of the primary key.",
    schema: { type: "string", pattern: "^(?:[Aa][Ss][Cc]|[Dd][Ee][Ss][Cc])$" },
  },
  limit: { description: "How many rows at most.", schema: { type: "integer", minimum: 0 } },
  offset: { description: "How many rows are skipped.", schema: { type: "integer", minimum: 0 } },
  filters: `Conditions that must all hold: \`<column>=<value>\` or \`<column>.<operator>=<value>\` with ${listedOperators}. A repeated one adds a condition.`,
});

const key: Described = {
  name: "key",
  in: "path",
  required: true,
  description: "The primary key; of several columns, their values in key order, joined by commas.",
  schema: { type: "string" },
};

/** The tables as the profile `document` has them. */
export function documentTables(names: readonly string[]): InterfaceDescription {
  return {
    schemas: { TablesError: tablesError },
    paths: {
      "/rest/{table}": {
        parameters: [tableParameter(names)],
        operations: {
          get: reading({ operationId: "readRows", summary: "Finds rows" }, rowsParameters),
          post: writing({ operationId: "insertRow", summary: "Inserts a row" }, 201, {}),
        },
      },
      "/rest/{table}/{key}": {
        parameters: [tableParameter(names), key],
        operations: {
          get: reading(
            { operationId: "readRow", summary: "Finds a row by its key" },
            rowsParameters,
          ),
          put: writing(
            {
              operationId: "replaceRow",
              summary: "Replaces a row: columns left out become their default, else null",
            },
            200,
            { ...keyed, ...ofRows },
          ),
          patch: writing(
            { operationId: "updateRow", summary: "Changes some columns of a row" },
            200,
            { ...keyed, ...ofRows },
          ),
          delete: {
            operationId: "deleteRow",
            summary: "Deletes a row",
            tags: ["tables"],
            responses: {
              200: jsonResponse("It is deleted.", writeResult(undefined)),
              ...errors(ofRows, { 409: "`row_referenced`: other rows refer to it." }),
            },
          },
        },
      },
    },
  };
}

const keyed = {
  400: `${ofBodies[400]} Also \`key_mismatch\`: the key in the body is another one than in the path.`,
};
