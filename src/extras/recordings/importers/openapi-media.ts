import { asObject, type JsonObject, parseJson } from "../../../core/schema/json.ts";
import type { OpenApiDocument } from "./openapi-document.ts";

/** The JSON of a successful answer of an operation. Undefined: it has none. */
export function mediaOf(operation: JsonObject, document: OpenApiDocument): JsonObject | undefined {
  const responses = asObject(operation["responses"]) ?? {};
  // Without any success the answer by default is that, else an error.
  const status = Object.keys(responses).find((key) => key.startsWith("2")) ?? "default";
  const response = document.resolve(responses[status]) ?? {};
  const content = asObject(response["content"]) ?? contentOfSwagger(response, operation);
  const type = Object.keys(content).find((key) => /^[^;]*\bjson\b|^\*\/\*/.test(key));
  return type === undefined ? undefined : document.resolve(content[type]);
}

/** What OpenAPI 3 calls the content of an answer: Swagger 2 has one schema for all types, and an example for each. */
function contentOfSwagger(
  { schema, examples: given }: JsonObject,
  { produces }: JsonObject,
): JsonObject {
  // Some write examples as the text of their JSON.
  const examples = Object.fromEntries(
    Object.entries(asObject(given) ?? {}).map(([type, example]) => [
      type,
      typeof example === "string" ? (parseJson(example) ?? example) : example,
    ]),
  );
  if (schema === undefined && given === undefined) return {};
  const types = Array.isArray(produces) ? produces.map(String) : ["application/json"];
  return Object.fromEntries(
    [...types, ...Object.keys(examples)].map((type) => [type, { schema, example: examples[type] }]),
  );
}
