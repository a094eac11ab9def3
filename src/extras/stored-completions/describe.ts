import {
  component,
  type Described,
  type EndpointDescription,
  errorResponses,
  jsonBody,
  jsonResponse,
  listOf,
  nullable,
  objectOf,
  text,
} from "../../core/schema/openapi.ts";
import type { JsonSchema, Refer } from "../../core/schema/schema.ts";
import { metadataBody } from "./metadata-body.ts";

const refer: Refer = (schema) => schema.json(refer);

const id = { name: "id", in: "path", required: true, schema: text, example: "chatcmpl-1" };

/** The completion and the errors are chat's own. */
const schemas: Readonly<Record<string, JsonSchema>> = {
  StoredMessage: objectOf({
    id: text,
    role: text,
    content: nullable("string"),
    content_parts: nullable("array"),
    name: nullable("string"),
  }),
};

function query(name: string, schema: JsonSchema): Described {
  return { name, in: "query", schema };
}

const paging = [
  query("after", text),
  query("limit", { type: "integer", minimum: 1, maximum: 100, default: 20 }),
  query("order", { enum: ["asc", "desc"], default: "asc" }),
];

function listSchema(of: string): JsonSchema {
  return objectOf({
    object: { const: "list" },
    data: listOf(component(of)),
    first_id: nullable("string"),
    last_id: nullable("string"),
    has_more: { type: "boolean" },
  });
}

const refusals = errorResponses(
  {
    400: "An argument does not fit.",
    401: "The key is missing or wrong (`invalid_api_key`).",
    404: "No completion with this id is kept.",
  },
  component("ChatError"),
);

function described(
  operation: Described,
  parameters: readonly Described[] = [id],
): EndpointDescription {
  return { parameters, operation, schemas };
}

/** `GET /chat/completions`. */
export function describeList(): EndpointDescription {
  const operation = {
    operationId: "listChatCompletions",
    summary: "Lists the completions that are kept",
    parameters: [query("model", text), ...paging],
    responses: { 200: jsonResponse("The completions.", listSchema("ChatCompletion")), ...refusals },
  };
  return described(operation, []);
}

/** `GET /chat/completions/{id}`. */
export function describeRetrieve(): EndpointDescription {
  return described({
    operationId: "retrieveChatCompletion",
    summary: "Returns a completion that is kept",
    responses: { 200: jsonResponse("The completion.", component("ChatCompletion")), ...refusals },
  });
}

/** `POST /chat/completions/{id}`. */
export function describeUpdate(): EndpointDescription {
  return described({
    operationId: "updateChatCompletion",
    summary: "Replaces the metadata of a completion",
    requestBody: jsonBody(metadataBody.json(refer)),
    responses: { 200: jsonResponse("The completion.", component("ChatCompletion")), ...refusals },
  });
}

/** `DELETE /chat/completions/{id}`. */
export function describeDelete(): EndpointDescription {
  const deleted = objectOf({ id: text, object: text, deleted: { const: true } });
  return described({
    operationId: "deleteChatCompletion",
    summary: "Forgets a completion",
    responses: { 200: jsonResponse("The completion has been deleted.", deleted), ...refusals },
  });
}

/** `GET /chat/completions/{id}/messages`. */
export function describeMessages(): EndpointDescription {
  return described({
    operationId: "listChatCompletionMessages",
    summary: "Lists the messages that a completion answered",
    parameters: paging,
    responses: { 200: jsonResponse("The messages.", listSchema("StoredMessage")), ...refusals },
  });
}
