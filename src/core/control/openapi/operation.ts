import type { JsonSchema } from "../../schema/schema.ts";
import { component, count, listOf, objectOf, text } from "./schemas.ts";

/** An object of the OpenAPI document. */
export type Described = Readonly<Record<string, unknown>>;

/** A path with its operations by method, in lower case. */
export interface DescribedPath {
  /** What all operations of it have. */
  readonly parameters: readonly Described[];
  readonly operations: Readonly<Record<string, Described>>;
}

/** Paths as they are below the place where they are mounted. */
export type DescribedPaths = Readonly<Record<string, DescribedPath>>;

/** An interface as it behaves under one profile. */
export interface InterfaceDescription {
  readonly paths: DescribedPaths;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/** Refers to the header that names a session, which works on every path. */
export const sessionParameter: Described = { $ref: "#/components/parameters/Session" };

/** A response with a JSON body. */
export function jsonResponse(description: string, schema: JsonSchema): Described {
  return { description, content: { "application/json": { schema } } };
}

/** The responses that are errors: what each status means, all in one envelope. */
export function errorResponses(
  meanings: Readonly<Record<number, string>>,
  schema: JsonSchema,
): Readonly<Record<string, Described>> {
  return Object.fromEntries(
    Object.entries(meanings).map(([status, when]) => [status, jsonResponse(when, schema)]),
  );
}

/** A body of JSON that a request has to have. */
export function jsonBody(schema: JsonSchema): Described {
  return { required: true, content: { "application/json": { schema } } };
}

/** The state as a document. */
export const stateDocument: JsonSchema = {
  type: "object",
  properties: {
    models: listOf(component("model")),
    tables: { type: "object", additionalProperties: component("table") },
    chats: listOf(component("script")),
    state: component("state"),
  },
};

const problem = objectOf({ message: text, path: text, file: text, line: count, column: count }, [
  "message",
]);

/** What the control API answers when it refuses. */
export const controlErrorSchema: JsonSchema = objectOf({
  error: objectOf({ code: text, message: text, problems: listOf(problem) }, ["code", "message"]),
});
