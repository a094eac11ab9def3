import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";

const fixtures = {
  tables: {
    users: {
      columns: {
        id: "INTEGER",
        name: { type: "TEXT", notNull: true },
        active: { type: "BOOLEAN", default: true },
      },
      rows: [
        { id: 1, name: "Ada" },
        { id: 2, name: "Grace", active: false },
      ],
    },
    pairs: {
      primaryKey: ["a", "b"],
      columns: { a: "TEXT", b: "INTEGER" },
      rows: [{ a: "x", b: 1 }],
    },
    orders: {
      columns: { id: "INTEGER", user: { type: "INTEGER", references: "users.id" } },
      rows: [{ id: 1, user: 1 }],
    },
    logs: { columns: { line: "TEXT" }, rows: [{ line: "a" }] },
  },
} as const;

/** The same, as if it came from a file: tables and columns are not known to the compiler. */
const untyped: unknown = fixtures;

test("gives name, size and rows of a table", async () => {
  const { tables } = await createEmulator({ fixtures });
  expect([tables.users.name, tables.users.size]).toEqual(["users", 2]);
  expect(tables.users.rows()).toEqual([
    { id: 1, name: "Ada", active: true },
    { id: 2, name: "Grace", active: false },
  ]);
});

test("gets a row by its key, or nothing", async () => {
  const { tables } = await createEmulator({ fixtures });
  expect(tables.users.get(2)?.name).toBe("Grace");
  expect(tables.pairs.get(["x", 1])).toEqual({ a: "x", b: 1 });
  expect([tables.users.get(9), tables.users.get("2"), tables.logs.get("a")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("inserts, updates, replaces and deletes rows", async () => {
  const { tables } = await createEmulator({ fixtures });
  expect(tables.users.insert({ name: "Zoë" })).toEqual({ id: 3, name: "Zoë", active: true });
  expect(tables.users.update(3, { active: false })).toEqual({ id: 3, name: "Zoë", active: false });
  expect(tables.users.replace(3, { name: "Z" })).toEqual({ id: 3, name: "Z", active: true });
  expect([tables.users.delete(3), tables.users.delete(3)]).toEqual([true, false]);
  expect(tables.users.size).toBe(2);
});

test("takes a property that is present but undefined as left out", async () => {
  const { tables } = await createEmulator({ fixtures: untyped });
  const row = Object.fromEntries([
    ["name", "x"],
    ["active", undefined],
  ]);
  expect(tables["users"]?.insert(row)).toEqual({ id: 3, name: "x", active: true });
});

test("hands out rows that nobody can change", async () => {
  const { tables } = await createEmulator({ fixtures });
  const [row] = tables.users.rows();
  expect(() => Object.assign(row ?? {}, { name: "changed" })).toThrow(TypeError);
  expect(tables.users.get(1)?.name).toBe("Ada");
});

test("does not change rows that were handed out", async () => {
  const { tables } = await createEmulator({ fixtures });
  const before = tables.users.get(1);
  tables.users.update(1, { name: "Lovelace" });
  expect(before?.name).toBe("Ada");
});

test("throws ERR_ROW_REFUSED with every problem, and changes nothing", async () => {
  const { tables } = await createEmulator({ fixtures: untyped });
  const insert = (): unknown => tables["users"]?.insert({ id: 1, nmae: "x", active: "yes" });
  expect(insert).toThrow(
    expect.objectContaining({
      name: "EmulatorError",
      code: "ERR_ROW_REFUSED",
      message: expect.stringMatching(/^Cannot insert a row into "users": /),
    }),
  );
  const problems = catchProblems(insert);
  expect(problems.join("\n")).toMatch(/"nmae".*"name"/);
  expect(problems.length).toBeGreaterThanOrEqual(3);
  expect(tables["users"]?.size).toBe(2);
});

function catchProblems(run: () => unknown): readonly string[] {
  try {
    run();
  } catch (error) {
    return (error as { problems: { message: string }[] }).problems.map(({ message }) => message);
  }
  return [];
}

test("throws ERR_ROW_REFUSED for a row that does not exist, or that others refer to", async () => {
  const { tables } = await createEmulator({ fixtures });
  const refused = expect.objectContaining({ code: "ERR_ROW_REFUSED" });
  expect(() => tables.users.update(9, { name: "x" })).toThrow(refused);
  expect(() => tables.users.replace(9, { name: "x" })).toThrow(refused);
  expect(() => tables.users.delete(1)).toThrow(refused);
  expect(tables.users.size).toBe(2);
});

test("refuses a column named __proto__ instead of losing it", async () => {
  const { tables } = await createEmulator({ fixtures: untyped });
  const row = JSON.parse('{"name":"x","__proto__":{"active":false}}');
  expect(() => tables["users"]?.insert(row)).toThrow(
    expect.objectContaining({
      code: "ERR_ROW_REFUSED",
      message: expect.stringContaining("__proto__"),
    }),
  );
});

test("throws ERR_TABLE_UNKNOWN and the nearest name for a table that does not exist", async () => {
  const { tables } = await createEmulator({ fixtures: untyped });
  expect(() => tables["user"]).toThrow(
    expect.objectContaining({
      code: "ERR_TABLE_UNKNOWN",
      message: expect.stringMatching(/^Cannot use the table "user".*"users".*Tables: /),
    }),
  );
});

test("lists its tables as an object does", async () => {
  const { tables } = await createEmulator({ fixtures });
  expect(Object.keys(tables)).toEqual(["users", "pairs", "orders", "logs"]);
  expect("users" in tables).toBe(true);
  expect("toString" in tables).toBe(false);
  expect(Object.values(tables).map(({ size }) => size)).toEqual([2, 1, 1, 1]);
});

test("can be printed, awaited and compared without being asked for tables that do not exist", async () => {
  const { tables } = await createEmulator({ fixtures });
  expect(await Promise.resolve(tables)).toBe(tables);
  expect(() => expect(tables).toEqual({})).toThrow(/toEqual|equal/);
  expect(JSON.stringify(tables)).toContain('"size":2');
});

test("has no tables without fixtures", async () => {
  const { tables } = await createEmulator();
  expect(Object.keys(tables)).toEqual([]);
  expect(() => tables["users"]).toThrow(expect.objectContaining({ code: "ERR_TABLE_UNKNOWN" }));
});

test("makes of rows with bigints and bytes the JSON that clients see", async () => {
  const { tables } = await createEmulator({
    fixtures: { tables: { files: { columns: { id: "INTEGER", size: "BIGINT", body: "BLOB" } } } },
  });
  const given = { id: 1, size: 2n ** 53n + 1n, body: new Uint8Array([1]) };
  const row = tables.files.insert(given);
  expect(row).toEqual(given);
  expect(Object.keys(row)).toEqual(["id", "size", "body"]);
  expect(JSON.stringify([row])).toBe('[{"id":1,"size":9007199254740992,"body":"AQ=="}]');
  expect(() => Object.assign(row, { id: 2 })).toThrow(TypeError);
});

test("leaves a column named toJSON as it is", async () => {
  const { tables } = await createEmulator({
    fixtures: { tables: { odd: { columns: { toJSON: "TEXT", size: "BIGINT" } } } },
  });
  const row = { toJSON: "x", size: 2n ** 53n + 1n };
  expect(tables.odd.insert(row)).toEqual(row);
});
