import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";

// What becomes of rows when those that they refer to go or get another key, as fixtures say it.

const id = "INTEGER";

function to(column: string, actions: object): object {
  return { type: "INTEGER", references: { column, ...actions } };
}

/** Users with posts, a profile and an audit trail; posts answer each other. */
async function blog(): Promise<Awaited<ReturnType<typeof createEmulator>>> {
  const fixtures = {
    tables: {
      users: {
        columns: { id, name: { type: "TEXT", unique: true } },
        rows: [
          { id: 1, name: "Ada" },
          { id: 2, name: "Bob" },
          { id: 3, name: "Cyd" },
        ],
      },
      posts: {
        columns: {
          id,
          user: to("users.id", { onDelete: "cascade" }),
          after: to("posts.id", { onDelete: "cascade" }),
          by: { type: "TEXT", references: { column: "users.name", onUpdate: "cascade" } },
        },
        rows: [
          { id: 1, user: 1, by: "Bob" },
          { id: 2, user: 2, after: 1 },
          { id: 3, user: 2, after: 2 },
          { id: 4, user: 2 },
        ],
      },
      audits: {
        columns: {
          id,
          post: to("posts.id", { onDelete: "set null" }),
          kind: {
            ...to("users.id", { onDelete: "set default" }),
            default: 3,
          },
        },
        rows: [
          { id: 1, post: 3, kind: 1 },
          { id: 2, post: 4 },
        ],
      },
      locks: { columns: { id, post: to("posts.id", { onDelete: "restrict" }) } },
    },
  };
  return createEmulator({ fixtures, auth: false });
}

const base = "http://blog.test";
const ids = (rows: readonly { readonly id?: unknown }[] = []): unknown[] =>
  rows.map((row) => row.id);

test("deletes, empties or resets the rows that refer to a deleted one, over chains", async () => {
  const { fetch, tables } = await blog();
  const { status } = await fetch(`${base}/rest/users/1`, { method: "DELETE" });
  expect(status).toBe(200);
  expect(ids(tables["posts"]?.rows())).toEqual([4]);
  expect(tables["audits"]?.rows()).toEqual([
    { id: 1, post: null, kind: 3 },
    { id: 2, post: 4, kind: 3 },
  ]);
});

test("gives a changed key on to the rows that refer to it", async () => {
  const { fetch, tables } = await blog();
  const body = JSON.stringify({ name: "Rob" });
  const headers = { "content-type": "application/json" };
  await fetch(`${base}/rest/users/2`, { method: "PATCH", headers, body });
  expect(tables["posts"]?.get(1)).toMatchObject({ by: "Rob" });
});

test("changes nothing at all if one of the rows must stay, and names it", async () => {
  const { fetch, tables } = await blog();
  void tables["locks"]?.insert({ id: 1, post: 3 });
  const refused = await fetch(`${base}/rest/users/1`, { method: "DELETE" });
  expect(refused.status).toBe(409);
  expect(await refused.json()).toEqual({
    error:
      'Cannot delete a row of "users": Rows of "locks" refer to 3 in "id" with their column "post".',
    code: "row_referenced",
  });
  expect(ids(tables["users"]?.rows())).toEqual([1, 2, 3]);
  expect(ids(tables["posts"]?.rows())).toEqual([1, 2, 3, 4]);
  expect(tables["audits"]?.get(1)).toMatchObject({ post: 3, kind: 1 });
});

test("refuses an action that another rule forbids", async () => {
  const fixtures = {
    tables: {
      a: { columns: { id }, rows: [{ id: 1 }] },
      b: {
        columns: {
          id,
          a: {
            type: "INTEGER",
            notNull: true,
            references: { column: "a.id", onDelete: "set null" },
          },
        },
        rows: [{ id: 1, a: 1 }],
      },
    },
  } as const;
  const { fetch } = await createEmulator({ fixtures, auth: false });
  const refused = await fetch(`${base}/rest/a/1`, { method: "DELETE" });
  expect(await refused.json()).toMatchObject({
    error:
      'Cannot delete a row of "a": ON DELETE SET NULL of "b"."a" fails: Column "a" is NOT NULL and needs a value.',
    code: "row_referenced",
  });
});

test("keeps what it does to a session, and takes it back with a snapshot", async () => {
  const emulator = await blog();
  const { tables } = emulator;
  await emulator.fetch(`${base}/@mine/rest/users/1`, { method: "DELETE" });
  const mine = await emulator.fetch(`${base}/@mine/rest/posts`);
  expect(await mine.json()).toMatchObject({ result: [{ id: 4 }] });
  expect(ids(tables["posts"]?.rows())).toEqual([1, 2, 3, 4]);
  const before = emulator.snapshot();
  void tables["users"]?.delete(1);
  expect(ids(tables["posts"]?.rows())).toEqual([4]);
  emulator.restore(before);
  expect(ids(tables["posts"]?.rows())).toEqual([1, 2, 3, 4]);
});

/** The status that deleting the first of so many rows gets. */
async function deleteChain(length: number): Promise<number> {
  const rows = Array.from({ length }, (_, at) => ({ id: at + 1, next: at === 0 ? null : at }));
  const next = to("links.id", { onDelete: "cascade" });
  const fixtures = { tables: { links: { columns: { id, next }, rows } } };
  const { fetch } = await createEmulator({ fixtures, auth: false });
  return (await fetch(`${base}/rest/links/1`, { method: "DELETE" })).status;
}

test("follows a thousand rows that refer to each other, and refuses more as SQLite does", async () => {
  expect([await deleteChain(1_000), await deleteChain(1_001)]).toEqual([200, 409]);
});

test("names an action that there is not", async () => {
  const user = { references: { column: "users.id", onDelete: "cascades" } };
  const fixtures = {
    tables: { users: [{ id: 1 }], posts: { columns: { id, user }, rows: [] } },
  };
  await expect(createEmulator({ fixtures: JSON.parse(JSON.stringify(fixtures)) })).rejects.toThrow(
    /onDelete/,
  );
});
