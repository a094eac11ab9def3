import { expect, test } from "vitest";
import type { Imported } from "../../../../src/extras/recordings/importers/imported.ts";
import { importJsonServer } from "../../../../src/extras/recordings/importers/json-server.ts";
import { importOpenApi } from "../../../../src/extras/recordings/importers/openapi.ts";

/** The tables of an import by name, and what was told. */
function read({ files, remarks }: Imported) {
  const tables = files.map(({ name, text }) => [name, JSON.parse(text)] as const);
  return {
    tables: Object.fromEntries(tables),
    told: remarks.map(({ path, message }) => `${path.join(".")}: ${message}`),
  };
}

test("a db.json is a file for each table, with references where every value exists", () => {
  const found = read(
    importJsonServer({
      $schema: "x",
      users: [{ id: "1", name: "Ada" }],
      posts: [{ id: 1, userId: "1", categoryId: null }],
      comments: [{ id: 1, postId: 2 }],
    }),
  );
  expect(found).toEqual({
    tables: {
      "tables/users.json": {
        columns: { id: "TEXT", name: "TEXT" },
        rows: [{ id: "1", name: "Ada" }],
      },
      "tables/posts.json": {
        columns: {
          id: "INTEGER",
          userId: { type: "TEXT", references: "users.id" },
          categoryId: "ANY",
        },
        rows: [{ id: 1, userId: "1", categoryId: null }],
      },
      "tables/comments.json": {
        columns: { id: "INTEGER", postId: "INTEGER" },
        rows: [{ id: 1, postId: 2 }],
      },
    },
    told: [
      'comments.0.postId: the column is not a reference to "posts", where no row has the id 2',
    ],
  });
});

test.each([
  [{ profile: { name: "Ada" } }, "profile: the object became a table of one row"],
  [{ version: 3, a: [] }, "version: left out: a table has rows, but this is 3"],
  [{ a: [1, { id: 1 }] }, "a.0: left out: a row is an object"],
  [{ a: [{ id: 1 }, { id: 1 }] }, "a.1: left out: another row has the id 1"],
  [{ "a/b": [{ id: 1 }] }, "a/b: the table was left out"],
  [{ a: [{ "": 1, id: 1 }] }, "a.0.: left out: a column needs a name"],
])("tells what cannot be taken over of the db.json %j", (db, told) => {
  expect(read(importJsonServer(db)).told.join()).toContain(told);
});

test("an empty list is a table whose columns come with its first row", () => {
  expect(read(importJsonServer({ a: [] })).tables).toEqual({ "tables/a.json": [] });
});

const pet = {
  type: "object",
  properties: {
    id: { type: "integer", example: 7 },
    name: { type: "string", example: "Rex" },
    tag: { type: ["string", "null"] },
    weight: { type: "number", default: 2 },
  },
};

const listOf = (schema: object, more: object = {}) => ({
  get: { responses: { 200: { content: { "application/json": { schema, ...more } } } } },
});

async function openapi(paths: object, schemas: object = {}) {
  return read(await importOpenApi({ openapi: "3.1.0", paths, components: { schemas } }));
}

test("the example of a list is rows, and its schema has the columns", async () => {
  const pets = { type: "array", items: { $ref: "#/components/schemas/Pet" } };
  const { tables, told } = await openapi(
    { "/v1/pets": listOf(pets, { example: [{ id: 1, name: "Tom", weight: 3 }] }) },
    { Pet: pet },
  );
  expect(tables).toEqual({
    "tables/pets.json": {
      columns: { id: "INTEGER", name: "TEXT", tag: "TEXT", weight: { type: "REAL", default: 2 } },
      rows: [{ id: 1, name: "Tom", weight: 3 }],
    },
  });
  expect(told).toEqual([]);
});

test("a list without an example has a row of the examples of its schema's properties", async () => {
  const pets = { type: "array", items: { $ref: "#/components/schemas/Pet" } };
  const { tables } = await openapi(
    { "/pets": listOf(pets), "/pets/{id}": listOf({ $ref: "#/components/schemas/Pet" }) },
    { Pet: pet },
  );
  expect(tables["tables/pets.json"].rows).toEqual([{ id: 7, name: "Rex", weight: 2 }]);
});

test("named examples are followed to where they stand", async () => {
  const examples = { one: { value: [{ id: 1 }] }, two: { $ref: "#/components/examples/two" } };
  const document = {
    openapi: "3.0.3",
    paths: { "/a": listOf({}, { examples }) },
    components: { examples: { two: { value: [{ id: 2 }] } } },
  };
  expect(read(await importOpenApi(document)).tables["tables/a.json"].rows).toEqual([
    { id: 1 },
    { id: 2 },
  ]);
});

test.each([
  [
    { "/a": { get: { responses: { 204: {} } } } },
    "paths./a: left out: GET has no JSON answer with a status of 2xx",
  ],
  [{ "/a": listOf({}, { example: "x" }) }, "paths./a: left out: it has no example"],
  [
    { "/a": listOf({}, { example: { data: [{ id: 1 }], total: 1 } }) },
    'the rows are those in "data"',
  ],
  [
    {
      "/a": listOf(
        {},
        { examples: { x: { value: [{ id: 1, b: 1 }] }, y: { value: [{ id: 1, b: 2 }] } } },
      ),
    },
    "left out: another row has the id 1",
  ],
])("tells what cannot be taken over of the paths %j", async (paths, told) => {
  expect((await openapi(paths)).told.join()).toContain(told);
});

test("a schema that refers to itself comes to an end", async () => {
  const node = {
    type: "object",
    properties: { child: { $ref: "#/components/schemas/Node" }, n: { example: 1 } },
  };
  const loop = { $ref: "#/components/schemas/Loop" };
  const paths = { "/nodes": listOf({ items: node }), "/loops": listOf({ items: loop }) };
  const { tables } = await openapi(paths, { Node: node, Loop: loop });
  expect(tables["tables/nodes.json"].rows).toMatchObject([{ n: 1, child: { n: 1 } }]);
});

test("refuses Swagger 1, and says what to do", async () => {
  await expect(importOpenApi({ swagger: "1.2" })).rejects.toThrow(
    /only OpenAPI 3 and Swagger 2 can be read. Convert it first/,
  );
});
