import { Collection } from "@msw/data";
import * as v from "valibot";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import type { WriteResult } from "../../../src/core/store/table.ts";
import { collectionTable } from "../../support/collection-table.ts";

// The collection prints what its schema refuses. Nothing that reaches it here is refused.
const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
afterEach(() => {
  expect(printed).not.toHaveBeenCalled();
});
afterAll(() => printed.mockRestore());

const userSchema = z.object({
  id: z.number(),
  name: z.string().min(2),
  nick: z.string().optional(),
  role: z.string().default("user"),
  address: z.object({ city: z.string() }).optional(),
});

function messages(result: WriteResult): readonly string[] {
  return result.ok ? [] : result.violations.map(({ message }) => message);
}

test("says where and why the collection's schema refuses a row", async () => {
  const table = collectionTable(new Collection({ schema: userSchema }));
  const result = await table.insert({ name: "x", address: { city: 5 } });
  expect(messages(result)).toEqual([
    'Column "name" is refused by the collection: Too small: expected string to have >=2 characters.',
    'Column "address" is refused by the collection at address.city: Invalid input: expected string, received number.',
  ]);
  expect(table.size).toBe(0);
});

test("says the same of schemas of another library, and of the row as a whole", async () => {
  const schema = v.pipe(
    v.object({ id: v.number(), from: v.number(), to: v.number() }),
    v.check(({ from, to }) => from <= to, "The range is upside down"),
  );
  const table = collectionTable(new Collection({ schema }));
  const whole = await table.insert({ id: 1, from: 2, to: 1 });
  expect(messages(whole)).toEqual(["The collection refuses the row: The range is upside down."]);
  expect(await table.insert({ from: 1 })).toMatchObject({
    violations: [{ kind: "not-null", columns: ["to"] }],
  });
});

test("waits for a schema that takes its time", async () => {
  const schema = z.object({
    id: z.number(),
    name: z.string().refine(async (name) => (await Promise.resolve(name)) !== "taken", "Taken"),
  });
  const table = collectionTable(new Collection({ schema }));
  expect(await table.insert({ name: "free" })).toMatchObject({ ok: true });
  expect(messages(await table.update([1], { name: "taken" }))).toHaveLength(1);
});

test("stores what the schema makes of a row", async () => {
  const schema = z.object({ id: z.coerce.number(), mail: z.string().toLowerCase() });
  const table = collectionTable(new Collection({ schema }));
  expect(await table.insert({ id: "7", mail: "A@X" })).toEqual({
    ok: true,
    row: { id: 7, mail: "a@x" },
  });
  expect(await table.insert({ id: 7, mail: "b@x" })).toMatchObject({
    violations: [{ kind: "unique" }],
  });
});

test("leaves a property out where it is set to NULL and the schema takes no null", async () => {
  const users = new Collection({ schema: userSchema });
  const table = collectionTable(users);
  await table.insert({ name: "Ada", nick: null });
  expect(users.all()).toEqual([{ id: 1, name: "Ada", role: "user" }]);
  await table.update([1], { nick: "A" });
  expect(await table.update([1], { nick: null })).toMatchObject({ ok: true, row: { nick: null } });
  expect(users.all().map((user) => Object.hasOwn(user, "nick"))).toEqual([false]);
});

test("keeps null where the schema takes it", async () => {
  const records = new Collection({ schema: z.object({ id: z.number(), v: z.string().nullish() }) });
  await collectionTable(records).insert({ v: null });
  expect(records.all()).toEqual([{ id: 1, v: null }]);
});

test("refuses NULL where leaving the property out would give a default", async () => {
  const table = collectionTable(new Collection({ schema: userSchema }));
  const result = await table.insert({ name: "Ada", role: null });
  expect(result).toMatchObject({ violations: [{ kind: "not-null", columns: ["role"] }] });
});

test("takes back the row that it gave", async () => {
  const users = new Collection({ schema: userSchema });
  const table = collectionTable(users);
  await table.insert({ name: "Ada" });
  const row = table.get([1]) ?? {};
  expect(await table.replace([1], row)).toEqual({ ok: true, row });
});

test("leaves a property alone that is given as its row has it", async () => {
  const home = z.object({ city: z.string(), since: z.date() }).optional();
  const users = new Collection({ schema: z.object({ id: z.number(), name: z.string(), home }) });
  await users.create({ id: 1, name: "Ada", home: { city: "Bath", since: new Date(0) } });
  const table = collectionTable(users);
  const sent = JSON.parse(JSON.stringify({ ...table.get([1]), name: "Grace" }));
  expect(await table.replace([1], sent)).toEqual({ ok: true, row: sent });
  expect(users.all()[0]?.home?.since).toEqual(new Date(0));
  expect(await table.update([1], { home: { city: "Bath" } })).toMatchObject({ ok: false });
});

test("takes the key that the schema gives", async () => {
  let last = 100;
  const schema = z.object({ id: z.number().default(() => (last += 1)), name: z.string() });
  const table = collectionTable(new Collection({ schema }));
  const written = await table.insert({ name: "Ada" });
  expect(written).toMatchObject({ ok: true, row: { id: last } });
});

test("generates no key that is a text", async () => {
  const schema = z.object({ id: z.uuid(), name: z.string() });
  const table = collectionTable(new Collection({ schema }));
  expect(await table.insert({ name: "Ada" })).toMatchObject({
    ok: false,
    violations: [{ kind: "not-null", columns: ["id"] }],
  });
});

test("generates the first key where nothing tells the columns yet", async () => {
  const records = new Collection({ schema: v.object({ id: v.number(), name: v.string() }) });
  expect(await collectionTable(records).insert({ name: "x" })).toMatchObject({ row: { id: 1 } });
  const keyless = new Collection({ schema: v.object({ name: v.string() }) });
  expect(await collectionTable(keyless).insert({ name: "x" })).toEqual({
    ok: true,
    row: { name: "x" },
  });
});

test("refuses what the schema would drop in silence", async () => {
  const table = collectionTable(new Collection({ schema: v.object({ id: v.number() }) }));
  await table.insert({ id: 1 });
  expect(await table.insert({ id: 2, extra: 1 })).toMatchObject({
    violations: [{ kind: "unknown-column", columns: ["extra"] }],
  });
  const loose = collectionTable(new Collection({ schema: v.looseObject({ id: v.number() }) }));
  await loose.insert({ id: 1, extra: 1 });
  expect(loose.rows()).toEqual([{ id: 1, extra: 1 }]);
});

test("tells hooks of its writes", async () => {
  const users = new Collection({ schema: userSchema });
  const heard: string[] = [];
  users.hooks.on("create", ({ data }) => void heard.push(`create ${data.record.name}`));
  users.hooks.on("update", ({ data }) => void heard.push(`update ${data.path.join(".")}`));
  users.hooks.on("delete", ({ data }) => void heard.push(`delete ${data.deletedRecord.name}`));
  const table = collectionTable(users);
  await table.insert({ name: "Ada" });
  await table.update([1], { name: "Grace", nick: "G" });
  await table.delete([1]);
  expect(heard).toEqual(["create Ada", "update name", "update nick", "delete Grace"]);
});

test("refuses what a hook refuses", async () => {
  const users = new Collection({ schema: userSchema });
  users.hooks.on("create", () => {
    throw new Error("Nobody may be added");
  });
  const result = await collectionTable(users).insert({ name: "Ada" });
  expect(messages(result)).toEqual(["The collection refuses the row: Nobody may be added."]);
  expect(users.count()).toBe(0);
});

test("says so when a hook prevents that a row is deleted", async () => {
  const users = new Collection({ schema: userSchema });
  users.hooks.on("delete", (event) => event.preventDefault());
  const table = collectionTable(users);
  await table.insert({ name: "Ada" });
  expect(await table.delete([1])).toMatchObject({
    ok: false,
    violations: [{ kind: "still-referenced" }],
  });
  expect(table.size).toBe(1);
});

test("finds no row that was deleted while its update was judged", async () => {
  const users = new Collection({ schema: userSchema });
  const table = collectionTable(users);
  await table.insert({ name: "Ada" });
  const update = table.update([1], { name: "Grace" });
  users.hooks.on("update", () => users.clear());
  expect(await update).toMatchObject({ ok: false, violations: [{ kind: "row-missing" }] });
});

test("goes on after a write that failed", async () => {
  const users = new Collection({ schema: userSchema });
  const table = collectionTable(users);
  const results = await Promise.all([
    table.insert({ name: "x" }),
    table.insert({ name: "Ada" }),
    table.insert({ id: 1, name: "Bob" }),
    table.delete([9]),
    table.insert({ name: "Cleo" }),
  ]);
  expect(results.map(({ ok }) => ok)).toEqual([false, true, false, false, true]);
  expect(table.rows().map(({ id }) => id)).toEqual([1, 2]);
});

test("writes in turn through two tables of one collection", async () => {
  const users = new Collection({ schema: userSchema });
  const [one, other] = [collectionTable(users), collectionTable(users)];
  const writes = Array.from({ length: 20 }, (_, index) =>
    (index % 2 === 0 ? one : other).insert({ name: `user ${index}` }),
  );
  await Promise.all(writes);
  expect(new Set(one.rows().map(({ id }) => id)).size).toBe(20);
});
