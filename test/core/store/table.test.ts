import { expect, test } from "vitest";
import { Database, type TableContents } from "../../../src/core/store/database.ts";
import type { MemoryTable } from "../../../src/core/store/memory-table.ts";
import { column, memoryTable, table } from "../../support/tables.ts";

function open(...contents: readonly TableContents[]): (name: string) => MemoryTable {
  const database = Database.load(contents);
  return (name) => memoryTable(database, name);
}

const user = (name: string): TableContents =>
  table(
    "users",
    [
      "id INTEGER",
      column("name", "TEXT", { notNull: true }),
      column("email", "TEXT", { unique: true, collate: "NOCASE" }),
    ],
    {
      rows: [{ id: 3, name, email: "a@x" }],
    },
  );

test("generates the key after the largest, and again the same one after a refused write", () => {
  const users = open(user("Ada"))("users");
  const refused = users.insert({ email: "b@x" });
  const first = users.insert({ name: "Bob" });
  users.delete([4]);
  const second = users.insert({ name: "Cleo" });
  expect(refused).toMatchObject({ ok: false, violations: [{ kind: "not-null" }] });
  expect(first).toEqual({ ok: true, row: { id: 4, name: "Bob", email: null } });
  expect(second).toEqual({ ok: true, row: { id: 4, name: "Cleo", email: null } });
});

test("finds a free key where the largest is the largest there is", () => {
  const users = open(user("Ada"))("users");
  users.insert({ id: 1, name: "One" });
  users.insert({ id: Number.MAX_SAFE_INTEGER, name: "Max" });
  expect(users.insert({ name: "Bob" })).toMatchObject({ ok: true, row: { id: 2 } });
});

test("lists every rule that a row breaks and changes nothing", () => {
  const users = open(user("Ada"))("users");
  const result = users.insert({ id: 3, email: "A@X", nmae: "x" });
  expect(result).toMatchObject({
    ok: false,
    violations: [
      { kind: "unknown-column", message: 'There is no column "nmae". Did you mean "name"?' },
      { kind: "not-null", columns: ["name"] },
      { kind: "unique", columns: ["id"] },
      { kind: "unique", columns: ["email"] },
    ],
  });
  expect(users.rows()).toEqual([{ id: 3, name: "Ada", email: "a@x" }]);
});

test("gives rows in the order of integer keys, whatever the order of insertion", () => {
  const users = open(user("Ada"))("users");
  for (const id of [10, 1, 7, -2, 8]) users.insert({ id, name: `n${id}` });
  users.delete([7]);
  expect(users.rows().map(({ id }) => id)).toEqual([-2, 1, 3, 8, 10]);
});

test("moves a row whose key is changed", () => {
  const users = open(user("Ada"))("users");
  users.insert({ id: 5, name: "Bob" });
  const moved = users.update([3], { id: 9 });
  expect(moved).toEqual({ ok: true, row: { id: 9, name: "Ada", email: "a@x" } });
  expect(users.get([3])).toBeUndefined();
  expect(users.rows().map(({ id }) => id)).toEqual([5, 9]);
  expect(users.update([9], { id: 5 })).toMatchObject({
    ok: false,
    violations: [{ kind: "unique" }],
  });
});

test("replaces a row with defaults where columns are left out", () => {
  const things = open(
    table("things", ["id INTEGER", column("a", "TEXT", { default: "d" }), "b TEXT"], {
      rows: [{ id: 1, a: "x", b: "y" }],
    }),
  )("things");
  expect(things.replace([1], {})).toEqual({ ok: true, row: { id: 1, a: "d", b: null } });
  expect(things.replace([2], {})).toMatchObject({
    ok: false,
    violations: [{ kind: "row-missing" }],
  });
});

test("frees a unique value when its row changes or goes", () => {
  const users = open(user("Ada"))("users");
  users.update([3], { email: "c@x" });
  expect(users.insert({ name: "Bob", email: "A@x" })).toMatchObject({ ok: true });
  users.delete([3]);
  expect(users.insert({ name: "Cleo", email: "C@X" })).toMatchObject({ ok: true });
});

test("lets any number of rows have NULL in a unique column", () => {
  const users = open(user("Ada"))("users");
  expect(users.insert({ name: "Bob" }).ok).toBe(true);
  expect(users.insert({ name: "Cleo" }).ok).toBe(true);
});

test("needs a value in each column of a key that is not generated", () => {
  const pairs = open(table("pairs", ["a TEXT", "b INTEGER"], { primaryKey: ["a", "b"] }))("pairs");
  expect(pairs.insert({ a: "x" })).toMatchObject({
    ok: false,
    violations: [{ kind: "not-null", columns: ["b"] }],
  });
  expect(pairs.insert({ a: "x", b: 1 })).toMatchObject({ ok: true });
  expect(pairs.insert({ a: "x", b: 1 })).toMatchObject({
    ok: false,
    violations: [{ kind: "unique", columns: ["a", "b"] }],
  });
  expect(pairs.get(["x", 1])).toEqual({ a: "x", b: 1 });
});

test("takes the columns of a table without any from its first row", () => {
  const database = Database.load([table("notes", [])]);
  const empty = database.snapshot();
  const notes = database.table("notes");
  expect(notes?.insert({ text: "a", id: 7, tags: [], done: false })).toMatchObject({ ok: true });
  expect(notes?.schema.primaryKey).toEqual(["id"]);
  expect(notes?.insert({ text: "b" })).toEqual({
    ok: true,
    row: { text: "b", id: 8, tags: null, done: null },
  });
  expect(notes?.insert({ txt: "b" })).toMatchObject({ ok: false });
  database.restore(empty);
  expect(notes?.schema.columns).toEqual([]);
  expect(notes?.insert({ txt: Infinity })).toMatchObject({ ok: false });
  expect(notes?.schema.columns).toEqual([]);
});

test("adopts no columns of a first row that cannot be read", () => {
  const notes = open(table("notes", []))("notes");
  const broken = {
    get text(): string {
      throw new Error("no text");
    },
  };
  expect(() => notes.insert(broken)).toThrow("no text");
  expect(notes.schema.columns).toEqual([]);
  let reads = 0;
  const readOnce = {
    get text(): string {
      if (reads++ > 0) throw new Error("no second time");
      return "a";
    },
  };
  expect(() => notes.insert(readOnce)).toThrow("no second time");
  expect(notes.schema.columns).toEqual([]);
});

test("adopts no columns once it has rows", () => {
  const notes = open(table("notes", []))("notes");
  expect(notes.insert({}).ok).toBe(true);
  expect(notes.insert({ text: "a" })).toMatchObject({
    ok: false,
    violations: [{ kind: "unknown-column" }],
  });
  expect(notes.rows()).toEqual([{ id: 1 }]);
});

test("gives the first row the key that it leaves out, or that the table declares", () => {
  const notes = open(table("notes", []))("notes");
  expect(notes.insert({ text: "a" })).toMatchObject({ row: { id: 1, text: "a" } });
  expect(notes.insert({ text: "b" })).toMatchObject({ row: { id: 2 } });
  expect(notes.get([2])).toEqual({ id: 2, text: "b" });
  const skus = open(table("skus", [], { primaryKey: ["sku"] }))("skus");
  expect(skus.insert({ title: "Mug" })).toMatchObject({
    ok: false,
    violations: [{ kind: "not-null", columns: ["sku"] }],
  });
  expect(skus.insert({ sku: "a", title: "Mug" }).ok).toBe(true);
  expect(skus.get(["a"])).toEqual({ sku: "a", title: "Mug" });
});

test("generates no key after the largest where keys are never used again", () => {
  const counted = { ...table("counted", ["id INTEGER"]) };
  const schema = { ...counted.schema, autoIncrement: true };
  const rows = open({ ...counted, schema })("counted");
  rows.insert({ id: Number.MAX_SAFE_INTEGER });
  rows.delete([Number.MAX_SAFE_INTEGER]);
  const message =
    'Column "id" never reuses a key, and its largest possible key, 9007199254740991, was used.';
  expect(rows.insert({})).toEqual({
    ok: false,
    violations: [{ kind: "no-row-id", message, columns: ["id"] }],
  });
  expect(rows.insert({ other: 1 })).toMatchObject({
    violations: [{ kind: "no-row-id" }, { kind: "unknown-column" }],
  });
  expect(rows.insert({ id: 5 })).toMatchObject({ ok: true });
});

test("keeps columns and tables with names of Object.prototype apart from it", () => {
  const odd = open(table("__proto__", ["id INTEGER", "__proto__ TEXT", "constructor TEXT"]))(
    "__proto__",
  );
  const row = JSON.parse('{"__proto__":"p"}');
  const result = odd.insert(row);
  expect(result.ok && JSON.stringify(result.row)).toBe(
    '{"id":1,"__proto__":"p","constructor":null}',
  );
  expect(odd.select({ where: [{ column: "__proto__", operator: "eq", value: "p" }] })).toHaveLength(
    1,
  );
});

test("hands out rows that cannot be changed and that later writes leave alone", () => {
  const users = open(user("Ada"))("users");
  const before = users.get([3]);
  users.update([3], { name: "Adele" });
  expect(before).toEqual({ id: 3, name: "Ada", email: "a@x" });
  expect(Object.isFrozen(before)).toBe(true);
});
