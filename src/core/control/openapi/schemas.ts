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

/** An object with these properties. One whose name ends in `?` may be missing. */
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
