import type { JsonSchema } from "../../schema/schema.ts";

export const text: JsonSchema = { type: "string" };
export const count: JsonSchema = { type: "integer" };
export const time: JsonSchema = { type: "string", format: "date-time" };

export function nullable(type: string): JsonSchema {
  return { type: [type, "null"] };
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}

/** An object that has all of these properties, or those that are required. */
export function objectOf(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return { type: "object", properties, required };
}

/** Refers to a schema of the document. */
export function component(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
