import type { RequestRules } from "../../chat/request/request-rules.ts";
import type { Refer } from "../../schema/schema.ts";
import { chatSchemas } from "./chat-schemas.ts";
import {
  type Described,
  errorResponses,
  type InterfaceDescription,
  jsonBody,
  jsonResponse,
} from "./operation.ts";
import { component, text } from "./schemas.ts";

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

function refusals(meanings: Readonly<Record<number, string>>): Described {
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
      ...refusals(meanings),
      default: jsonResponse("An error of a script, with its own status.", component("ChatError")),
    },
  };
}

const listing = {
  operationId: "listModels",
  summary: "Lists the models",
  responses: { 200: jsonResponse("The models.", component("ModelList")), ...refusals(ofKeys) },
};

const retrieving = {
  operationId: "retrieveModel",
  summary: "Returns one model",
  responses: {
    200: jsonResponse("The model.", component("Model")),
    ...refusals({ ...ofKeys, 404: "`model_not_found`." }),
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
