import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readFixtureDocument } from "../../../src/core/fixture-set/read-fixtures.ts";
import { fixturesSchemaText } from "../../../scripts/write-schema.ts";
import { schemaAccepts, schemaText } from "./json-schema.ts";

const shop = new URL("../../../fixtures/", import.meta.url);

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, shop), "utf8"));
}

/** The default fixtures as one document. */
function defaultDocument(): unknown {
  const config = readJson("config.json");
  const chats = readdirSync(new URL("chats", shop)).flatMap((name) => readJson(`chats/${name}`));
  const tables = readdirSync(new URL("tables", shop)).map((name) => [
    name.replace(".json", ""),
    readJson(`tables/${name}`),
  ]);
  const settings = typeof config === "object" ? config : {};
  return {
    ...settings,
    models: readJson("models.json"),
    chats,
    tables: Object.fromEntries(tables),
  };
}

test("is what the validating schemas say today", () => {
  // When this fails: npm run generate
  expect(schemaText).toBe(fixturesSchemaText());
});

test("describes every key", () => {
  const schema: { properties: Record<string, { description?: string }> } = JSON.parse(schemaText);
  for (const property of Object.values(schema.properties)) {
    expect(property.description).toMatch(/\.$/);
  }
});

test("takes the default fixtures, as the reader does", async () => {
  const document = defaultDocument();
  expect(schemaAccepts(document)).toBe(true);
  const { tables } = await readFixtureDocument(document, { checkTemplates: false });
  expect(tables.map(({ schema }) => schema.name)).toEqual(["orders", "products", "users"]);
});

const reply = { content: "a" };

test.each([
  {},
  { $schema: "x", seed: 1, clock: "2024-01-01", profiles: { tables: "document" }, apiKeys: ["a"] },
  { models: [{ id: "a", kind: "embedding", dimensions: 8 }] },
  {
    embeddings: [
      { text: "a", vector: [1] },
      { text: "b", near: "a" },
    ],
  },
  { tables: { notes: [{ id: 1, text: "columns are inferred" }] } },
  { tables: { t: { primaryKey: ["a", "b"], columns: { a: "TEXT", b: { type: "VARCHAR(20)" } } } } },
  { tables: { t: { columns: { a: "TEXT" }, generate: { count: 2, row: { a: "x" } } } } },
  { chats: [{ when: { user: { anyOf: ["a", { anyOf: [{ regex: "a", flags: "i" }] }] } }, reply }] },
  { chats: [{ replies: [{ chunks: ["a", { wait: 5 }, { raw: "x" }] }, reply], after: "end" }] },
  { chats: [{ reply: { content: null, toolCalls: [{ name: "f", arguments: { a: 1 } }] } }] },
  { chats: [{ reply: { content: "a", pace: { by: 3, jitter: 0.5, tokensPerSecond: 2 } } }] },
])("takes the document %j, as the reader does", async (document) => {
  expect(schemaAccepts(document)).toBe(true);
  await expect(readFixtureDocument(document)).resolves.toMatchObject({ kind: "fixture-set" });
});

test.each([
  { sed: 1 },
  { seed: 1.5 },
  { models: [{ kind: "chat" }] },
  { embeddings: [{ text: "a", vector: [] }] },
  { tables: { t: { row: [] } } },
  { tables: { t: [5] } },
  { tables: { t: { columns: { a: { notnull: true } } } } },
  { chats: [{}] },
  { chats: [{ reply, replies: [reply] }] },
  { chats: [{ reply, after: "end" }] },
  { chats: [{ when: { user: { contians: "a" } }, reply }] },
  { chats: [{ reply: { chunks: [{ wait: 1, raw: "a" }] } }] },
  { chats: [{ reply: { error: { status: 200, message: "a" } } }] },
])("refuses the document %j, as the reader does", async (document) => {
  expect(schemaAccepts(document)).toBe(false);
  await expect(readFixtureDocument(document)).rejects.toMatchObject({
    code: "ERR_FIXTURES_INVALID",
  });
});
