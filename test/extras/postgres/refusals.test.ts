import { expect, test } from "vitest";
import { readAddress } from "../../../src/extras/postgres/address.ts";
import { ask } from "../../support/requests.ts";
import { ownSchema, serverUrl } from "../../support/postgres/server.ts";
import { sharedEmulator } from "./shared-emulator.ts";
import { otherProgram, serverTest } from "./with-server.ts";

const notes = { tables: { notes: { rows: [{ id: 1, text: "first" }] } } };

const others: readonly (readonly [string, unknown, string])[] = [
  [
    "a column is missing",
    { rows: [{ id: 1 }] },
    'a column "notes"."text", which the fixtures do not',
  ],
  ["a column is new", { rows: [{ id: 1, text: "a", at: 1 }] }, 'no column "notes"."at", which'],
  [
    "a column is of another type",
    { rows: [{ id: 1, text: 5 }] },
    '"notes"."text" is TEXT there and INTEGER',
  ],
  [
    "the key is another one",
    { primaryKey: "text", rows: [{ id: 1, text: "a" }] },
    "in another order there, or another primary key",
  ],
];

for (const [what, table, said] of others) {
  serverTest(`a schema is refused where ${what} in the fixtures`, async () => {
    const url = await ownSchema();
    await sharedEmulator(url, { fixtures: notes });
    const second = sharedEmulator(url, { fixtures: { tables: { notes: table } } });
    await expect(second).rejects.toThrow(said);
    await expect(second).rejects.toThrow("DROP SCHEMA");
  });
}

serverTest("a schema is refused whose tables were made for another profile", async () => {
  const url = await ownSchema();
  await sharedEmulator(url, { fixtures: notes });
  const settings = { profiles: { tables: "starbasedb" } } as const;
  await expect(sharedEmulator(url, { fixtures: notes, settings })).rejects.toThrow(
    'made for the profile "document", and this is "starbasedb"',
  );
});

serverTest("a table of the same name that Backlot did not make is left alone", async () => {
  const url = await ownSchema();
  const { schema } = readAddress(url);
  const run = await otherProgram(url);
  await run(`create schema "${schema}"; create table "${schema}".notes (id int)`);
  await expect(sharedEmulator(url, { fixtures: notes })).rejects.toThrow(
    'has a "notes" that Backlot did not make',
  );
  expect(await run("select * from notes")).toEqual([]);
});

const unkeepable: readonly (readonly [unknown, string])[] = [
  [{ notes: { rows: [] } }, "the fixtures do not show its columns"],
  [{ notes: { rows: [{ id: 1, _backlot_id: 1 }] } }, "are Backlot's own"],
  [{ "a.b": { rows: [{ id: 1 }] } }, "has a dot"],
  [{ notes: { rows: [{ id: 1, xmin: 1 }] } }, 'has a column "xmin" of its own in every table'],
  [{ [`t${"é".repeat(40)}`]: { rows: [{ id: 1 }] } }, "more than 63 bytes"],
];

for (const [tables, said] of unkeepable) {
  serverTest(`a table is refused of which ${said}`, async () => {
    await expect(sharedEmulator(await ownSchema(), { fixtures: { tables } })).rejects.toThrow(said);
  });
}

serverTest("sessions and other states are refused, and say what to do", async () => {
  const emulator = await sharedEmulator(await ownSchema(), { fixtures: notes });
  const chat = { model: "m", messages: [{ role: "user", content: "hi" }] };
  const headers = { "x-backlot-session": "mine" };
  const answers = await Promise.all([
    ask(emulator, "GET /@mine/rest/notes"),
    ask(emulator, "POST /v1/chat/completions", { json: chat, headers }),
    ask(emulator, "GET /@mine/__backlot/health"),
    ask(emulator, "PUT /__backlot/sessions/mine", { json: {} }),
    ask(emulator, "PUT /__backlot/state", { json: notes }),
  ]);
  const [table, chats, control, begun, imported] = answers;
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
  expect(table?.body).toMatchObject({
    code: "invalid_session",
    error: expect.stringContaining("schema"),
  });
  expect(chats?.body).toMatchObject({ error: { code: "invalid_session" } });
  expect(control?.body).toMatchObject({ error: { code: "invalid_session" } });
  expect(begun?.body).toMatchObject({ error: { code: "session_refused" } });
  expect(imported?.body).toMatchObject({ error: { code: "state_refused" } });
  expect((await ask(emulator, "GET /rest/notes")).body).toEqual({
    result: notes.tables.notes.rows,
  });
});

serverTest("a server that is not there is named without the password", async () => {
  const url = new URL(await serverUrl());
  url.searchParams.set("host", "/nowhere");
  const failed = sharedEmulator(url.href, { fixtures: notes });
  await expect(failed).rejects.toThrow(
    "Cannot start. The tables are kept in PostgreSQL at /nowhere:5432/postgres",
  );
  await expect(failed).rejects.not.toThrow("secret");
});

serverTest("a database that is not there is refused, and not waited for", async () => {
  const url = new URL(await serverUrl());
  url.pathname = "/nothing";
  const failed = sharedEmulator(url.href, { fixtures: notes });
  await expect(failed).rejects.toThrow("which refuses: there is no such database");
});

test.each([
  ["mysql://localhost/app", "is not a URL such as postgres://"],
  ["postgres://localhost/app?schema=pg_mine", 'does not begin with "pg_"'],
  ["postgres://localhost/app?schema=", "is not a valid schema name"],
  [
    "postgres://localhost/app?shema=x",
    '"shema" in its address is not a known parameter. Did you mean "schema"?',
  ],
  ["postgres://localhost/app?schema=a&schema=b", "names more than one schema"],
])("the address %s is refused", (address, said) => {
  expect(() => readAddress(address)).toThrow(said);
});

test("an address shows host, port and database, and no password", () => {
  const address = readAddress(
    "postgres://me:secret@db.example.com:6432/app?schema=mine&sslmode=disable",
  );
  expect(address).toEqual({
    connection: "postgres://me:secret@db.example.com:6432/app?sslmode=disable",
    schema: "mine",
    shown: "db.example.com:6432/app",
  });
});
