import { expect } from "vitest";
import type { GivenRow } from "../../../src/core/store/value.ts";
import type { WriteResult } from "../../../src/core/store/table.ts";
import { conformance } from "../../support/table-conformance.ts";
import { column, table } from "../../support/tables.ts";

/** Writes are checked on this table. */
const users = table(
  "users",
  [
    "id INTEGER",
    column("name", "TEXT", { notNull: true }),
    column("role", "TEXT", { default: "user" }),
    "score REAL",
    "active BOOLEAN",
  ],
  {
    rows: [
      { id: 3, name: "Ada", role: "admin", score: 1.5, active: true },
      { id: 7, name: "Bob" },
    ],
  },
);

const ada = { id: 3, name: "Ada", role: "admin", score: 1.5, active: true };
const bob = { id: 7, name: "Bob", role: "user", score: null, active: null };

/** The rules that a write broke. */
async function broken(result: WriteResult | Promise<WriteResult>): Promise<readonly string[]> {
  const settled = await result;
  return settled.ok
    ? []
    : settled.violations.map(({ kind, columns }) => [kind, ...columns].join(" "));
}

/** As a client sends it, who may send anything. */
function json(text: string): GivenRow {
  return JSON.parse(text);
}

conformance(
  "generates the key after the largest, and fills in defaults and NULL",
  users,
  async (open) => {
    const written = await open.table.insert({ name: "Cleo" });
    const row = { id: 8, name: "Cleo", role: "user", score: null, active: null };
    expect(written).toEqual({ ok: true, row });
    expect(open.table.rows()).toEqual([ada, bob, row]);
  },
);

conformance("generates the key where it is NULL", users, async ({ table: to }) => {
  expect(await to.insert({ id: null, name: "Cleo" })).toMatchObject({ ok: true, row: { id: 8 } });
});

conformance("takes a key that is given, and goes on after it", users, async ({ table: to }) => {
  await to.insert({ id: 20, name: "Cleo" });
  await to.insert({ id: 1, name: "Dora" });
  expect(await to.insert({ name: "Eve" })).toMatchObject({ ok: true, row: { id: 21 } });
  expect(to.rows().map(({ id }) => id)).toEqual([1, 3, 7, 20, 21]);
});

conformance("generates the same key again after it was deleted", users, async ({ table: to }) => {
  await to.insert({ name: "Cleo" });
  await to.delete([8]);
  expect(await to.insert({ name: "Dora" })).toMatchObject({ ok: true, row: { id: 8 } });
});

conformance(
  "generates a free key where the largest is the largest there is",
  users,
  async (open) => {
    await open.table.insert({ id: Number.MAX_SAFE_INTEGER, name: "Max" });
    await open.table.insert({ id: 1, name: "One" });
    expect(await open.table.insert({ name: "Two" })).toMatchObject({ ok: true, row: { id: 2 } });
  },
);

conformance("keeps a NULL that is given where there is a default", users, async ({ table: to }) => {
  expect(await to.insert({ name: "Cleo", role: null })).toMatchObject({ row: { role: null } });
});

conformance("takes what is undefined as left out", users, async ({ table: to }) => {
  const given = { name: "Cleo", role: undefined };
  expect(await to.update([3], given)).toEqual({ ok: true, row: { ...ada, name: "Cleo" } });
});

conformance("refuses a column that does not exist, and names the nearest", users, async (open) => {
  const result = await open.table.insert({ name: "Cleo", scroe: 1 });
  expect(result).toMatchObject({ ok: false, violations: [{ columns: ["scroe"] }] });
  expect(JSON.stringify(result)).toContain('Did you mean \\"score\\"?');
  expect(open.table.size).toBe(2);
});

const misfits: readonly (readonly [GivenRow, string])[] = [
  [{ name: 5 }, "wrong-type name"],
  [{ name: "x", score: "high" }, "wrong-type score"],
  [{ name: "x", active: 2 }, "wrong-type active"],
  [{ name: "x", id: "9" }, "wrong-type id"],
  [{ name: "x", score: { a: 1 } }, "wrong-type score"],
  [{ name: "x", score: Number.NaN }, "wrong-type score"],
  [{}, "not-null name"],
  [{ name: null }, "not-null name"],
  [{ name: "x", id: 3 }, "unique id"],
  [json('{ "name": "x", "__proto__": { "active": true } }'), "unknown-column __proto__"],
  [json('{ "name": "x", "constructor": 1 }'), "unknown-column constructor"],
];

for (const [given, rule] of misfits) {
  const title = `refuses to insert ${JSON.stringify(given)} and changes nothing`;
  conformance(title, users, async ({ table: to }) => {
    expect(await broken(to.insert(given))).toEqual([rule]);
    expect(to.rows()).toEqual([ada, bob]);
  });
}

conformance("lists every rule that a row breaks", users, async ({ table: to }) => {
  const result = broken(to.insert({ id: 3, score: "high", nmae: "x" }));
  expect((await result).toSorted()).toEqual([
    "not-null name",
    "unique id",
    "unknown-column nmae",
    "wrong-type score",
  ]);
});

conformance("changes only the columns that are given", users, async ({ table: to }) => {
  const after = { ...ada, name: "Grace", score: null };
  expect(await to.update([3], { name: "Grace", score: null })).toEqual({ ok: true, row: after });
  expect(to.rows()).toEqual([after, bob]);
});

conformance(
  "replaces a row: columns left out get their default, else NULL",
  users,
  async (open) => {
    const after = { id: 3, name: "Grace", role: "user", score: null, active: false };
    const written = await open.table.replace([3], { name: "Grace", active: false });
    expect(written).toEqual({ ok: true, row: after });
    expect(open.table.rows()).toEqual([after, bob]);
  },
);

conformance("refuses to replace a row by one that lacks a value", users, async ({ table: to }) => {
  expect(await broken(to.replace([3], { score: 2 }))).toEqual(["not-null name"]);
  expect(to.rows()).toEqual([ada, bob]);
});

conformance("moves a row to another key, but not to one that is taken", users, async (open) => {
  expect(await broken(open.table.update([3], { id: 7 }))).toEqual(["unique id"]);
  expect(await open.table.update([3], { id: 9 })).toEqual({ ok: true, row: { ...ada, id: 9 } });
  expect(open.table.rows()).toEqual([bob, { ...ada, id: 9 }]);
  expect([open.table.get([3]), open.table.get([9])?.["name"]]).toEqual([undefined, "Ada"]);
});

conformance("refuses a change that does not fit, and changes nothing", users, async (open) => {
  const { table: to } = open;
  expect(await broken(to.update([3], { name: 5, score: 2 }))).toEqual(["wrong-type name"]);
  expect(await broken(to.update([3], { name: null }))).toEqual(["not-null name"]);
  expect(await broken(to.update([3], { id: null }))).toEqual(["not-null id"]);
  expect(await broken(to.update([3], { nope: 1 }))).toEqual(["unknown-column nope"]);
  expect(to.rows()).toEqual([ada, bob]);
});

conformance("deletes a row and gives it back", users, async ({ table: from }) => {
  expect(await from.delete([3])).toEqual({ ok: true, row: ada });
  expect(from.rows()).toEqual([bob]);
});

conformance("finds no row to write under another key", users, async ({ table: to }) => {
  const missing = ["row-missing id"];
  for (const key of [[9], ["3"], [null]]) {
    expect(await broken(to.update(key, { name: "x" }))).toEqual(missing);
    expect(await broken(to.replace(key, { name: "x" }))).toEqual(missing);
    expect(await broken(to.delete(key))).toEqual(missing);
  }
  expect(to.size).toBe(2);
});

const accounts = table(
  "accounts",
  ["id INTEGER", column("mail", "TEXT", { unique: true, collate: "NOCASE" })],
  { rows: [{ id: 1, mail: "a@x" }] },
);

conformance(
  "keeps a unique column unique, by its collation, NULL aside",
  accounts,
  async (open) => {
    const { table: to } = open;
    expect(await broken(to.insert({ mail: "A@X" }))).toEqual(["unique mail"]);
    expect(await broken(to.insert({ mail: null }))).toEqual([]);
    expect(await broken(to.insert({}))).toEqual([]);
    expect(await broken(to.update([2], { mail: "A@x" }))).toEqual(["unique mail"]);
    expect(await broken(to.update([1], { mail: "A@X" }))).toEqual([]);
    expect(to.rows().map(({ mail }) => mail)).toEqual(["A@X", null, null]);
  },
);

const pairs = table("pairs", ["a TEXT", "b INTEGER", "v TEXT"], { primaryKey: ["a", "b"] });

conformance("keeps a composite key unique, and generates no part of it", pairs, async (open) => {
  const { table: to } = open;
  expect(await broken(to.insert({ a: "x", b: 1 }))).toEqual([]);
  expect(await broken(to.insert({ a: "x", b: 2 }))).toEqual([]);
  expect(await broken(to.insert({ a: "x", b: 1, v: "v" }))).toEqual(["unique a b"]);
  expect(await broken(to.insert({ a: "x" }))).toEqual(["not-null b"]);
  expect(await broken(to.update(["x", 2], { v: "v" }))).toEqual([]);
  expect(to.rows()).toEqual([
    { a: "x", b: 1, v: null },
    { a: "x", b: 2, v: "v" },
  ]);
});

const lines = table("lines", ["line TEXT"], {});

conformance("inserts into a table without a key, the same row again too", lines, async (open) => {
  await open.table.insert({ line: "a" });
  await open.table.insert({ line: "a" });
  expect(open.table.rows()).toEqual([{ line: "a" }, { line: "a" }]);
  expect(await broken(open.table.delete(["a"]))).toEqual(["row-missing"]);
});

const documents = table("documents", ["id INTEGER", "doc JSON", "v ANY"], {});

conformance(
  "keeps documents as they were given, whatever becomes of them",
  documents,
  async (open) => {
    const doc = { list: [1, { deep: "é" }], none: null };
    await open.table.insert({ doc, v: [true] });
    doc.list.push(5);
    const stored = { list: [1, { deep: "é" }], none: null };
    expect(open.table.get([1])).toEqual({ id: 1, doc: stored, v: [true] });
  },
);

conformance("keeps no negative zero, and nothing that JSON has not", documents, async (open) => {
  await open.table.insert({ v: -0 });
  expect(Object.is(open.table.get([1])?.["v"], 0)).toBe(true);
  expect(await broken(open.table.insert({ v: () => 1 }))).toEqual(["wrong-type v"]);
  expect(await broken(open.table.insert({ doc: [Number.NaN] }))).toEqual(["wrong-type doc"]);
});

const oddNames = ["constructor", "toString", "a.b", "a b", "Ä"];
const odd = table("odd", ["id INTEGER", ...oddNames.map((name) => column(name, "TEXT"))], {});

conformance("has columns of any name", odd, async ({ table: to }) => {
  const given = Object.fromEntries(oddNames.map((name) => [name, `${name}!`]));
  expect(await to.insert(given)).toEqual({ ok: true, row: { id: 1, ...given } });
  await to.update([1], { "a.b": "new" });
  const where = [{ column: "a.b", operator: "eq", value: "new" }] as const;
  expect(to.select({ where })).toEqual([{ id: 1, ...given, "a.b": "new" }]);
});

const proto = table("proto", ["id INTEGER", column("__proto__", "TEXT")], {});

conformance("has a column named __proto__", proto, async ({ table: to }) => {
  await to.insert(json('{ "__proto__": "x" }'));
  expect(JSON.stringify(to.rows())).toBe('[{"id":1,"__proto__":"x"}]');
});

conformance("loses no write of many at once", users, async ({ table: to }) => {
  const writers = Array.from({ length: 100 }, (_, index) => index);
  await Promise.all(
    writers.map(async (index) => {
      const inserted = to.insert({ name: `user ${index}` });
      await to.update([3], index % 2 === 0 ? { score: index } : { name: `Ada ${index}` });
      await inserted;
    }),
  );
  expect(to.size).toBe(102);
  expect(new Set(to.rows().map(({ id }) => id)).size).toBe(102);
  expect(to.get([3])).toEqual({ ...ada, score: 98, name: "Ada 99" });
});

conformance("goes back to a snapshot, as often as it is restored", users, async (open) => {
  const { table: to } = open;
  const restore = open.snapshot();
  for (let round = 0; round < 3; round++) {
    expect(await to.insert({ name: "Cleo" })).toMatchObject({ row: { id: 8 } });
    await to.update([3], { name: "Grace" });
    await to.delete([7]);
    await restore();
    expect(to.rows()).toEqual([ada, bob]);
    expect(to.get([7])).toEqual(bob);
  }
});

conformance("holds several snapshots apart", users, async ({ table: to, snapshot }) => {
  const first = snapshot();
  await to.insert({ name: "Cleo" });
  const second = snapshot();
  await to.delete([3]);
  await first();
  expect(to.rows()).toEqual([ada, bob]);
  await second();
  expect(to.rows().map(({ id }) => id)).toEqual([3, 7, 8]);
});
