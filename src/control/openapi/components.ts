import type { JsonSchema } from "../../fixtures/format/schema.ts";

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
    state: {
      type: "object",
      description: "Counters, next ids, clock and seed, as an export has them.",
    },
  },
};

const nullable = (type: string): JsonSchema => ({ type: [type, "null"] });

const entryProperties: Readonly<Record<string, JsonSchema>> = {
  id: text,
  at: { type: "string", format: "date-time" },
  session: { ...nullable("string"), description: "Null: the base session." },
  interface: { type: "string", enum: ["rest", "chat"] },
  method: text,
  path: text,
  query: text,
  headers: { type: "object", additionalProperties: text },
  body: { description: "Parsed where it was JSON, else the text; null when there was none." },
  status: { ...count, description: "0 when there was no answer, because of a fault." },
  answeredBy: nullable("string"),
  durationMs: { type: "number" },
  bytes: { ...count, description: "Of the body that was sent." },
  chunksSent: { ...count, description: "Frames of a stream." },
  aborted: { type: "boolean" },
  retryCount: { ...nullable("integer"), description: "As the client says." },
};

/** What the journal answers. */
export const journalSchema: JsonSchema = {
  type: "object",
  properties: {
    requests: {
      type: "array",
      items: {
        type: "object",
        properties: entryProperties,
        required: Object.keys(entryProperties),
      },
    },
  },
  required: ["requests"],
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
