import type { JsonSchema } from "../../schema/schema.ts";
import {
  component,
  type Described,
  errorResponses,
  type InterfaceDescription,
  jsonBody,
  jsonResponse,
} from "./operation.ts";
import { queryParameters, row, rowsResult, tableParameter, writeResult } from "./tables-shared.ts";

const tablesError: JsonSchema = {
  type: "object",
  properties: { error: { type: "string" } },
  required: ["error"],
};

/** What the service cannot answer it says in plain text, what its database refuses in JSON. */
const failure: Described = {
  description:
    "The statement failed: no such table or column, a constraint, a body that is not JSON.",
  content: {
    "application/json": { schema: component("TablesError") },
    "text/plain": { schema: { type: "string" } },
  },
};

function errors(badRequest: string): Described {
  const meanings = { 400: badRequest, 401: "The token is missing or another one." };
  return { ...errorResponses(meanings, component("TablesError")), 500: failure };
}

interface Words {
  readonly operationId: string;
  readonly summary: string;
}

function reading(words: Words): Described {
  return {
    ...words,
    tags: ["tables"],
    parameters: rowsParameters,
    responses: {
      200: jsonResponse("The rows that fit.", rowsResult),
      ...errors("The path has no name of a table."),
    },
  };
}

function writing(words: Words, status: 200 | 201): Described {
  const sent = jsonResponse("The body as it was sent, whatever has become of it.", writeResult({}));
  return {
    ...words,
    tags: ["tables"],
    requestBody: jsonBody(row),
    responses: { [status]: sent, ...errors("The body is empty, or no key is in the path.") },
  };
}

const rowsParameters = queryParameters({
  order: {
    description: "`desc` in any case; everything else is ascending. Without `sort_by` no effect.",
    schema: { type: "string" },
  },
  limit: {
    description: "How many rows at most. 0 and what is no number: all.",
    schema: { type: "string" },
  },
  offset: {
    description: "How many rows are skipped, where there is a `limit`.",
    schema: { type: "string" },
  },
  filters:
    "Conditions that must all hold: `<column>=<value>` or `<column>.<operator>=<value>` with `ne`, `gt`, `gte`, `lt`, `lte`, `like` or `in`; every other operator means equal. At most 100 values.",
});

const key: Described = {
  name: "key",
  in: "path",
  required: true,
  description: "The primary key, which has one column. It is not percent-decoded.",
  schema: { type: "string" },
};

/** The tables as the profile `starbasedb` has them. */
export function starbasedbTables(names: readonly string[]): InterfaceDescription {
  return {
    schemas: { TablesError: tablesError },
    paths: {
      "/rest/{table}": {
        parameters: [tableParameter(names)],
        operations: {
          get: reading({ operationId: "readRows", summary: "Finds rows" }),
          post: writing({ operationId: "insertRow", summary: "Inserts a row" }, 201),
        },
      },
      "/rest/{table}/{key}": {
        parameters: [tableParameter(names), key],
        operations: {
          get: reading({ operationId: "readRow", summary: "Finds a row by its key" }),
          put: writing({ operationId: "replaceRow", summary: "Sets the columns sent" }, 200),
          patch: writing({ operationId: "updateRow", summary: "Sets the columns sent" }, 200),
          delete: {
            operationId: "deleteRow",
            summary: "Deletes a row, also one that is not there",
            tags: ["tables"],
            responses: {
              200: jsonResponse("It is not there now.", writeResult(undefined)),
              ...errors("The table has no primary key, or no key is in the path."),
            },
          },
        },
      },
    },
  };
}
