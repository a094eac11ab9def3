import { asObject, type JsonObject, parseJson } from "../../../core/schema/json.ts";
import type { OpenApiDocument } from "./openapi-document.ts";

/** The media type JSON of an operation's successful answer. Undefined: the operation has none. */
export function mediaOf(operation: JsonObject, document: OpenApiDocument): JsonObject | undefined {
  const responses = asObject(operation["responses"]) ?? {};
  // The answer `default` stands for success only if no status of success is given.
  const status = Object.keys(responses).find((key) => key.startsWith("2")) ?? "default";
  const response = document.resolve(responses[status]) ?? {};
  const content = asObject(response["content"]) ?? contentOfSwagger(response, operation);
  const type = Object.keys(content).find((key) => /^[^;]*\bjson\b|^\*\/\*/.test(key));
  return type === undefined ? undefined : document.resolve(content[type]);
}

/**
 * The content of an answer in the form of OpenAPI 3. Swagger 2 has one schema for all media types, and an example for
 * each.
 */
function contentOfSwagger(
  { schema, examples: given }: JsonObject,
  { produces }: JsonObject,
): JsonObject {
  // Some documents have examples as JSON text.
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
