import type { RequestRules } from "../../chat/request/request-rules.ts";
import type { JsonSchema, Refer } from "../../schema/schema.ts";
import { chatSchemas } from "./chat-schemas.ts";
import {
  type Described,
  errorResponses,
  type InterfaceDescription,
  jsonBody,
  jsonResponse,
} from "./operation.ts";
import { component } from "./schemas.ts";

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

const streamed: JsonSchema = {
  type: "string",
  description:
    "Server-sent events with a `ChatCompletionChunk` as their data, ended by `data: [DONE]`.",
};

function completing(meanings: Readonly<Record<number, string>>): Described {
  return {
    operationId: "createChatCompletion",
    tags: ["chat"],
    summary: "Answers a chat with the first matching script",
    requestBody: jsonBody(component("ChatCompletionRequest")),
    responses: {
      200: {
        description: "The completion, or a stream if `stream` is set.",
        content: {
          "application/json": { schema: component("ChatCompletion") },
          "text/event-stream": { schema: streamed },
        },
      },
      ...errorResponses(meanings, component("ChatError")),
      default: jsonResponse("An error of a script, with its own status.", component("ChatError")),
    },
  };
}

const listing: Described = {
  operationId: "listModels",
  tags: ["chat"],
  summary: "Lists the models",
  responses: {
    200: jsonResponse("The models.", component("ModelList")),
    ...errorResponses(ofKeys, component("ChatError")),
  },
};

const retrieving: Described = {
  operationId: "retrieveModel",
  tags: ["chat"],
  summary: "Returns one model",
  responses: {
    200: jsonResponse("The model.", component("Model")),
    ...errorResponses({ ...ofKeys, 404: "`model_not_found`." }, component("ChatError")),
  },
};

const modelId: Described = {
  name: "id",
  in: "path",
  required: true,
  description: "The model's id.",
  schema: { type: "string" },
};

/** Chat under a profile's rules. */
export function describeChat({ body, refuseMediaType }: RequestRules): InterfaceDescription {
  const refer: Refer = (schema) => schema.json(refer);
  const needsJson = refuseMediaType("text/plain") !== undefined;
  const meanings = { ...ofCompletions, ...(needsJson ? ofMediaTypes : {}) };
  return {
    schemas: { ...chatSchemas, ChatCompletionRequest: body.json(refer) },
    paths: {
      "/chat/completions": { parameters: [], operations: { post: completing(meanings) } },
      "/models": { parameters: [], operations: { get: listing } },
      "/models/{id}": { parameters: [modelId], operations: { get: retrieving } },
    },
  };
}
