import type { JsonSchema } from "./schema.ts";

export const text: JsonSchema = { type: "string" };
export const count: JsonSchema = { type: "integer" };
export const time: JsonSchema = { type: "string", format: "date-time" };

export function nullable(type: string): JsonSchema {
  return { type: [type, "null"] };
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}

/** An object with these properties. A name that ends in `?` marks an optional one. */
export function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const entries = Object.entries(properties);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, one]) => [name.replace(/\?$/, ""), one])),
    required: entries.flatMap(([name]) => (name.endsWith("?") ? [] : [name])),
  };
}

/** References a schema of the document. */
export function component(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object of the OpenAPI document. */
export type Described = Readonly<Record<string, unknown>>;

/** What an endpoint takes and answers. */
export interface EndpointDescription {
  /** The parameters in the endpoint's path. */
  readonly parameters: readonly Described[];
  readonly operation: Described;
  /** The schemas that the operation refers to, by name. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/** A description with its method and its path below the mount point. */
export interface DescribedEndpoint extends EndpointDescription {
  readonly method: string;
  readonly path: string;
}

/** References the session header, which works on every path. */
export const sessionParameter: Described = { $ref: "#/components/parameters/Session" };

/** A response with a JSON body. */
export function jsonResponse(description: string, schema: JsonSchema): Described {
  return { description, content: { "application/json": { schema } } };
}

/** Error responses with a description for each status. All have the same body schema. */
export function errorResponses(
  meanings: Readonly<Record<number, string>>,
  schema: JsonSchema,
): Readonly<Record<string, Described>> {
  return Object.fromEntries(
    Object.entries(meanings).map(([status, when]) => [status, jsonResponse(when, schema)]),
  );
}

/** A required JSON body. */
export function jsonBody(schema: JsonSchema): Described {
  return { required: true, content: { "application/json": { schema } } };
}

/** A state as a document. */
export const stateDocument: JsonSchema = {
  type: "object",
  properties: {
    models: listOf(component("model")),
    embeddings: listOf(component("embedding")),
    tables: { type: "object", additionalProperties: component("table") },
    chats: listOf(component("script")),
    state: component("state"),
  },
};

const problem = objectOf({
  message: text,
  "path?": text,
  "file?": text,
  "line?": count,
  "column?": count,
});

/** The control API's refusals. */
export const controlErrorSchema: JsonSchema = objectOf({
  error: objectOf({ code: text, message: text, "problems?": listOf(problem) }),
});
