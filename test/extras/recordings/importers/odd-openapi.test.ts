import { validate } from "@cfworker/json-schema";
import { expect, test } from "vitest";
import { readFixtureFiles } from "../../../../src/core/fixture-set/read-fixtures.ts";
import { OpenApiDocument } from "../../../../src/extras/recordings/importers/openapi-document.ts";
import { importOpenApi } from "../../../../src/extras/recordings/importers/openapi.ts";
import { createEmulator } from "../../../../src/index.ts";

const listOf = (items: unknown, more: object = {}) => ({
  get: {
    responses: {
      200: { content: { "application/json": { schema: { type: "array", items }, ...more } } },
    },
  },
});

/** What a document with these paths comes to: its rows as they are served, its columns, and what is told. */
async function comeTo(paths: object, components: object = {}) {
  const { files, remarks } = await importOpenApi({ openapi: "3.1.0", paths, components });
  const fixtures = await readFixtureFiles(files.map((file) => ({ path: file.name, ...file })));
  const { tables } = await createEmulator({ fixtures });
  return {
    rows: (name: string) => tables[name]?.rows() ?? [],
    columns: Object.fromEntries(files.map(({ name, text }) => [name, JSON.parse(text).columns])),
    told: remarks.map(({ message }) => message),
  };
}

/** A table of things with an integer key and one more property. */
async function things(property: unknown, more: object = {}) {
  const items = {
    type: "object",
    required: ["id", "odd"],
    properties: { id: { type: "integer" }, odd: property, name: { type: "string" } },
  };
  return comeTo({ "/things": listOf(items, more) });
}

const beyond = 2 ** 60;

test.each<[string, unknown]>([
  ["a maximum beyond 2^53", { type: "integer", maximum: beyond }],
  ["a minimum beyond 2^53", { type: "integer", minimum: beyond }],
  ["limits of 64 bits", { type: "integer", minimum: -(2 ** 63), maximum: 2 ** 63 }],
  ["a maximum of 1e21", { type: "number", maximum: 1e21 }],
  ["limits that contradict each other", { type: "integer", minimum: 5, maximum: 1 }],
  ["an example beyond 2^53", { type: "integer", example: beyond }],
  ["a default beyond 2^53", { type: "integer", default: beyond }],
  ["choices beyond 2^53", { type: "integer", enum: [beyond, 2 ** 61] }],
  ["choices of several types", { enum: [1, "a", null, { b: 1 }] }],
  ["choices of another type than its own", { type: "integer", enum: ["a", "b"] }],
  ["a default of another type than its own", { type: "integer", default: "none" }],
  ["an empty schema", {}],
  ["the schema true", true],
  ["the schema false", false],
  ["not", { not: { type: "string" } }],
  ["not anything", { not: {} }],
  ["the constant null", { const: null }],
  ["the only choice null", { enum: [null] }],
  ["the type null", { type: "null" }],
  ["a reference that leads nowhere", { $ref: "#/components/schemas/None" }],
  ["a circular reference", { $ref: "#/components/schemas/A" }],
  ["an unknown type", { type: "file" }],
  ["a text with braces as its constant", { const: "{{ name }} {% if %}" }],
  ["an invalid pattern", { type: "string", pattern: "(" }],
  ["a pattern", { type: "string", pattern: "^[A-Z]{3}-\\d+$" }],
  ["a length", { type: "string", minLength: 30, maxLength: 35 }],
])("a required property with %s leaves the table with its other columns", async (_, property) => {
  const { rows } = await things(property);
  expect(rows("things")).toHaveLength(20);
  expect(rows("things")[0]).toMatchObject({ id: 1, name: expect.any(String) });
});

test("what has no value may be NULL, and what has is not", async () => {
  const { columns } = await things({ const: null });
  expect(columns["tables/things.json"].odd).toBe("ANY");
  const { columns: others } = await things({ type: "boolean" });
  expect(others["tables/things.json"].odd).toEqual({ type: "BOOLEAN", notNull: true });
});

test("values that a number cannot hold are left out, and told", async () => {
  const { rows, told } = await things(
    { type: "integer", default: beyond },
    { example: [{ id: 1, odd: beyond, name: "a" }] },
  );
  expect(rows("things")).toEqual([{ id: 1, odd: null, name: "a" }]);
  expect(told).toEqual([
    'left out: an example of "odd": a number cannot hold 1152921504606847000 exactly',
    'the default of "odd" was left out: a number cannot hold 1152921504606847000 exactly',
  ]);
});

test("a reference that leads nowhere is named", async () => {
  const { told } = await things({ $ref: "#/components/schemas/None" });
  expect(told).toEqual(['the reference "#/components/schemas/None" leads nowhere, or in a circle']);
});

/** A schema whose `allOf` refers thirty times to itself, or to another that refers back, and how often it is read. */
function selfReferring(target: string) {
  const reads = { count: 0 };
  const referring = (name: string, column: string) => ({
    type: "object",
    required: ["id", column],
    properties: { id: { type: "integer" }, [column]: { type: "string" } },
    get allOf() {
      if (++reads.count > 20_000) throw new Error("The schema is read without end.");
      return Array.from({ length: 30 }, () => ({ $ref: `#/components/schemas/${name}` }));
    },
  });
  return { reads, schemas: { A: referring(target, "one"), B: referring("A", "two") } };
}

test.each<[string, string[], string]>([
  ["A", ["id", "one"], "A"],
  ["B", ["id", "one", "two"], "A"],
])(
  "a schema whose allOf refers thirty times to %s, and so to itself, is read a few times and named",
  async (target, needed, named) => {
    const { reads, schemas } = selfReferring(target);
    const items = { $ref: "#/components/schemas/A" };
    const document = new OpenApiDocument({
      root: { components: { schemas } },
      files: new Map(),
    });
    expect([...document.requiredOf(items)].toSorted()).toEqual(needed);
    expect(Object.keys(document.propertiesOf(items)).toSorted()).toEqual(needed);
    expect(reads.count).toBeLessThan(200);
    const { told } = await comeTo({ "/things": listOf(items) }, { schemas });
    expect(told).toContain(
      `the reference "#/components/schemas/${named}" leads nowhere, or in a circle`,
    );
  },
);

function of(id: object, more: object = {}) {
  return listOf({ type: "object", properties: { id, ...more } });
}

test("a text beside whole numbers as ids is no foreign key", async () => {
  const { columns, rows } = await comeTo({
    "/posts": of({ type: "integer" }),
    "/comments": of({ type: "integer" }, { post_id: { type: "string" } }),
    "/likes": of({ type: "integer" }, { post_id: { type: "integer" } }),
  });
  expect(columns["tables/comments.json"].post_id).toBe("TEXT");
  expect(columns["tables/likes.json"].post_id).toEqual({
    type: "INTEGER",
    references: "posts.id",
  });
  expect(rows("comments")).toHaveLength(20);
});

test.each<[string, object]>([
  ["made-up rows", {}],
  ["an example", { example: [{ id: true, name: "a" }] }],
])("an id of true and false is left out with %s", async (_, more) => {
  const items = {
    type: "object",
    properties: { id: { type: "boolean" }, name: { type: "string" } },
  };
  const { rows, told } = await comeTo({ "/flags": listOf(items, more) });
  expect(rows("flags")[0]).toEqual({ name: expect.any(String) });
  expect(told).toEqual(['the column "id" was left out: it is no text and no number, as keys are']);
});

test.each<[object, (value: number) => boolean]>([
  [{ type: "number", minimum: 0.5, maximum: 0.6 }, (value) => value >= 0.5 && value <= 0.6],
  [{ type: "integer", minimum: 5, maximum: 6 }, (value) => value === 5 || value === 6],
  [
    { type: "integer", exclusiveMinimum: 5, exclusiveMaximum: 8 },
    (value) => value === 6 || value === 7,
  ],
  [
    { type: "integer", minimum: 5, exclusiveMinimum: true, maximum: 7, exclusiveMaximum: true },
    (value) => value === 6,
  ],
  [{ type: "number", exclusiveMinimum: 0, maximum: 1 }, (value) => value > 0 && value <= 1],
  [
    { type: "integer", multipleOf: 7, minimum: 8, maximum: 22 },
    (value) => [14, 21].includes(value),
  ],
  [
    { type: "number", multipleOf: 0.25, minimum: 1, maximum: 2 },
    (value) => [1, 1.25, 1.5, 1.75, 2].includes(value),
  ],
  [{ type: "number", multipleOf: 0.01 }, (value) => String(value).length <= 5],
  [{ type: "integer", maximum: -3 }, (value) => value <= -3],
  [{ type: "integer", minimum: 1000 }, (value) => value >= 1000],
  [{ type: "number", minimum: -0.2, maximum: -0.1 }, (value) => value >= -0.2 && value <= -0.1],
  [{ type: "number", minimum: 1e-7, maximum: 2e-7 }, (value) => value >= 1e-7 && value <= 2e-7],
])("made-up numbers keep to %j", async (property, isRight) => {
  const { rows } = await things(property);
  const values = rows("things").map(({ odd }) => odd);
  expect(values.filter((value) => typeof value !== "number" || !isRight(value))).toEqual([]);
});

test("made-up objects fit their own schemas, also through references", async () => {
  const Address = {
    type: "object",
    required: ["street", "zip", "geo"],
    properties: {
      street: { type: "string", minLength: 1 },
      zip: { type: "string", pattern: "^\\d{5}$" },
      geo: { $ref: "#/components/schemas/Geo" },
      next: { $ref: "#/components/schemas/Address" },
    },
  };
  const Geo = {
    type: "object",
    required: ["lat", "tags"],
    properties: {
      lat: { type: "number", minimum: 0.5, maximum: 0.6 },
      tags: { type: "array", minItems: 2, items: { type: "string", enum: ["a", "b"] } },
    },
    additionalProperties: false,
  };
  const items = {
    type: "object",
    required: ["id", "address"],
    properties: {
      id: { type: "integer" },
      address: { $ref: "#/components/schemas/Address" },
      list: { type: "array", minItems: 1, items: { $ref: "#/components/schemas/Geo" } },
    },
  };
  const schemas = { Address, Geo };
  const { rows } = await comeTo({ "/users": listOf(items) }, { schemas });
  const whole = {
    $ref: "#/components/schemas/Address",
    components: { schemas },
  };
  for (const { address, list } of rows("users")) {
    expect(validate(address, whole).errors).toEqual([]);
    expect(validate(list, { minItems: 1, items: Geo } as object).errors).toEqual([]);
  }
});

test.each<[string, object, string]>([
  ["a text", { example: "none" }, "an example has no list of objects"],
  ["texts in a list", { example: [{ id: 1 }, "two"] }, "items in its list that are no objects"],
  ["no key", { example: [{ name: "a" }, { id: 1 }] }, 'an example without "id"'],
  ["another row's key", { example: [{ id: 1 }, { id: 1, name: "b" }] }, "another row has the id 1"],
])("an example with %s is dropped, and told", async (_, more, says) => {
  const { told } = await things({ type: "string" }, more);
  expect(told).toEqual([expect.stringContaining(says)]);
});

test("references are followed into other files, each from where it stands", async () => {
  const files: Record<string, unknown> = {
    "/api/models/pet.yaml": {
      type: "object",
      properties: { id: { type: "integer" }, owner: { $ref: "owner.yaml#/Owner" } },
    },
    "/api/models/owner.yaml": { Owner: { $ref: "#/Name" }, Name: { type: "string", const: "Ada" } },
  };
  const asked: string[] = [];
  const { files: tables, remarks } = await importOpenApi(
    {
      openapi: "3.0.0",
      paths: {
        "/pets": listOf({ $ref: "models/pet.yaml" }),
        "/cats": listOf({ $ref: "cats.yaml#/Cat" }),
        "/dogs": listOf({ $ref: "https://example.com/dog.yaml" }),
      },
    },
    {
      readOther: async (reference, from = "/api/openapi.yaml") => {
        const name = new URL(reference, `file://${from}`).pathname;
        asked.push(name);
        const value = files[name];
        return {
          name,
          content:
            value === undefined
              ? { ok: false, error: "there is no such file" }
              : { ok: true, value },
        };
      },
    },
  );
  expect(tables.map(({ name }) => name)).toEqual(["tables/pets.json"]);
  expect(JSON.parse(tables[0]?.text ?? "").generate.row.owner).toContain("Ada");
  expect(asked).toEqual(["/api/models/pet.yaml", "/api/cats.yaml", "/api/models/owner.yaml"]);
  expect(remarks.map(({ message }) => message)).toEqual([
    'left out: "cats.yaml" cannot be read: there is no such file',
    'left out: nothing is read from the network, such as "https://example.com/dog.yaml"',
    "left out: it gives no list of objects",
    "left out: it gives no list of objects",
  ]);
});
