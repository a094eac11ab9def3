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

/** An object with all of these properties, or with the required ones. */
export function objectOf(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return { type: "object", properties, required };
}

/** References a schema of the document. */
export function component(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
