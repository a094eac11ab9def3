import { Collection } from "@msw/data";
import * as v from "valibot";
import { expect, test } from "vitest";
import { z } from "zod";
import { createEmulator, type Emulator } from "../../../src/index.ts";

const userSchema = z.object({
  id: z.number(),
  name: z.string(),
  role: z.string().default("user"),
  nick: z.string().optional(),
});

/** Users as a collection that has Ada in it. */
async function adaAlone(): Promise<Collection<typeof userSchema>> {
  const users = new Collection({ schema: userSchema });
  await users.create({ id: 1, name: "Ada" });
  return users;
}

const headers = { authorization: "Bearer local-token", "content-type": "application/json" };

async function ask(
  emulator: Pick<Emulator, "fetch">,
  line: string,
  json?: unknown,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const [method = "GET", path = "/"] = line.split(" ");
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  const response = await emulator.fetch(path, { method, headers, ...body });
  return { status: response.status, body: await response.json() };
}

const ada = { id: 1, name: "Ada", role: "user", nick: null };

test("serves a collection as a table, beside those of the fixtures", async () => {
  const fixtures = { tables: { notes: [{ id: 1, text: "x" }] } };
  const emulator = await createEmulator({ fixtures, tables: { users: await adaAlone() } });
  expect(await ask(emulator, "GET /rest/users/1")).toEqual({
    status: 200,
    body: { result: [ada] },
  });
  expect(await ask(emulator, "GET /rest/notes?text=x")).toMatchObject({ status: 200 });
  expect(Object.keys(emulator.tables)).toEqual(["notes", "users"]);
});

test("serves it in place of a table of the same name", async () => {
  const fixtures = { tables: { users: [{ id: 9, old: true }] } };
  const emulator = await createEmulator({ fixtures, tables: { users: await adaAlone() } });
  expect((await ask(emulator, "GET /rest/users")).body).toEqual({ result: [ada] });
});

test("answers writes from what the collection stored", async () => {
  const users = await adaAlone();
  const emulator = await createEmulator({ tables: { users } });
  const created = await ask(emulator, "POST /rest/users", { name: "Bob", nick: "B" });
  const data = { id: 2, name: "Bob", role: "user", nick: "B" };
  expect(created).toMatchObject({ status: 201, body: { result: { data } } });
  const changed = await ask(emulator, "PATCH /rest/users/2", { nick: null });
  expect(changed).toMatchObject({ status: 200, body: { result: { data: { nick: null } } } });
  const replaced = await ask(emulator, "PUT /rest/users/1", { name: "Grace", role: "admin" });
  expect(replaced).toMatchObject({ status: 200 });
  expect((await ask(emulator, "DELETE /rest/users/2")).status).toBe(200);
  expect(users.all()).toEqual([{ id: 1, name: "Grace", role: "admin" }]);
});

test("answers what the collection refuses in the service's own way", async () => {
  const emulator = await createEmulator({ tables: { users: await adaAlone() } });
  expect(await ask(emulator, "POST /rest/users", { name: 5 })).toMatchObject({
    status: 400,
    body: { code: "invalid_body", error: expect.stringContaining("expected string") },
  });
  const cases = [
    ["POST /rest/users", { id: 1, name: "x" }, 409, "conflict"],
    ["POST /rest/users", { nmae: "x" }, 400, "invalid_body"],
    ["PATCH /rest/users/9", { name: "x" }, 404, "row_not_found"],
    ["GET /rest/users?nmae=x", undefined, 400, "unknown_column"],
  ] as const;
  for (const [line, json, status, code] of cases) {
    expect(await ask(emulator, line, json)).toMatchObject({ status, body: { code } });
  }
});

test("filters, sorts and pages by the service's rules, and not by the collection's", async () => {
  const users = await adaAlone();
  for (const name of ["bob", "Cleo", "adam", "Zoë"])
    await users.create({ id: 9 - name.length, name });
  const emulator = await createEmulator({ tables: { users } });
  const path = "/rest/users?name.like=%25a%25&sort_by=name&order=DESC&limit=1&offset=1";
  expect((await ask(emulator, `GET ${path}`)).body).toEqual({ result: [ada] });
});

test("serves a collection under the other profile too", async () => {
  const users = await adaAlone();
  const emulator = await createEmulator({ profiles: { tables: "starbasedb" }, tables: { users } });
  expect(await ask(emulator, "GET /rest/users?name=Ada")).toEqual({
    status: 200,
    body: { result: [ada] },
  });
  expect((await ask(emulator, "POST /rest/users", { name: "Bob" })).status).toBe(201);
  expect((await ask(emulator, "PATCH /rest/users/2", { nick: "B" })).status).toBe(200);
  expect((await ask(emulator, "DELETE /rest/users/1")).status).toBe(200);
  expect((await ask(emulator, "POST /rest/users", { id: 2, name: "x" })).status).toBe(500);
  expect(users.all()).toEqual([{ id: 2, name: "Bob", role: "user", nick: "B" }]);
});

test("converts under the other profile what columns of the service would convert", async () => {
  const schema = z.object({ id: z.number(), age: z.int(), name: z.string(), active: z.boolean() });
  const people = new Collection({ schema });
  const emulator = await createEmulator({ profiles: { tables: "starbasedb" }, tables: { people } });
  const row = { age: "42", name: 7, active: true };
  expect((await ask(emulator, "POST /rest/people", row)).status).toBe(201);
  expect((await ask(emulator, "PATCH /rest/people/1", { active: false })).status).toBe(200);
  expect(people.all()).toEqual([{ id: 1, age: 42, name: "7.0", active: false }]);
});

test("takes bigints and bytes from code as they are", async () => {
  const bytes = z.instanceof(Uint8Array).optional();
  const files = new Collection({ schema: z.object({ id: z.number(), size: z.bigint(), bytes }) });
  const columns = { id: "INTEGER", size: "BIGINT", bytes: "BLOB" };
  const { tables } = await createEmulator({
    tables: { files, declared: { collection: files, columns } },
  });
  await tables.files.insert({ size: 5n });
  await tables.declared.insert({ size: 6n, bytes: new Uint8Array([1]) });
  await tables.files.update(1, { size: 2n ** 60n });
  expect(files.all().map(({ size }) => size)).toEqual([2n ** 60n, 6n]);
  expect(tables.files.get(2)?.bytes).toEqual(new Uint8Array([1]));
});

test("keeps what a record has beyond its row when the row is sent back", async () => {
  const schema = z.object({ id: z.number(), born: z.date(), size: z.bigint(), name: z.string() });
  const people = new Collection({ schema });
  await people.create({ id: 1, born: new Date(0), size: 5n, name: "Ada" });
  const emulator = await createEmulator({ tables: { people } });
  const row = { id: 1, born: "1970-01-01T00:00:00.000Z", size: 5, name: "Grace" };
  expect((await ask(emulator, "PUT /rest/people/1", row)).status).toBe(200);
  expect((await ask(emulator, "PATCH /rest/people/1", row)).status).toBe(200);
  expect(people.all()).toEqual([{ id: 1, born: new Date(0), size: 5n, name: "Grace" }]);
});

test("keeps relations through writes over REST, and says that only code writes them", async () => {
  const users = await adaAlone();
  const posts = new Collection({
    schema: z.object({ id: z.number(), title: z.string(), author: userSchema.optional() }),
  });
  posts.defineRelations(({ one }) => ({ author: one(users) }));
  await posts.create({ id: 1, title: "one", author: users.all()[0] });
  const emulator = await createEmulator({ tables: { users, posts } });
  expect((await ask(emulator, "PATCH /rest/posts/1", { title: "new" })).status).toBe(200);
  expect(posts.all().map(({ title, author }) => [title, author?.name])).toEqual([["new", "Ada"]]);
  expect(await ask(emulator, "PATCH /rest/posts/1", { author: 9 })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('"author" is a relation of the collection') },
  });
});

test("loses no write of many clients at once", async () => {
  const users = await adaAlone();
  const emulator = await createEmulator({ tables: { users } });
  const writers = Array.from({ length: 100 }, (_, index) => index);
  const replies = await Promise.all(
    writers.flatMap((index) => [
      ask(emulator, "POST /rest/users", { name: `user ${index}` }),
      ask(
        emulator,
        "PATCH /rest/users/1",
        index % 2 === 0 ? { nick: `n${index}` } : { role: `r${index}` },
      ),
    ]),
  );
  expect(replies.filter(({ status }) => status >= 400)).toEqual([]);
  expect(new Set(users.all().map(({ id }) => id)).size).toBe(101);
  expect(emulator.tables.users.get(1)).toEqual({ ...ada, nick: "n98", role: "r99" });
});

test("gives handles whose writes are promises", async () => {
  const users = await adaAlone();
  const { tables } = await createEmulator({ tables: { users } });
  expect(await tables.users.insert({ name: "Bob" })).toEqual({ ...ada, id: 2, name: "Bob" });
  expect(await tables.users.update(2, { nick: "B" })).toMatchObject({ nick: "B" });
  expect(await tables.users.replace(2, { name: "Rob" })).toMatchObject({ name: "Rob", nick: null });
  expect([await tables.users.delete(2), await tables.users.delete(2)]).toEqual([true, false]);
  expect([tables.users.size, tables.users.rows(), tables.users.get(1)]).toEqual([1, [ada], ada]);
  await expect(tables.users.update(9, { name: "x" })).rejects.toMatchObject({
    code: "ERR_ROW_REFUSED",
    message: expect.stringMatching(/^Cannot update a row of "users": /),
  });
});

test("goes back to the records of a snapshot, and of the start", async () => {
  const users = await adaAlone();
  const emulator = await createEmulator({ tables: { users } });
  await emulator.tables.users.insert({ name: "Bob" });
  const snapshot = emulator.snapshot();
  await users.create({ id: 3, name: "Cleo" });
  await emulator.tables.users.update(1, { name: "Grace" });
  emulator.restore(snapshot);
  expect(users.all().map(({ name }) => name)).toEqual(["Ada", "Bob"]);
  emulator.reset();
  expect(emulator.tables.users.rows()).toEqual([ada]);
});

test("takes key and columns beside a collection", async () => {
  const schema = v.object({ mail: v.string(), name: v.string(), secret: v.optional(v.string()) });
  const people = new Collection({ schema });
  await people.create({ mail: "A@x", name: "Ada", secret: "x" });
  const emulator = await createEmulator({
    tables: {
      people: {
        collection: people,
        primaryKey: "mail",
        columns: { mail: { type: "TEXT", collate: "NOCASE" }, name: "TEXT" },
      },
    },
  });
  expect((await ask(emulator, "GET /rest/people/a@X")).body).toEqual({
    result: [{ mail: "A@x", name: "Ada" }],
  });
  expect((await ask(emulator, "POST /rest/people", { mail: "a@X", name: "x" })).status).toBe(409);
});

const users = new Collection({ schema: userSchema });

const refusals: readonly (readonly [what: string, tables: unknown, message: RegExp])[] = [
  ["an array", [], /^Cannot use the option tables: it is an array\. Give collections/],
  ["rows", { users: [{ id: 1 }] }, /table "users": an array is not a Collection of @msw\/data/],
  ["a Map", { users: new Map() }, /an object is not a Collection/],
  ["a name that is empty", { "": users }, /name must not be empty/],
  [
    "an unknown key",
    { users: { collection: users, primarykey: "id" } },
    /"primarykey".*"primaryKey"/,
  ],
  [
    "no collection in its place",
    { users: { collection: {} } },
    /its "collection" is not a Collection/,
  ],
  [
    "a key of no column",
    { users: { collection: users, primaryKey: "uid" } },
    /"uid".*Did you mean "id"/,
  ],
  [
    "a key that is no name",
    { users: { collection: users, primaryKey: [] } },
    /its "primaryKey" is an array/,
  ],
  [
    "a column type that is none",
    { users: { collection: users, columns: { id: { typ: "INTEGER" } } } },
    /tables\.users\.columns\.id.*"typ".*"type"/,
  ],
  [
    "a reference",
    { users: { collection: users, columns: { id: { references: "a.b" } } } },
    /"id" has "references", which collections do not support/,
  ],
];

for (const [what, tables, message] of refusals) {
  test(`refuses ${what} as the option tables`, async () => {
    const options = JSON.parse("{}");
    options.tables = tables;
    await expect(createEmulator(options)).rejects.toMatchObject({
      code: "ERR_OPTION_INVALID",
      message: expect.stringMatching(message),
    });
  });
}

test("refuses to replace a table that others of the fixtures refer to", async () => {
  const fixtures = {
    tables: {
      users: [{ id: 1 }],
      orders: { columns: { id: "INTEGER", user: { type: "INTEGER", references: "users.id" } } },
    },
  } as const;
  await expect(createEmulator({ fixtures, tables: { users } })).rejects.toMatchObject({
    code: "ERR_OPTION_INVALID",
    message: expect.stringMatching(/"users" of the fixtures: their table "orders" refers to it/),
  });
});

const priced = z.object({ id: z.number(), name: z.string() });
const undescribed = v.looseObject({ id: v.number(), name: v.string() });

test.each([
  ["whose schema tells types", new Collection({ schema: priced }), {}],
  ["whose schema tells none", new Collection({ schema: undescribed }), {}],
  [
    "with declared columns",
    new Collection({ schema: priced }),
    { primaryKey: "id", columns: { id: "NUMERIC", name: "TEXT" } },
  ],
])("finds number keys such as 1.5 by path in a collection %s", async (_, collection, declared) => {
  const keys = [1.5, 2, -0.25, 1e30];
  for (const id of keys) await collection.create({ id, name: `no. ${id}` });
  for (const tables of ["document", "starbasedb"] as const) {
    const emulator = await createEmulator({
      profiles: { tables },
      tables: { prices: { collection, ...declared } },
    });
    for (const id of keys) {
      const path = `/rest/prices/${id}`;
      const row = { id, name: `no. ${id}` };
      expect(await ask(emulator, `GET ${path}`)).toEqual({ status: 200, body: { result: [row] } });
      const changed = await ask(emulator, `PATCH ${path}`, { name: "new" });
      expect(changed).toMatchObject({ status: 200 });
      expect(collection.all().find((record) => record.id === id)).toMatchObject({ name: "new" });
      await ask(emulator, `PATCH ${path}`, { name: row.name });
    }
    expect(await ask(emulator, "DELETE /rest/prices/1.5")).toMatchObject({ status: 200 });
    expect(collection.all().map(({ id }) => id)).toEqual([2, -0.25, 1e30]);
    emulator.reset();
  }
});
