import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { JsonObject } from "../../../../src/core/schema/json.ts";
import { importOpenApi } from "../../../../src/extras/recordings/importers/openapi.ts";
import { readFixtureFiles } from "../../../../src/core/fixture-set/read-fixtures.ts";
import { counted } from "../../../../src/core/errors/show.ts";
import { run } from "../../../../src/fronts/cli/run.ts";
import { createEmulator } from "../../../../src/index.ts";
import { testIo } from "../../../fronts/cli/test-io.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const examples = dirname(
  createRequire(import.meta.url).resolve("@readme/oas-examples/package.json"),
);
const documents = ["2.0", "3.0", "3.1"].flatMap((version) =>
  ["json", "yaml"].flatMap((form) =>
    readdirSync(join(examples, version, form))
      .filter((name) => name.endsWith(`.${form}`))
      .map((name) => `${version}/${form}/${name}`),
  ),
);

function read(path: string): JsonObject {
  const text = readFileSync(join(examples, path), "utf8");
  return (path.endsWith(".json") ? JSON.parse(text) : parse(text)) as JsonObject;
}

/** What a document comes to: how many rows each table answers with, and what was told. */
async function comeTo(path: string): Promise<[Record<string, number>, string[]]> {
  const { files, remarks } = await importOpenApi(read(path));
  const fixtures = await readFixtureFiles(files.map((file) => ({ path: file.name, ...file })));
  const { fetch } = await createEmulator({ fixtures, auth: false });
  const tables: Record<string, number> = {};
  for (const { name } of files) {
    const table = name.slice("tables/".length, -".json".length);
    const answer = await fetch(`/rest/${encodeURIComponent(table)}`);
    const { result } = (await answer.json()) as { result: readonly object[] };
    tables[table] = result.length;
  }
  return [
    tables,
    remarks.map(({ path: place, message }) => `${place.slice(1).join(" ")}: ${message}`),
  ];
}

test.each(documents)(
  "the document %s comes to tables that answer, and its project passes check",
  { timeout: 60_000 },
  async (path) => {
    const [tables] = await comeTo(path);
    expect(Object.values(tables).every((count) => count > 0)).toBe(true);
    const { path: cwd } = await temporaryFolder();
    const importing = testIo({ cwd });
    const isUsable = Object.keys(tables).length > 0;
    const code = await run(["import", join(examples, path), "--from", "openapi"], importing);
    expect(code).toBe(isUsable ? 0 : 1);
    expect(importing.err()).not.toMatch(/^ +at |bug in Backlot/m);
    if (!isUsable) {
      expect(importing.err()).toMatch(
        /: it has .* paths?(?:, and none that lists objects)?\. Nothing was written\./,
      );
      return;
    }
    const checking = testIo({ cwd });
    expect([await run(["check"], checking), checking.err()]).toEqual([0, ""]);
    expect(checking.out()).toContain(counted(Object.keys(tables).length, "table"));
  },
);

test.each([
  [
    "3.0/json/petstore.json",
    { pet: 1, order: 20, user: 20 },
    [
      "/store/inventory: left out: it gives no list of objects",
      "/user/login: left out: it gives no list of objects",
      "/user/logout: left out: GET has no JSON answer with a status of 2xx",
    ],
  ],
  ["3.0/json/link-example.json", { users: 20, repositories: 20, pullrequests: 20 }, []],
  [
    "3.0/json/uspto.json",
    { apis: 2 },
    ["/{dataset}/{version}/fields: left out: it gives no list of objects"],
  ],
  [
    "2.0/json/petstore.json",
    { pet: 20, order: 20, user: 20 },
    [
      "/store/inventory: left out: it gives no list of objects",
      "/user/login: left out: it gives no list of objects",
      "/user/logout: left out: GET has no JSON answer with a status of 2xx",
    ],
  ],
  ["2.0/yaml/petstore-expanded.yaml", { pets: 20 }, []],
  [
    "2.0/json/api-with-examples.json",
    {},
    ["/: left out: its path names no table", "/v2: left out: it gives one object, and not a list"],
  ],
  [
    "3.1/json/train-travel.json",
    { stations: 2, trips: 2, bookings: 2 },
    ['/bookings 2: left out: another row has the id "efdbb9d1-02c2-4bc3-afb7-6788d8782b1e"'],
  ],
])("the document %s comes to the tables %j", async (path, tables, told) => {
  expect(await comeTo(path)).toEqual([tables, told]);
});

test("the lists of star trek are tables, and its answers of one thing are none", async () => {
  const [tables, told] = await comeTo("3.0/json/star-trek.json");
  expect(Object.keys(tables).length).toBeGreaterThan(35);
  expect(tables).toMatchObject({ animal: 20, character: 20, spacecraft: 20 });
  expect(told.every((line) => line.endsWith("left out: it gives one object, and not a list"))).toBe(
    true,
  );
});

const list = (items: object) => ({
  get: {
    responses: {
      200: {
        content: {
          "application/json": {
            schema: {
              allOf: [
                { type: "object", properties: { total: { type: "integer" } } },
                {
                  type: "object",
                  properties: {
                    data: { type: "array", items },
                    errors: { type: "array", items: {} },
                  },
                },
              ],
            },
          },
        },
      },
    },
  },
});

test("rows are made up by key, reference, enum, format, name and type", async () => {
  const Order = {
    type: "object",
    required: ["id", "status"],
    properties: {
      id: { type: "integer" },
      userId: { type: "integer" },
      status: { type: "string", enum: ["new", "paid"] },
      placed: { type: "string", format: "date" },
      email: { allOf: [{ type: "string" }] },
      count: { type: "integer", minimum: 5, maximum: 6 },
      done: { anyOf: [{ type: "boolean" }, { type: "null" }] },
    },
  };
  const User = {
    type: "object",
    properties: { id: { type: "integer" }, secret: { type: "string", writeOnly: true } },
  };
  const { files } = await importOpenApi(
    { openapi: "3.1.0", paths: { "/orders": list(Order), "/users": list(User) } },
    { rows: 7 },
  );
  const fixtures = await readFixtureFiles(files.map((file) => ({ path: file.name, ...file })));
  const { tables } = await createEmulator({ fixtures });
  const [order, ...others] = tables["orders"]?.rows() ?? [];
  expect(others).toHaveLength(6);
  expect(order).toEqual({
    id: 1,
    userId: 1,
    status: expect.stringMatching(/^(?:new|paid)$/),
    placed: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    email: expect.stringMatching(/@/),
    count: expect.toSatisfy((count) => count === 5 || count === 6),
    done: expect.any(Boolean),
  });
  expect(tables["users"]?.rows()[6]).toEqual({ id: 7 });
  expect(JSON.parse(files[0]?.text ?? "").columns).toMatchObject({
    status: { type: "TEXT", notNull: true },
    userId: { type: "INTEGER", references: "users.id" },
  });
});
