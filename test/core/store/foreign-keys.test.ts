import { expect, test } from "vitest";
import { Database } from "../../../src/core/store/database.ts";
import type { Row } from "../../../src/core/store/value.ts";
import type { JsonValue } from "../../../src/core/schema/json.ts";
import type { MemoryTable } from "../../../src/core/store/memory-table.ts";
import { sqliteStorage } from "../../../src/core/store/storage-rules.ts";
import type { WriteResult } from "../../../src/core/store/table.ts";
import { column, memoryTable, table } from "../../support/tables.ts";

const references = (to: string): { references: { table: string; column: string } } => {
  const [name = "", columnName = ""] = to.split(".");
  return { references: { table: name, column: columnName } };
};

/** Posts refer to users by a name that is not their key, and to each other. */
function blog(): { users: MemoryTable; posts: MemoryTable } {
  const database = Database.load([
    table(
      "posts",
      [
        "id INTEGER",
        column("by", "TEXT", references("users.name")),
        column("after", "INTEGER", references("posts.id")),
      ],
      {
        rows: [
          { id: 1, by: "ada", after: 2 },
          { id: 2, by: null, after: 2 },
        ],
      },
    ),
    table("users", ["id INTEGER", column("name", "TEXT", { collate: "NOCASE" })], {
      rows: [
        { id: 1, name: "Ada" },
        { id: 2, name: "Bob" },
        { id: 3, name: "BOB" },
      ],
    }),
  ]);
  return { users: memoryTable(database, "users"), posts: memoryTable(database, "posts") };
}

const kindsOf = (result: WriteResult): readonly string[] =>
  result.ok ? [] : result.violations.map(({ kind }) => kind);

test("refuses a row that refers to nothing", () => {
  const { posts } = blog();
  expect(kindsOf(posts.insert({ by: "zoe" }))).toEqual(["reference-missing"]);
  expect(kindsOf(posts.update([1], { by: "zoe", after: 99 }))).toEqual([
    "reference-missing",
    "reference-missing",
  ]);
  expect(posts.get([1])).toEqual({ id: 1, by: "ada", after: 2 });
});

test("compares by the collation of the column referred to", () => {
  expect(blog().posts.insert({ by: "bOb" })).toMatchObject({ ok: true });
});

test("refuses to delete or change the last row with a value that others refer to", () => {
  const { users } = blog();
  expect(kindsOf(users.delete([1]))).toEqual(["still-referenced"]);
  expect(kindsOf(users.update([1], { name: "Adele" }))).toEqual(["still-referenced"]);
  expect(kindsOf(users.replace([1], { name: "ADA" }))).toEqual([]);
});

test("lets a row go while another still has the value", () => {
  const { users, posts } = blog();
  posts.insert({ by: "bob" });
  expect(kindsOf(users.delete([2]))).toEqual([]);
  expect(kindsOf(users.delete([3]))).toEqual(["still-referenced"]);
});

test("lets a row refer to itself, and go", () => {
  const { posts } = blog();
  expect(kindsOf(posts.insert({ id: 5, after: 5 }))).toEqual([]);
  expect(kindsOf(posts.delete([5]))).toEqual([]);
  expect(kindsOf(posts.delete([2]))).toEqual(["still-referenced"]);
});

test("keeps its counts right through refused and undone writes", () => {
  const { users, posts } = blog();
  posts.insert({ by: "zoe" });
  users.delete([1]);
  posts.update([1], { by: null });
  expect(kindsOf(users.delete([1]))).toEqual([]);
  expect(kindsOf(posts.insert({ by: "ada" }))).toEqual(["reference-missing"]);
});

test.each<readonly [JsonValue]>([[null], ["Bob"]])("accepts %j where it is allowed", (by) => {
  expect(kindsOf(blog().posts.insert({ by }))).toEqual([]);
});

test("takes a value for what the column referred to would store, as SQLite does", () => {
  const database = Database.load(
    [
      table("users", ["id INTEGER", "name TEXT"], { rows: [{ id: 5, name: "Ada" }] }),
      table("posts", ["id INTEGER", column("by", "TEXT", references("users.id")), "text TEXT"]),
    ],
    { storage: sqliteStorage },
  );
  const posts = memoryTable(database, "posts");
  expect(posts.insert({ by: "5" }).ok).toBe(true);
  expect(kindsOf(posts.insert({ by: "6" }))).toEqual(["reference-missing"]);
  expect(kindsOf(memoryTable(database, "users").delete([5]))).toEqual(["still-referenced"]);
});

// As SQLite 3.45 has it: the text of a REAL has a point.
test.each([
  ["REAL", -3, "-3.0", true],
  ["REAL", -3, "-3", false],
  ["REAL", 1e20, "1.0e+20", true],
  ["REAL", 1.5, "1.5", true],
  ["NUMERIC", -3, "-3.0", false],
  ["NUMERIC", -3, "-3", true],
] as const)("the %s %d refers to the text %j: %s", (type, value, name, isThere) => {
  const database = Database.load(
    [
      table("users", ["name TEXT"], { primaryKey: ["name"], rows: [{ name }] }),
      table("posts", ["id INTEGER", column("by", type, references("users.name"))]),
    ],
    { storage: sqliteStorage },
  );
  expect(memoryTable(database, "posts").insert({ by: value }).ok).toBe(isThere);
  expect(memoryTable(database, "users").delete([name]).ok).toBe(!isThere);
});

/** People who have a boss by name, whatever its case. */
function staff(rows: readonly Row[] = []): MemoryTable {
  const people = table(
    "people",
    [
      column("name", "TEXT", { collate: "NOCASE" }),
      column("boss", "TEXT", references("people.name")),
    ],
    { rows, primaryKey: ["name"] },
  );
  return memoryTable(Database.load([people], { storage: sqliteStorage }), "people");
}

test("lets a row refer to itself by the very same value only, as SQLite does", () => {
  const people = staff();
  expect(kindsOf(people.insert({ name: "Ada", boss: "ADA" }))).toEqual(["reference-missing"]);
  expect(kindsOf(people.insert({ name: "Ada", boss: "Ada" }))).toEqual([]);
  expect(kindsOf(people.insert({ name: "Bob", boss: "ADA" }))).toEqual([]);
});

test("refuses to change what a row itself refers to, but not its case alone, as SQLite does", () => {
  const people = staff([{ name: "Ada", boss: "Ada" }]);
  const update = (changes: Row) => kindsOf(people.update(["Ada"], changes));
  expect(update({ name: "Bob" })).toEqual(["still-referenced"]);
  expect(update({ name: "Bob", boss: "BOB" })).toEqual(["reference-missing"]);
  expect(update({ name: "ADA" })).toEqual([]);
  expect(update({ name: "Bob", boss: "Bob" })).toEqual([]);
});

test("judges a reference of a row when an update sets it, as SQLite does", () => {
  const people = table(
    "people",
    ["id INTEGER", "name TEXT", column("boss", "INTEGER", references("people.id"))],
    { rows: [{ id: 1, name: "Ada", boss: 9 }] },
  );
  const stored = { ...people, asStored: true };
  const lost = memoryTable(Database.load([stored], { storage: sqliteStorage }), "people");
  expect(kindsOf(lost.update([1], { name: "Adele" }))).toEqual([]);
  expect(kindsOf(lost.update([1], { boss: 9 }))).toEqual(["reference-missing"]);
});

test("lets a row go that has NULL where others refer to, though some refer to nothing", () => {
  const { users, posts } = blog();
  users.insert({ id: 9, name: null });
  expect(posts.rows().some(({ by }) => by === null)).toBe(true);
  expect(kindsOf(users.delete([9]))).toEqual([]);
});

test("does not take a column of the same name for the one that refers", () => {
  const posts = table("posts", ["id INTEGER", column("by", "TEXT", references("users.name"))]);
  const users = table("users", ["id INTEGER", "name TEXT", "by TEXT"], {
    rows: [{ id: 1, name: "ada", by: "ada" }],
  });
  const database = Database.load([users, posts]);
  expect(kindsOf(memoryTable(database, "users").update([1], { name: "eva" }))).toEqual([]);
});

test("looks for what refers among rows that refer to nothing, too", () => {
  const database = Database.load(
    [
      table("users", ["name TEXT"], { primaryKey: ["name"], rows: [{ name: "0.0" }] }),
      table("reals", ["id INTEGER", column("by", "REAL", references("users.name"))]),
      table("numbers", ["id INTEGER", column("by", "NUMERIC", references("users.name"))]),
    ],
    { storage: sqliteStorage },
  );
  expect(memoryTable(database, "reals").insert({ by: null }).ok).toBe(true);
  expect(memoryTable(database, "numbers").insert({ by: null }).ok).toBe(true);
  expect(kindsOf(memoryTable(database, "users").delete(["0.0"]))).toEqual([]);
});

test("lets a row refer to its own row id by a text, as SQLite does", () => {
  const people = table("people", ["id INTEGER", column("boss", "TEXT", references("people.id"))]);
  const own = memoryTable(Database.load([people], { storage: sqliteStorage }), "people");
  expect(kindsOf(own.insert({ id: 5, boss: "5" }))).toEqual([]);
  expect(kindsOf(own.insert({ id: 6, boss: "7" }))).toEqual(["reference-missing"]);
});

/** Seats of rooms, and tickets for them, by the number of a room that is the row id, and a text. */
function seats(): { readonly rooms: MemoryTable; readonly tickets: MemoryTable } {
  const rooms = table("rooms", ["id INTEGER", "name TEXT", "floor INTEGER"], {
    rows: [
      { id: 1, name: "Blue", floor: 3 },
      { id: 2, name: "Red", floor: 4 },
    ],
  });
  const { schema } = table("tickets", ["id INTEGER", "room INTEGER", "name TEXT", "at TEXT"]);
  const foreignKeys = [
    { columns: ["room", "name"], to: { table: "rooms", columns: ["id", "name"] } },
    { columns: ["name", "at"], to: { table: "rooms", columns: ["name", "floor"] } },
  ];
  const contents = [rooms, { schema: { ...schema, foreignKeys }, rows: [] }];
  const database = Database.load(contents, { storage: sqliteStorage });
  return { rooms: memoryTable(database, "rooms"), tickets: memoryTable(database, "tickets") };
}

test.each([
  [{ room: 1, name: "Blue" }, 0],
  [{ room: 1, name: "Red" }, 1],
  [{ room: 3, name: "Blue" }, 1],
  [{ room: null, name: "Green" }, 0],
  [{ name: "Blue", at: "3" }, 0],
  [{ name: "Blue", at: "4" }, 1],
  [{ name: "Blue", at: "x" }, 1],
  [{ room: 1, name: "Red", at: "3" }, 2],
])("judges references of several columns together: %j breaks %d", (row, count) => {
  expect(kindsOf(seats().tickets.insert(row))).toHaveLength(count);
});

test("keeps what several columns together refer to, and lets the rest go", () => {
  const { rooms, tickets } = seats();
  tickets.insert({ id: 1, room: 1, name: "Blue", at: "3" });
  expect(kindsOf(rooms.update([1], { name: "Green" }))).toEqual([
    "still-referenced",
    "still-referenced",
  ]);
  expect(kindsOf(rooms.update([1], { floor: 5 }))).toEqual(["still-referenced"]);
  expect(kindsOf(rooms.delete([2]))).toEqual([]);
  expect(kindsOf(tickets.update([1], { room: 2 }))).toEqual(["reference-missing"]);
  expect(kindsOf(tickets.update([1], { at: "9" }))).toEqual(["reference-missing"]);
  expect(kindsOf(tickets.update([1], { room: null, at: null }))).toEqual([]);
  expect(kindsOf(rooms.delete([1]))).toEqual([]);
});
