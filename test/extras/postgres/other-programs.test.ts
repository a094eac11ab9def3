import { expect, vi } from "vitest";
import { type Column, CurrentTime } from "../../../src/core/store/schema.ts";
import { ask } from "../../support/requests.ts";
import { openTables, tableOf, writeTo } from "../../support/postgres/open-tables.ts";
import { ownSchema } from "../../support/postgres/server.ts";
import { column, table } from "../../support/tables.ts";
import { sharedEmulator } from "./shared-emulator.ts";
import { otherProgram, serverTest } from "./with-server.ts";

/** Nobody waits for what is done beside. */
const patience = { timeout: 10_000 };

const notes = {
  tables: {
    notes: { rows: [{ id: 1, text: "first", price: 1.5, size: 1 }] },
    others: { rows: [{ id: 1 }] },
  },
};

const unreadable = [
  [
    "alter table notes alter column size type text; update notes set size = 'nan'",
    'table "notes", column "size", in the row of id 1',
    "update notes set size = 7; alter table notes alter size type bigint using size::bigint",
  ],
  [
    'update notes set _backlot_exact = \'{"size":{"shown":"1"}}\'',
    'table "notes", column "_backlot_exact"',
    "update notes set _backlot_exact = null, size = 7",
  ],
  [
    "alter table notes rename size to bulk; update notes set bulk = 7",
    'column "size" does not exist',
    "alter table notes rename bulk to size",
  ],
  [
    "alter table notes rename to memos; update memos set size = 7",
    "a table in it",
    "alter table memos rename to notes",
  ],
] as const;

for (const [statements, said, mending] of unreadable) {
  serverTest(
    `what cannot be read is told with its place, until it is mended: ${said}`,
    async () => {
      const url = await ownSchema();
      const told: string[] = [];
      const events = {
        lost: (message: string) => told.push(message),
        found: () => told.push("found"),
      };
      const emulator = await sharedEmulator(url, { fixtures: notes, events });
      const run = await otherProgram(url);
      await run(statements);
      for (const asked of ["GET /rest/notes", "GET /rest/others", "DELETE /rest/notes/1"]) {
        const { status, text } = await ask(emulator, asked);
        expect(status).toBe(503);
        expect(text.replaceAll("\\", "")).toContain(said);
        expect(text).not.toContain("does not answer");
      }
      expect(told).toEqual([expect.stringContaining(said)]);
      await run(mending);
      expect((await ask(emulator, "GET /rest/notes")).body).toMatchObject({
        result: [{ size: 7 }],
      });
      expect(told.slice(1)).toEqual(["found"]);
    },
  );
}

serverTest("a number that JSON has not is refused, in JSON and in columns of numbers", async () => {
  const url = await ownSchema();
  const fixtures = { tables: { notes: { rows: [{ id: 1, price: 1.5, more: { a: 1 } }] } } };
  const emulator = await sharedEmulator(url, { fixtures });
  const run = await otherProgram(url);
  for (const number of ["NaN", "Infinity", "-Infinity"]) {
    await expect(run(`update notes set price = '${number}'`)).rejects.toThrow("check constraint");
  }
  await run(`update notes set more = '{"a":1e400}'`);
  const { status, text } = await ask(emulator, "GET /rest/notes");
  expect(status).toBe(503);
  expect(text.replaceAll("\\", "")).toContain('table "notes", column "more", in the row of id 1');
});

const emails = (extra: Partial<Column> = {}): readonly Column[] => [
  column("id", "INTEGER"),
  column("email", "TEXT", { unique: true, ...extra }),
  column("name", "TEXT"),
];

serverTest("what is unique to Backlot is kept, however long or odd it is", async () => {
  const url = await ownSchema();
  const opened = await openTables(url, [table("things", emails())]);
  for (const email of ["a\0", "a\uFFFD", "a\ud800", "x".repeat(20_000), `${"x".repeat(20_000)}y`]) {
    const written = await writeTo(opened, "things", (things) => things.insert({ email }));
    expect(written).toMatchObject({ ok: true });
  }
  const again = await writeTo(opened, "things", (things) => things.insert({ email: "a\0" }));
  expect(again.ok).toBe(false);
});

serverTest("all rows are found where another program did break a unique column", async () => {
  const url = await ownSchema();
  const others = Array.from({ length: 20 }, (_, at) => ({ id: at + 2, email: `${at}@x` }));
  const rows = [{ id: 1, email: "same@x", name: "a" }, ...others];
  const opened = await openTables(url, [{ ...table("things", emails()), rows }]);
  const run = await otherProgram(url);
  await run("insert into things (email) values ('same@x')");
  await opened.tables.read(async () => ({}));
  const found = tableOf(opened, "things").select({
    where: [{ column: "email", operator: "eq", value: "same@x" }],
  });
  expect(found.map(({ id }) => id)).toEqual([1, 22]);
});

serverTest("a row whose unique column another program broke can be changed elsewhere", async () => {
  const url = await ownSchema();
  const rows = [{ id: 1, email: "same@x", name: "a" }];
  const opened = await openTables(url, [{ ...table("things", emails()), rows }]);
  const run = await otherProgram(url);
  await run("insert into things (email) values ('same@x')");
  const named = await writeTo(opened, "things", (things) => things.update([1], { name: "b" }));
  expect(named).toMatchObject({ ok: true, row: { name: "b" } });
  const again = await writeTo(opened, "things", (things) => things.insert({ email: "same@x" }));
  expect(again.ok).toBe(false);
  const freed = await writeTo(opened, "things", (things) => things.update([2], { email: "b@x" }));
  expect(freed.ok).toBe(true);
  const taken = await writeTo(opened, "things", (things) =>
    things.update([2], { email: "same@x" }),
  );
  expect(taken.ok).toBe(false);
});

serverTest("other unique columns in the fixtures are refused", async () => {
  const url = await ownSchema();
  await openTables(url, [table("things", emails())]);
  const second = openTables(url, [table("things", emails({ unique: false }))]);
  await expect(second).rejects.toThrow('"things" has other unique columns there');
});

serverTest("a role may write a table with a grant for that table alone", async () => {
  const url = await ownSchema();
  const emulator = await sharedEmulator(url, { fixtures: notes });
  const run = await otherProgram(url);
  const schema = new URL(url).searchParams.get("schema");
  const role = `writer_${schema}`.slice(0, 60);
  await run(`create role "${role}"; grant usage on schema "${schema}" to "${role}"`);
  await run(`grant insert, update on notes to "${role}"; set role "${role}"`);
  await run("insert into notes (text) values ('theirs')");
  await run(`reset role; drop owned by "${role}"; drop role "${role}"`);
  expect((await ask(emulator, "GET /rest/notes/2")).body).toMatchObject({
    result: [{ text: "theirs" }],
  });
});

serverTest("a row that another program adds gets the defaults of columns", async () => {
  const url = await ownSchema();
  const columns = [
    column("id", "INTEGER"),
    column("state", "TEXT", { default: "it's new" }),
    column("size", "INTEGER", { default: 3 }),
    column("at", "DATETIME", { default: new CurrentTime("timestamp") }),
    column("more", "JSON", { default: { a: [1] } }),
  ];
  const opened = await openTables(url, [table("things", columns)]);
  const run = await otherProgram(url);
  await run("insert into things default values");
  await opened.tables.read(async () => ({}));
  expect(tableOf(opened, "things").rows()).toEqual([
    {
      id: 1,
      state: "it's new",
      size: 3,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      more: { a: [1] },
    },
  ]);
});

serverTest("old changes are forgotten, also where other programs write alone", async () => {
  const url = await ownSchema();
  const emulator = await sharedEmulator(url, { fixtures: notes });
  const run = await otherProgram(url);
  await run(
    "insert into _backlot_changes select 1, 'notes', at from generate_series(1, 1e5) as at",
  );
  await run("update notes set text = 'new'");
  expect((await ask(emulator, "GET /rest/notes")).body).toMatchObject({
    result: [{ text: "new" }],
  });
  await vi.waitUntil(
    async () => (await run("select 1 from _backlot_changes")).length === 0,
    patience,
  );
});

serverTest("changes that come a few at a time leave no more than are kept", async () => {
  const url = await ownSchema();
  const emulator = await sharedEmulator(url, { fixtures: notes });
  const run = await otherProgram(url);
  const json = Array.from({ length: 600 }, (_, at) => ({ id: at + 1, text: "again" }));
  await ask(emulator, "PUT /__backlot/tables/notes", { json });
  const fill = (version: string, rows: string): Promise<unknown[]> =>
    run(`insert into _backlot_changes
      select ${version}, 'notes', at from generate_series(1, ${rows}) as at, _backlot_state`);
  await fill("0", "1e5");
  await fill("version + 1", "9000");
  await run("update notes set text = 'theirs' where id = 1");
  await ask(emulator, "PUT /__backlot/tables/notes", { json });
  await vi.waitUntil(
    async () => (await run("select 1 from _backlot_changes where version = 0")).length === 0,
    patience,
  );
});
