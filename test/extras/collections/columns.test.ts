import { Collection } from "@msw/data";
import * as v from "valibot";
import { expect, test } from "vitest";
import { z } from "zod";
import { collectionTable, shownColumns } from "../../support/collection-table.ts";
import { column } from "../../support/tables.ts";

test("takes columns and types from a schema that describes itself, before there is any record", () => {
  const schema = z.object({
    id: z.number(),
    age: z.int().nullable(),
    price: z.number().optional(),
    name: z.string().default("x"),
    active: z.boolean(),
    role: z.enum(["a", "b"]).nullish(),
    tags: z.array(z.string()),
    address: z.object({ city: z.string() }),
    born: z.date(),
    mixed: z.union([z.string(), z.number()]),
    count: z.union([z.int(), z.number()]),
  });
  const table = collectionTable(new Collection({ schema }));
  expect(shownColumns(table)).toEqual([
    "id INTEGER",
    "age INTEGER",
    "price NUMERIC",
    "name TEXT",
    "active BOOLEAN",
    "role TEXT",
    "tags JSON",
    "address JSON",
    "born ANY",
    "mixed ANY",
    "count NUMERIC",
  ]);
  expect(table.schema.primaryKey).toEqual(["id"]);
});

test("joins the columns of all members of a union", () => {
  const schema = z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("circle"), size: z.int() }),
    z.object({ kind: z.literal("text"), size: z.string(), words: z.number() }),
  ]);
  const table = collectionTable(new Collection({ schema }));
  expect(shownColumns(table)).toEqual(["kind TEXT", "size ANY", "words NUMERIC"]);
});

test("takes columns from the records where the schema does not describe itself", async () => {
  const schema = v.looseObject({ id: v.number() });
  const records = new Collection({ schema });
  const table = collectionTable(records);
  expect(table.schema).toMatchObject({ columns: [], primaryKey: [] });
  await records.create({ id: 1, name: "Ada", born: new Date(0), size: 10n ** 17n });
  await records.create({ id: 2, name: null, score: 1.5 });
  expect(shownColumns(table)).toEqual([
    "id INTEGER",
    "name TEXT",
    "born TEXT",
    "size INTEGER",
    "score REAL",
  ]);
  expect(table.schema.primaryKey).toEqual(["id"]);
});

test("adds what records have beyond their schema", async () => {
  const records = new Collection({ schema: z.looseObject({ id: z.number() }) });
  await records.create({ id: 1, extra: true });
  expect(shownColumns(collectionTable(records))).toEqual(["id INTEGER", "extra BOOLEAN"]);
});

test("shows declared columns only, in their order", async () => {
  const records = new Collection({ schema: z.looseObject({ id: z.number() }) });
  await records.create({ id: 1, secret: "x", name: "Ada" });
  const columns = [column("name", "TEXT"), column("id", "INTEGER"), column("age", "INTEGER")];
  const table = collectionTable(records, { columns, primaryKey: ["id"] });
  expect(JSON.stringify(table.rows())).toBe('[{"name":"Ada","id":1,"age":null}]');
  await table.replace([1], { name: "Grace" });
  expect(records.all()).toEqual([{ id: 1, secret: "x", name: "Grace" }]);
});

test("has no column for a relation, at the top or deeper", async () => {
  const countries = new Collection({ schema: z.object({ code: z.string() }) });
  const country = z.object({ code: z.string() }).optional();
  const users = new Collection({
    schema: z.object({ id: z.number(), country, home: z.object({ city: z.string(), country }) }),
  });
  users.defineRelations(({ one }) => ({
    country: one(countries),
    home: { country: one(countries) },
  }));
  const uk = await countries.create({ code: "uk" });
  await users.create({ id: 1, country: uk, home: { city: "Bath", country: uk } });
  const table = collectionTable(users);
  expect(shownColumns(table)).toEqual(["id INTEGER", "home JSON"]);
  expect(table.rows()).toEqual([{ id: 1, home: { city: "Bath" } }]);
});
