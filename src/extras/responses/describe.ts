import {
  component,
  count,
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
import { responsesBody } from "./fields.ts";

const refer: Refer = (schema) => schema.json(refer);

const errors = (meanings: Readonly<Record<number, string>>): Described =>
  errorResponses(meanings, component("ResponsesError"));

const keyMissing = { 401: "The key is missing or wrong (`invalid_api_key`)." };
const notKept = { ...keyMissing, 404: "No response with this id is kept." };

const schemas: Readonly<Record<string, JsonSchema>> = {
  Response: {
    ...objectOf({
      id: text,
      object: { const: "response" },
      created_at: count,
      status: { enum: ["completed", "incomplete", "in_progress", "failed"] },
      model: text,
      output: listOf({ type: "object", required: ["type"], properties: { type: text, id: text } }),
      usage: nullable("object"),
    }),
    description: "The arguments of the request with their defaults, and the items of the answer.",
  },
  ResponseEvent: {
    ...objectOf({ type: text, sequence_number: count }),
    description: "An event; its type says which keys it has.",
  },
  ResponsesError: objectOf({
    error: objectOf({
      message: text,
      type: text,
      param: nullable("string"),
      code: nullable("string"),
    }),
  }),
};

const id = { name: "id", in: "path", required: true, schema: text, example: "resp_1" };

function query(name: string, schema: JsonSchema): Described {
  return { name, in: "query", schema };
}

/** `POST /responses`. */
export function describeCreate(): EndpointDescription {
  const operation = {
    operationId: "createResponse",
    summary: "Answers a conversation with the first matching script",
    requestBody: jsonBody(component("ResponsesRequest")),
    responses: {
      200: {
        description:
          "The response. If `stream` is set: server-sent events that build it, with a `ResponseEvent` as their data.",
        content: {
          "application/json": { schema: component("Response") },
          "text/event-stream": { schema: component("ResponseEvent") },
        },
      },
      ...errors({
        400: "The body is not JSON, a field does not fit (`param` says which), or what it refers to is not kept.",
        ...keyMissing,
        404: "`model_not_found`, or an item or conversation that is not kept.",
        429: "`rate_limit_exceeded`, where limits are configured.",
      }),
      default: jsonResponse("An error of a script.", component("ResponsesError")),
    },
  };
  return {
    parameters: [],
    operation,
    schemas: { ...schemas, ResponsesRequest: responsesBody.json(refer) },
  };
}

/** `POST /responses/input_tokens`. */
export function describeCount(): EndpointDescription {
  const operation = {
    operationId: "countResponseInput",
    summary: "Counts the tokens of a request for a response",
    requestBody: jsonBody(component("ResponsesRequest")),
    responses: {
      200: jsonResponse("The number.", objectOf({ object: text, input_tokens: count })),
      ...errors({ 400: "A field does not fit.", ...keyMissing }),
    },
  };
  return {
    parameters: [],
    operation,
    schemas: { ...schemas, ResponsesRequest: responsesBody.json(refer) },
  };
}

/** `GET /responses/{id}`. */
export function describeRetrieve(): EndpointDescription {
  const operation = {
    operationId: "retrieveResponse",
    summary: "Returns a response that is kept",
    parameters: [query("stream", { enum: ["true", "false"] }), query("starting_after", count)],
    responses: {
      200: jsonResponse("The response, or with `stream=true` its events.", component("Response")),
      ...errors(notKept),
    },
  };
  return { parameters: [id], operation, schemas };
}

/** `DELETE /responses/{id}`. */
export function describeDelete(): EndpointDescription {
  const deleted = objectOf({ id: text, object: text, deleted: { const: true } });
  const operation = {
    operationId: "deleteResponse",
    summary: "Forgets a response",
    responses: { 200: jsonResponse("The response has been deleted.", deleted), ...errors(notKept) },
  };
  return { parameters: [id], operation, schemas };
}

/** `POST /responses/{id}/cancel`. */
export function describeCancel(): EndpointDescription {
  const operation = {
    operationId: "cancelResponse",
    summary: "Refuses to cancel a response, since every stored one has ended",
    responses: {
      200: jsonResponse(
        "The cancelled response. Never sent, since every stored response has ended.",
        component("Response"),
      ),
      ...errors({ 400: "The response has ended.", ...notKept }),
    },
  };
  return { parameters: [id], operation, schemas };
}

/** `GET /responses/{id}/input_items`. */
export function describeInput(): EndpointDescription {
  const list = objectOf({
    object: { const: "list" },
    data: listOf({ type: "object" }),
    first_id: nullable("string"),
    last_id: nullable("string"),
    has_more: { type: "boolean" },
  });
  const operation = {
    operationId: "listResponseInput",
    summary: "Lists the items that a response answered",
    parameters: [
      query("limit", { type: "integer", minimum: 1, maximum: 100, default: 20 }),
      query("order", { enum: ["asc", "desc"], default: "desc" }),
      query("after", text),
    ],
    responses: { 200: jsonResponse("The items.", list), ...errors(notKept) },
  };
  return { parameters: [id], operation, schemas };
}
