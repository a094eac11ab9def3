import { Collection } from "@msw/data";
import { expect, test } from "vitest";
import { z } from "zod";
import { collectionTable } from "../../support/collection-table.ts";

const anything = z.looseObject({});

test("shows what JSON would have of a record", async () => {
  const records = new Collection({ schema: anything });
  class Money {
    amount = 5;
    toJSON(): string {
      return `${this.amount} EUR`;
    }
  }
  await records.create({
    date: new Date(0),
    broken: new Date(Number.NaN),
    price: new Money(),
    nan: Number.NaN,
    missing: undefined,
    call: () => 1,
    deep: { when: new Date(0), call: () => 1, list: [undefined, 1n] },
  });
  const epoch = "1970-01-01T00:00:00.000Z";
  expect(collectionTable(records).rows()).toEqual([
    {
      date: epoch,
      broken: null,
      price: "5 EUR",
      nan: null,
      missing: null,
      call: null,
      deep: { when: epoch, list: [null, 1] },
    },
  ]);
});

test("shows big integers exactly, and bytes as the service does", async () => {
  const records = new Collection({ schema: anything });
  await records.create({ big: 2n ** 62n + 1n, small: 5n, bytes: new Uint8Array([1, 2]) });
  const table = collectionTable(records);
  const where = [{ column: "big", operator: "eq", value: "4611686018427387905" }] as const;
  expect(table.select({ where })).toHaveLength(1);
  expect(JSON.stringify(table.rows())).toBe('[{"big":4611686018427388000,"small":5,"bytes":{}}]');
});

test("cuts what leads back to itself", async () => {
  const records = new Collection({
    schema: z.object({ id: z.number(), node: z.any().optional() }),
  });
  const node: Record<string, unknown> = { name: "a" };
  node["self"] = node;
  const record = await records.create({ id: 1 });
  // Put there afterwards: the collection itself cannot take it.
  Object.assign(record, { node });
  expect(collectionTable(records).rows()).toEqual([{ id: 1, node: { name: "a", self: null } }]);
});

test("shows a record within a record without its relations", async () => {
  const posts = new Collection({ schema: z.object({ title: z.string() }) });
  const users = new Collection({
    schema: z.object({ id: z.number(), posts: z.array(z.object({ title: z.string() })) }),
  });
  users.defineRelations(({ many }) => ({ posts: many(posts) }));
  const user = await users.create({ id: 1, posts: [await posts.create({ title: "x" })] });
  const logs = new Collection({ schema: anything });
  const log = await logs.create({ id: 1 });
  Object.assign(log, { user });
  expect(collectionTable(logs).rows()).toEqual([{ id: 1, user: { id: 1 } }]);
});

test("sees records that are made, updated and deleted in the collection itself", async () => {
  const users = new Collection({ schema: z.object({ id: z.number(), name: z.string() }) });
  const table = collectionTable(users);
  const ada = await users.create({ id: 1, name: "Ada" });
  await users.create({ id: 2, name: "Bob" });
  expect(table.size).toBe(2);
  await users.update(ada, {
    data: (user) => {
      user.name = "Grace";
    },
  });
  expect(table.get([1])).toEqual({ id: 1, name: "Grace" });
  users.delete((q) => q.where({ id: 1 }));
  expect(table.rows()).toEqual([{ id: 2, name: "Bob" }]);
});

test("writes records that the collection itself sees", async () => {
  const users = new Collection({ schema: z.object({ id: z.number(), name: z.string() }) });
  const table = collectionTable(users);
  await table.insert({ name: "Ada" });
  await table.insert({ name: "Bob" });
  await table.update([1], { name: "Grace" });
  await table.delete([2]);
  expect(users.all()).toEqual([{ id: 1, name: "Grace" }]);
  expect(users.findFirst((q) => q.where({ name: "Grace" }))).toBe(users.all()[0]);
});

test("sees a record that is changed in place", async () => {
  const users = new Collection({ schema: z.object({ id: z.number(), name: z.string() }) });
  const ada = await users.create({ id: 1, name: "Ada" });
  const table = collectionTable(users);
  expect(table.get([1])?.["name"]).toBe("Ada");
  ada.name = "Grace";
  expect(table.get([1])?.["name"]).toBe("Grace");
});
