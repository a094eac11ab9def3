import { expect } from "vitest";
import type { Emulator } from "../../../src/core/emulator/emulator.ts";
import { ask } from "../../support/requests.ts";
import { ownSchema } from "../../support/postgres/server.ts";
import { sharedEmulator } from "./shared-emulator.ts";
import { otherProgram, serverTest } from "./with-server.ts";

const fixtures = {
  tables: {
    notes: { columns: { id: "INTEGER", more: "JSON" }, rows: [{ id: 1, more: { a: 1 } }] },
    users: { rows: [{ id: 1, name: "Ada" }] },
    orders: {
      columns: {
        id: "INTEGER",
        note: { type: "INTEGER", references: "notes.id" },
        size: "INTEGER",
      },
      rows: [{ id: 1, note: 1, size: 1 }],
    },
  },
  chats: [
    { when: { user: "notes" }, reply: { content: "{{ tables.notes | size }} notes" } },
    { when: { user: "users" }, reply: { content: "{{ tables.users | size }} users" } },
  ],
};

const breakNotes = `update notes set more = '{"a":1e400}'`;
const mendNotes = `update notes set more = '{"a":2}'`;

interface Broken {
  readonly emulator: Emulator;
  readonly run: (text: string) => Promise<unknown[]>;
  readonly url: string;
  /** What the log was told. */
  readonly told: readonly string[];
}

/** An emulator beside which another program has run these statements. */
async function broken(statements: string): Promise<Broken> {
  const url = await ownSchema();
  const told: string[] = [];
  const emulator = await sharedEmulator(url, {
    fixtures,
    events: {
      lost: (message) => told.push(message),
      found: (table) => told.push(`found ${table ?? "all"}`),
    },
  });
  const run = await otherProgram(url);
  await run(statements);
  return { emulator, run, url, told };
}

/** The status of each request. */
async function statuses(emulator: Emulator, lines: readonly string[]): Promise<readonly number[]> {
  const found: number[] = [];
  for (const line of lines) found.push((await ask(emulator, line)).status);
  return found;
}

function chat(emulator: Emulator, content: string): ReturnType<typeof ask> {
  const json = { model: "m", messages: [{ role: "user", content }] };
  return ask(emulator, "POST /v1/chat/completions", { json });
}

serverTest("a value that cannot be read stops its own table, and is told of once", async () => {
  const { emulator, told } = await broken(breakNotes);

  expect((await ask(emulator, "POST /rest/users", { json: { name: "Zed" } })).status).toBe(201);
  expect((await ask(emulator, "PATCH /rest/users/2", { json: { name: "Z" } })).status).toBe(200);
  expect((await ask(emulator, "DELETE /rest/users/2")).status).toBe(200);
  expect(await statuses(emulator, ["GET /rest/users", "GET /rest/orders/1"])).toEqual([200, 200]);
  const lines = ["GET /rest/notes", "GET /rest/notes/1", "DELETE /rest/notes/1"];
  expect(await statuses(emulator, lines)).toEqual([503, 503, 503]);
  const { text } = await ask(emulator, "GET /rest/notes?id=1");
  const place = 'table "notes", column "more", in the row of id 1';
  expect(text.replaceAll("\\", "")).toContain(place);
  expect(told).toEqual([expect.stringContaining(place)]);
});

serverTest("what another table's rows refer to has to be readable where it is asked", async () => {
  const { emulator } = await broken(breakNotes);
  const json = { note: 1, size: 2 };
  expect((await ask(emulator, "POST /rest/orders", { json })).status).toBe(503);
  expect((await ask(emulator, "PATCH /rest/orders/1", { json: { size: 3 } })).status).toBe(200);
});

serverTest(
  "a template that shows another table is answered, one that shows it is not",
  async () => {
    const { emulator } = await broken(breakNotes);
    const [notes, users] = await Promise.all([chat(emulator, "notes"), chat(emulator, "users")]);
    expect(users.text).toContain("1 users");
    expect(notes.body).toMatchObject({
      error: { code: "tables_unavailable", message: expect.stringContaining('table "notes"') },
    });
  },
);

serverTest("once the value is mended the table is read again, and that is told", async () => {
  const { emulator, run, told } = await broken(breakNotes);
  expect(await statuses(emulator, ["GET /rest/notes"])).toEqual([503]);
  await run("insert into users (name) values ('Zed')");
  expect(await statuses(emulator, ["GET /rest/users", "GET /rest/notes"])).toEqual([200, 503]);
  await run(mendNotes);
  expect((await ask(emulator, "GET /rest/notes")).body).toEqual({
    result: [{ id: 1, more: { a: 2 } }],
  });
  expect(told.slice(1)).toEqual(["found notes"]);
});

const wholes = [
  "GET /__backlot/state",
  "GET /__backlot/tables/notes",
  "PUT /__backlot/snapshots/one",
];

serverTest("the control API refuses what needs the table, and nothing else", async () => {
  const { emulator } = await broken(breakNotes);
  expect(await statuses(emulator, wholes)).toEqual([503, 503, 503]);
  const others = ["health", "requests", "snapshots", "tables/users"];
  expect(
    await statuses(
      emulator,
      others.map((path) => `GET /__backlot/${path}`),
    ),
  ).toEqual([200, 200, 200, 200]);
});

const mendings = [
  ["a reset", "POST /__backlot/reset", undefined, { a: 1 }],
  ["new rows", "PUT /__backlot/tables/notes", [{ id: 1, more: { a: 3 } }], { a: 3 }],
] as const;

for (const [what, line, json, more] of mendings) {
  serverTest(`${what} mends the table, for all`, async () => {
    const { emulator, url, told } = await broken(breakNotes);
    const second = await sharedEmulator(url, { fixtures });
    const gets = ["GET /rest/notes", "GET /rest/users"];
    expect(await statuses(emulator, gets)).toEqual([503, 200]);
    expect(await statuses(second, gets)).toEqual([503, 200]);
    expect((await ask(emulator, line, json === undefined ? {} : { json })).status).toBe(204);
    for (const one of [emulator, second]) {
      expect((await ask(one, "GET /rest/notes")).body).toEqual({ result: [{ id: 1, more }] });
    }
    expect(told.slice(1)).toEqual(["found notes"]);
  });
}

const alterings = [
  ["alter table notes drop column more", "alter table notes add more json", null],
  ["alter table notes rename to memos", "alter table memos rename to notes", { a: 1 }],
] as const;

for (const [altering, mending, more] of alterings) {
  serverTest(`an altered table stops itself alone: ${altering}`, async () => {
    const { emulator, run } = await broken(altering);
    await run("insert into users (name) values ('Zed')");
    expect((await ask(emulator, "PATCH /rest/notes/1", { json: { more: 5 } })).status).toBe(503);
    expect((await ask(emulator, "POST /rest/users", { json: { name: "Eve" } })).status).toBe(201);
    expect(await statuses(emulator, ["GET /rest/users/2", "GET /rest/notes"])).toEqual([200, 503]);
    await run(mending);
    expect((await ask(emulator, "GET /rest/notes")).body).toEqual({ result: [{ id: 1, more }] });
  });
}

serverTest(
  "a value that an altered type mends is read, though no version tells of it",
  async () => {
    const altering = "alter table orders alter size type text; update orders set size = 'many'";
    const { emulator, run } = await broken(altering);
    const { status, text } = await ask(emulator, "GET /rest/orders");
    expect(status).toBe(503);
    expect(text.replaceAll("\\", "")).toContain('column "size" is text there, not bigint');
    await run("alter table orders alter size type bigint using 7");
    expect((await ask(emulator, "GET /rest/orders/1")).body).toMatchObject({
      result: [{ size: 7 }],
    });
  },
);
