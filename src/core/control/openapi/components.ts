import type { JsonSchema } from "../../schema/schema.ts";

const text: JsonSchema = { type: "string" };
const count: JsonSchema = { type: "integer" };

/** Refers to a part of the fixture format, as it stands in the document. */
function partOfFixtures(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The state as a document. */
export const stateDocument: JsonSchema = {
  type: "object",
  properties: {
    models: { type: "array", items: partOfFixtures("model") },
    tables: { type: "object", additionalProperties: partOfFixtures("table") },
    chats: { type: "array", items: partOfFixtures("script") },
    state: partOfFixtures("state"),
  },
};

/** What the control API answers when it refuses. */
export const controlErrorSchema: JsonSchema = {
  type: "object",
  properties: {
    error: {
      type: "object",
      properties: {
        code: text,
        message: text,
        problems: {
          type: "array",
          items: {
            type: "object",
            properties: { message: text, path: text, file: text, line: count, column: count },
            required: ["message"],
          },
        },
      },
      required: ["code", "message"],
    },
  },
  required: ["error"],
};
