import type { JsonSchema, Refer } from "../schema/schema.ts";
import {
  type Described,
  errorResponses,
  type EndpointDescription,
  jsonBody,
  jsonResponse,
  component,
  listOf,
  objectOf,
  text,
  count,
  nullable,
} from "../schema/openapi.ts";
import type { RequestRules } from "./request/request-rules.ts";

const ofKeys = { 401: "The key is missing or wrong (`invalid_api_key`)." };

const ofCompletions = {
  400: "The body is not JSON, a field does not fit (`param` says which), or the context is too small.",
  ...ofKeys,
  404: "`model_not_found` or `model_not_supported`; `no_script_matched` under `--strict`.",
  413: "`request_too_large`.",
  429: "`rate_limit_exceeded`, where limits are configured; `retry-after` says how long.",
  500: "`template_failed`: a script's template could not be rendered.",
};

/** The response for other media types, under a profile that reads JSON only. */
const ofMediaTypes = { 415: "`unsupported_media_type`: the content type is not JSON." };

function chatRefusals(meanings: Readonly<Record<number, string>>): Described {
  return errorResponses(meanings, component("ChatError"));
}

/** `POST /chat/completions` under a profile's rules. */
export function describeCompletions({ body, refuseMediaType }: RequestRules): EndpointDescription {
  const refer: Refer = (schema) => schema.json(refer);
  const needsJson = refuseMediaType("text/plain") !== undefined;
  const meanings = { ...ofCompletions, ...(needsJson ? ofMediaTypes : {}) };
  const operation = {
    operationId: "createChatCompletion",
    summary: "Answers a chat with the first matching script",
    requestBody: jsonBody(component("ChatCompletionRequest")),
    responses: {
      200: {
        description:
          "The completion. If `stream` is set: server-sent events with a `ChatCompletionChunk` as their data, ended by `data: [DONE]`.",
        content: {
          "application/json": { schema: component("ChatCompletion") },
          "text/event-stream": { schema: component("ChatCompletionChunk") },
        },
      },
      ...chatRefusals(meanings),
      default: jsonResponse("An error of a script, with its own status.", component("ChatError")),
    },
  };
  const schemas = { ...chatSchemas, ChatCompletionRequest: body.json(refer) };
  return { parameters: [], operation, schemas };
}

/** `POST /deployments/{deployment}/chat/completions`, Azure's address of chat completions. */
export function describeDeployment(rules: RequestRules): EndpointDescription {
  const { operation, schemas } = describeCompletions(rules);
  const deployment = {
    name: "deployment",
    in: "path",
    required: true,
    schema: text,
    example: "gpt-4o",
  };
  return {
    parameters: [deployment],
    operation: {
      ...operation,
      operationId: "createDeploymentCompletion",
      summary: "Answers a chat whose model is an Azure deployment",
    },
    schemas,
  };
}

/** `GET /models`. */
export function describeModelList(): EndpointDescription {
  const operation = {
    operationId: "listModels",
    summary: "Lists the models",
    responses: {
      200: jsonResponse("The models.", component("ModelList")),
      ...chatRefusals(ofKeys),
    },
  };
  return { parameters: [], operation, schemas: chatSchemas };
}

/** `GET /models/{id}`. */
export function describeModel(): EndpointDescription {
  const modelId = { name: "id", in: "path", required: true, schema: text, example: "gpt-4o" };
  const operation = {
    operationId: "retrieveModel",
    summary: "Returns one model",
    responses: {
      200: jsonResponse("The model.", component("Model")),
      ...chatRefusals({ ...ofKeys, 404: "`model_not_found`." }),
    },
  };
  return { parameters: [modelId], operation, schemas: chatSchemas };
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

const calledFunction = objectOf({
  name: text,
  arguments: { ...text, description: "JSON text." },
});

const toolCall = {
  anyOf: [
    objectOf({ id: text, type: { const: "function" }, function: calledFunction }),
    objectOf({
      id: text,
      type: { const: "custom" },
      custom: objectOf({ name: text, input: text }),
    }),
  ],
};

const message = objectOf({
  role: { const: "assistant" },
  content: maybeText,
  refusal: maybeText,
  "reasoning_content?": text,
  "tool_calls?": listOf(toolCall),
  "function_call?": { ...calledFunction, description: "For requests with `functions`." },
  "annotations?": {
    ...listOf({ type: "object" }),
    description: "Empty, unless a script fills it.",
  },
});

const functionPiece = objectOf({ "name?": text, arguments: text });

/** The first piece of a call has its name; its arguments are spread over all pieces. */
const callPiece = objectOf({
  index: count,
  "id?": text,
  "type?": { enum: ["function", "custom"] },
  "function?": functionPiece,
  "custom?": objectOf({ "name?": text, input: text }),
});

const delta = objectOf({
  "role?": { const: "assistant" },
  "content?": maybeText,
  "refusal?": maybeText,
  "reasoning_content?": text,
  "tool_calls?": listOf(callPiece),
  "function_call?": functionPiece,
});

/** The schemas that all endpoints of chat share. */
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
    "service_tier?": text,
    system_fingerprint: maybeText,
  }),
  ChatCompletionChunk: objectOf({
    id: text,
    object: { const: "chat.completion.chunk" },
    created: count,
    model: text,
    "service_tier?": text,
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
