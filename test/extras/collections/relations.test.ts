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
