import { Collection } from "@msw/data";
import { expect, test } from "vitest";
import { z } from "zod";
import type { CollectionTable } from "../../../src/extras/collections/collection-table.ts";
import { collectionTable } from "../../support/collection-table.ts";

const userSchema = z.object({
  id: z.number(),
  name: z.string(),
  get posts() {
    return z.array(postSchema);
  },
});
const postSchema = z.object({
  id: z.number(),
  title: z.string(),
  get author() {
    return userSchema.optional();
  },
});

/** Ada, who wrote two posts. Both sides know of it. */
async function blog(): Promise<{
  readonly users: Collection<typeof userSchema>;
  readonly posts: Collection<typeof postSchema>;
  readonly userTable: CollectionTable;
  readonly postTable: CollectionTable;
}> {
  const users = new Collection({ schema: userSchema });
  const posts = new Collection({ schema: postSchema });
  users.defineRelations(({ many }) => ({ posts: many(posts) }));
  posts.defineRelations(({ one }) => ({ author: one(users) }));
  const first = await posts.create({ id: 1, title: "one" });
  const second = await posts.create({ id: 2, title: "two" });
  await users.create({ id: 1, name: "Ada", posts: [first, second] });
  return {
    users,
    posts,
    userTable: collectionTable(users, { name: "users" }),
    postTable: collectionTable(posts, { name: "posts" }),
  };
}

test("updates and replaces records on both sides of a relation, and keeps it", async () => {
  const { users, posts, userTable, postTable } = await blog();
  expect(await userTable.update([1], { name: "Grace" })).toEqual({
    ok: true,
    row: { id: 1, name: "Grace" },
  });
  expect(await postTable.replace([2], { title: "new" })).toMatchObject({ ok: true });
  expect(users.all()[0]?.posts.map(({ title }) => title)).toEqual(["one", "new"]);
  expect(posts.all()[1]?.author?.name).toBe("Grace");
});

test.each([
  ["a key", 1],
  ["an object with the key", { id: 1, name: "as it was" }],
])("relates a new record to one that is given by %s", async (_, author) => {
  const { users, posts, postTable } = await blog();
  const written = await postTable.insert({ title: "three", author });
  expect(written).toEqual({ ok: true, row: { id: 3, title: "three" } });
  expect(posts.all()[2]?.author).toBe(users.all()[0]);
  expect(users.all()[0]?.posts.map(({ id }) => id)).toEqual([1, 2, 3]);
});

test("relates a record to a list of others, and to none", async () => {
  const { users, posts, userTable } = await blog();
  expect(await userTable.insert({ name: "Bob", posts: [2, { id: 1 }] })).toMatchObject({
    ok: true,
  });
  expect(users.all()[1]?.posts.map(({ id }) => id)).toEqual([1, 2]);
  expect(await userTable.update([2], { posts: [2] })).toMatchObject({ ok: true });
  expect(users.all()[1]?.posts.map(({ id }) => id)).toEqual([2]);
  expect(await userTable.replace([2], { name: "Rob", posts: [] })).toMatchObject({ ok: true });
  expect([users.all()[1]?.posts, posts.count()]).toEqual([[], 2]);
});

test("changes what a record is related to, and keeps it when it is left out", async () => {
  const { posts, userTable, postTable } = await blog();
  await userTable.insert({ name: "Bob", posts: [] });
  expect(await postTable.update([1], { author: 2 })).toMatchObject({ ok: true });
  expect(await postTable.replace([1], { title: "new" })).toMatchObject({ ok: true });
  expect(posts.all().map(({ author, title }) => [title, author?.name])).toEqual([
    ["new", "Bob"],
    ["two", "Ada"],
  ]);
});

test.each([
  ["one that is not there", { author: 9 }, "reference-missing", /"author" refers.*no 9/],
  [
    "an object without the key",
    { author: { name: "Ada" } },
    "wrong-type",
    /key of a row of "users"/,
  ],
  ["nothing, once there is one", { author: null }, "wrong-type", /not null/],
  ["a list", { author: [1] }, "wrong-type", /not an array/],
])("refuses to relate a record to %s", async (_, changes, kind, message) => {
  const { postTable } = await blog();
  expect(await postTable.update([1], changes)).toMatchObject({
    violations: [{ kind, columns: ["author"], message: expect.stringMatching(message) }],
  });
});

test("deletes a record from what it is related to", async () => {
  const { users, postTable } = await blog();
  await postTable.delete([1]);
  expect(users.all()[0]?.posts.map(({ id }) => id)).toEqual([2]);
});

test("brings relations back with a snapshot of both sides", async () => {
  const { users, posts, userTable, postTable } = await blog();
  const [userSnapshot, postSnapshot] = [userTable.snapshot(), postTable.snapshot()];
  await postTable.delete([1]);
  await userTable.delete([1]);
  expect(posts.all()[0]?.author).toBeUndefined();
  userTable.restore(userSnapshot);
  postTable.restore(postSnapshot);
  expect(users.all()[0]?.posts.map(({ id }) => id)).toEqual([1, 2]);
  expect(posts.all().map(({ author }) => author?.name)).toEqual(["Ada", "Ada"]);
});

test("puts the very records back, without a word to hooks", async () => {
  const users = new Collection({ schema: z.object({ id: z.number() }) });
  const ada = await users.create({ id: 1 });
  const table = collectionTable(users);
  const snapshot = table.snapshot();
  await table.insert({});
  await table.delete([1]);
  const heard: string[] = [];
  users.hooks.on("create", () => void heard.push("create"));
  users.hooks.on("delete", () => void heard.push("delete"));
  table.restore(snapshot);
  expect(users.all()).toHaveLength(1);
  expect(users.all()[0]).toBe(ada);
  expect(heard).toEqual([]);
});

test("makes a record that needs another, also as the first one", async () => {
  const user = z.object({ id: z.number(), name: z.string() });
  const posts = new Collection({ schema: z.object({ id: z.number(), author: user }) });
  const users = new Collection({ schema: user });
  posts.defineRelations(({ one }) => ({ author: one(users) }));
  const table = collectionTable(posts);
  collectionTable(users, { name: "users" });
  await users.create({ id: 1, name: "Ada" });
  // As long as there is no record, nothing tells that this is a relation: the schema wants all of it.
  expect(await table.insert({ author: { id: 1, name: "?" } })).toMatchObject({ ok: true });
  expect(await table.insert({ author: 1 })).toMatchObject({ ok: true });
  expect(posts.all().map(({ author }) => author.name)).toEqual(["Ada", "Ada"]);
  expect(await table.insert({})).toMatchObject({
    violations: [{ kind: "not-null", columns: ["author"] }],
  });
  expect(table.rows()).toEqual([{ id: 1 }, { id: 2 }]);
});

test("refuses a record that a unique relation has already", async () => {
  const key = z.object({ id: z.number() }).optional();
  const users = new Collection({ schema: z.object({ id: z.number() }) });
  const desks = new Collection({ schema: z.object({ id: z.number(), user: key }) });
  desks.defineRelations(({ one }) => ({ user: one(users, { unique: true }) }));
  collectionTable(users);
  const table = collectionTable(desks);
  await desks.create({ id: 1, user: await users.create({ id: 1 }) });
  const taken = { violations: [{ kind: "unique", columns: ["user"] }] };
  expect(await table.insert({ user: 1 })).toMatchObject(taken);
  expect(await table.insert({ user: null })).toMatchObject({ ok: true });
  expect(await table.update([2], { user: 1 })).toMatchObject(taken);
  expect(await table.update([1], { user: 1 })).toMatchObject({ ok: true });
});

test("says so where a relation leads to a collection that is no table", async () => {
  const users = new Collection({ schema: z.object({ id: z.number() }) });
  const author = z.object({ id: z.number() }).optional();
  const posts = new Collection({ schema: z.object({ id: z.number(), author }) });
  posts.defineRelations(({ one }) => ({ author: one(users) }));
  await posts.create({ id: 1 });
  expect(await collectionTable(posts).update([1], { author: 1 })).toMatchObject({
    violations: [{ kind: "reference-missing", message: expect.stringContaining("not served") }],
  });
});
