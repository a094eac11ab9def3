import {
  component,
  count,
  type EndpointDescription,
  errorResponses,
  jsonBody,
  jsonResponse,
  listOf,
  objectOf,
  text,
} from "../../core/schema/openapi.ts";
import type { JsonSchema, Refer } from "../../core/schema/schema.ts";
import { embeddingsBody } from "./request-schema.ts";

const meanings = {
  400: "The body is not JSON, an argument does not fit (`param` says which), or a text is too long.",
  401: "The key is missing or wrong (`invalid_api_key`).",
  403: "The model is a chat model.",
  404: "`model_not_found`.",
  413: "`request_too_large`.",
  415: "`unsupported_media_type`: the content type is not JSON.",
  429: "`rate_limit_exceeded`, where limits are configured; `retry-after` says how long.",
};

const refer: Refer = (schema) => schema.json(refer);

const list: JsonSchema = objectOf({
  object: { const: "list" },
  data: listOf(
    objectOf({
      object: { const: "embedding" },
      index: count,
      embedding: {
        anyOf: [listOf({ type: "number" }), text],
        description: "The numbers of the vector, or base64 of 32-bit floats.",
      },
    }),
  ),
  model: text,
  usage: objectOf({ prompt_tokens: count, total_tokens: count }),
});

/** `POST /embeddings`. */
export function describeEmbeddings(): EndpointDescription {
  const operation = {
    operationId: "createEmbeddings",
    summary: "Makes vectors of texts",
    requestBody: jsonBody(component("EmbeddingsRequest")),
    responses: {
      200: jsonResponse("A vector for each text, in their order.", component("EmbeddingList")),
      ...errorResponses(meanings, component("ChatError")),
    },
  };
  const schemas = { EmbeddingsRequest: embeddingsBody.json(refer), EmbeddingList: list };
  return { parameters: [], operation, schemas };
}

/** `POST /deployments/{deployment}/embeddings`, Azure's address of embeddings. */
export function describeDeployment(): EndpointDescription {
  const { operation, schemas } = describeEmbeddings();
  const example = "text-embedding-3-small";
  return {
    parameters: [{ name: "deployment", in: "path", required: true, schema: text, example }],
    operation: {
      ...operation,
      operationId: "createDeploymentEmbeddings",
      summary: "Makes vectors of texts by an Azure deployment",
    },
    schemas,
  };
}
