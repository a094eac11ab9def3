import * as fc from "fast-check";
import { expect } from "vitest";
import type { Column } from "../../../src/core/store/schema.ts";
import {
  sqliteStorage,
  type StorageRules,
  strictStorage,
} from "../../../src/core/store/storage-rules.ts";
import { ExactInteger, type Value } from "../../../src/core/store/value.ts";
import { anyText, anyValue } from "../../core/store/any-value.ts";
import { openTables, tableOf, writeTo } from "../../support/postgres/open-tables.ts";
import { ownSchema } from "../../support/postgres/server.ts";
import { column, table } from "../../support/tables.ts";
import { tries } from "../../support/tries.ts";
import { otherProgram, serverTest } from "./with-server.ts";

const types = [
  "INTEGER",
  "REAL",
  "TEXT",
  "BOOLEAN",
  "JSON",
  "ANY",
  "DATE",
  "DECIMAL(10,2)",
  "BLOB",
  "",
];

const columns: readonly Column[] = types.map((type) => column(`a ${type} column`, type));

/** What strict columns take, too: documents, and texts with what PostgreSQL's have not. */
const anyGiven: fc.Arbitrary<Value> = fc.oneof(
  anyValue,
  anyText,
  fc.boolean(),
  fc.jsonValue() as fc.Arbitrary<Value>,
  fc.constantFrom<Value>(
    "\0",
    "a\ud800",
    1e300,
    -1e300,
    2 ** 63,
    -(2 ** 63),
    new ExactInteger(2n ** 63n - 1n),
  ),
  fc.constantFrom<Value>({ ["__proto__"]: 1 }, { b: 1, a: "\ud800\0" }, 0, 1, 5, true),
);

/** Rows that a table takes, whatever was given. */
function rowsFor(storage: StorageRules): Readonly<Record<string, Value>>[] {
  const values = fc.sample(anyGiven, { numRuns: tries(400) });
  return values.map((value, at) => {
    const cells = columns.flatMap(({ name, type }): [string, Value][] => {
      const fitting = value === null ? undefined : storage.fit(value, storage.kindOf(type));
      return fitting?.ok === true ? [[name, fitting.value]] : [];
    });
    return { id: at + 1, ...Object.fromEntries(cells) };
  });
}

const rules = [
  ["document", strictStorage],
  ["starbasedb", sqliteStorage],
] as const;

for (const [profile, storage] of rules) {
  serverTest(`values of any column survive, as ${profile} keeps them`, async () => {
    const url = await ownSchema();
    const contents = table("things", [column("id", "INTEGER"), ...columns]);
    const rows = rowsFor(storage);
    const writer = await openTables(url, [{ ...contents, rows, asStored: true }], { storage });
    const reader = await openTables(url, [contents], { storage });
    const kept = tableOf(reader, "things");
    expect(kept.rows()).toEqual(tableOf(writer, "things").rows());
    expect(kept.rows().map((row) => JSON.stringify(row))).toEqual(
      tableOf(writer, "things")
        .rows()
        .map((row) => JSON.stringify(row)),
    );
    expect(kept.size).toBe(rows.length);
  });
}

serverTest("a value that another program writes counts, whatever was there", async () => {
  const url = await ownSchema();
  const contents = table("things", ["id INTEGER", "text TEXT", "size INTEGER"]);
  const rows = [{ id: 1, text: "a\0b", size: 1e300 }];
  const opened = await openTables(url, [{ ...contents, rows }]);
  const run = await otherProgram(url);
  expect(await run("select text, size from things")).toEqual([{ text: "a\uFFFDb", size: "0" }]);
  await run("update things set text = 'plain'");
  await opened.tables.read(async () => ({}));
  expect(tableOf(opened, "things").rows()).toEqual([{ id: 1, text: "plain", size: 1e300 }]);
});

serverTest("a change writes the columns that it changes alone", async () => {
  const url = await ownSchema();
  const contents = table("things", ["id INTEGER", "price DECIMAL", "name TEXT"]);
  const opened = await openTables(url, [{ ...contents, rows: [{ id: 1, price: 1, name: "a" }] }]);
  const run = await otherProgram(url);
  await run("update things set price = 0.1234567890123456789");
  await writeTo(opened, "things", (things) => things.update([1], { name: "b" }));
  expect(await run("select price, name from things")).toEqual([
    { price: "0.1234567890123456789", name: "b" },
  ]);
});

serverTest(
  "a key that was deleted is not used again, where the table is one of those",
  async () => {
    const url = await ownSchema();
    const { schema } = table("things", ["id INTEGER", "name TEXT"]);
    const contents = { schema: { ...schema, autoIncrement: true }, rows: [{ id: 3, name: "a" }] };
    const first = await openTables(url, [contents]);
    const run = await otherProgram(url);
    await run("insert into things (name) values ('b')");
    await writeTo(first, "things", (things) => things.delete([4]));
    const second = await openTables(url, [contents]);
    const added = await writeTo(second, "things", (things) => things.insert({ name: "c" }));
    expect(added).toMatchObject({ ok: true, row: { id: 5 } });
    expect(await run("insert into things (name) values ('d') returning id")).toEqual([{ id: "6" }]);
  },
);

serverTest("rows without a key of their own keep their order and their ids", async () => {
  const url = await ownSchema();
  const contents = table("logs", ["line TEXT"]);
  const first = await openTables(url, [{ ...contents, rows: [{ line: "b" }, { line: "a" }] }]);
  const run = await otherProgram(url);
  await run("insert into logs (line) values ('by hand')");
  await writeTo(first, "logs", (logs) => logs.insert({ line: "last" }));
  const second = await openTables(url, [contents]);
  expect(tableOf(second, "logs").rows()).toEqual(
    ["b", "a", "by hand", "last"].map((line) => ({ line })),
  );
});
