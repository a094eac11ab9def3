import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import { loadFixtures } from "../../../src/fronts/node/index.ts";
import { ask } from "../../support/requests.ts";
import { type ApiDocument, readApiDocument } from "./api-document.ts";

async function documentOf(tables: object): Promise<ApiDocument> {
  const emulator = await createEmulator({ fixtures: { tables } });
  return readApiDocument(await ask(emulator, "GET /__backlot/openapi.json"));
}

const products = {
  primaryKey: "sku",
  columns: {
    sku: "TEXT",
    price: { type: "REAL", notNull: true },
    stock: { type: "INTEGER", default: 0, notNull: true },
    sold: "BOOLEAN",
    tags: "JSON",
  },
  rows: [{ sku: "a-1", price: 2.5 }],
};

test("describes the rows of each table by its columns", async () => {
  const { components } = await documentOf({ products });
  expect(components["schemas"]?.["productsRow"]).toEqual({
    type: "object",
    description: "A row of products.",
    properties: {
      sku: { type: "string" },
      price: { type: "number" },
      stock: { type: "integer" },
      sold: { type: ["boolean", "integer", "null"] },
      tags: {},
    },
    required: ["sku", "price", "stock", "sold", "tags"],
  });
});

test("asks a new row for what has neither a default nor a key, and a change for nothing", async () => {
  const { components } = await documentOf({ products });
  expect(components["schemas"]?.["productsDraft"]).toMatchObject({ required: ["price"] });
  expect(components["schemas"]?.["productsChanges"]).toMatchObject({ required: [] });
});

test("has a filter for each column and operator, with the column's type", async () => {
  const { paths } = await documentOf({ products });
  const parameters = paths["/rest/products"]?.get?.parameters ?? [];
  const named = (name: string): object | undefined => parameters.find((one) => one.name === name);
  expect(named("stock")).toMatchObject({ in: "query", schema: { type: "integer" } });
  expect(named("price.gte")).toMatchObject({ schema: { type: "number" } });
  expect(named("sku.like")).toMatchObject({ schema: { type: "string" } });
  expect(named("stock.in")).toMatchObject({
    explode: false,
    schema: { type: "array", items: { type: "integer" } },
  });
});

test("shows the key of the first row as an example", async () => {
  const pairs = { primaryKey: ["a", "b"], rows: [{ a: 1, b: "x" }] };
  const { paths } = await documentOf({ products, pairs });
  const keyOf = (table: string): object | undefined =>
    paths[`/rest/${table}/{key}`]?.parameters?.[0];
  expect(keyOf("products")).toMatchObject({ schema: { type: "string" }, example: "a-1" });
  expect(keyOf("pairs")).toMatchObject({ schema: { type: "string" }, example: "1,x" });
});

test("describes tables of any name, each under names of its own", async () => {
  const { paths, components } = await documentOf({ "a b": [{ id: 1 }], a_b: [{ id: "x" }] });
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(["/rest/a%20b", "/rest/a_b/{key}"]));
  const schemas = Object.keys(components["schemas"] ?? {});
  expect(schemas).toEqual(expect.arrayContaining(["a_bRow", "a_b_2Row"]));
});

async function shopDocument(chat: "document" | "openai" = "document"): Promise<ApiDocument> {
  const fixtures = await loadFixtures("fixtures");
  const emulator = await createEmulator({ fixtures, auth: true, profiles: { chat } });
  return readApiDocument(await ask(emulator, "GET /__backlot/openapi.json"));
}

test.each(["document", "openai"] as const)(
  "under %s it passes a linter's recommended rules without a warning",
  async (chat) => {
    const source = JSON.stringify(await shopDocument(chat));
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source, config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  },
);

/** The names of the schemas that a value refers to. */
function referencesIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    key === "$ref" ? [String(part).replace(/^.*\//, "")] : referencesIn(part),
  );
}

test("has no schema that refers to itself, directly or through others", async () => {
  const { schemas = {} } = (await shopDocument()).components;
  const reachable = (name: string, seen: Set<string> = new Set()): ReadonlySet<string> => {
    for (const next of referencesIn(schemas[name])) {
      if (seen.has(next)) continue;
      seen.add(next);
      reachable(next, seen);
    }
    return seen;
  };
  const circular = Object.keys(schemas).filter((name) => reachable(name).has(name));
  expect(circular).toEqual([]);
});
