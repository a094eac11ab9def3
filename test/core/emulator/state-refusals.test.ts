import { expect, test } from "vitest";
import { readFixtureFiles } from "../../support/read-fixture-files.ts";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../../src/index.ts";

const headers = { "content-type": "application/json" };

async function emulatorOf(fixtures: unknown, settings: EmulatorOptions = {}): Promise<Emulator> {
  return createEmulator({ fixtures, auth: false, ...settings });
}

async function ofDump(text: string): Promise<Emulator> {
  return emulatorOf(await readFixtureFiles([{ name: "tables/t.sql", path: "t.sql", text }]));
}

async function state(emulator: Emulator): Promise<string> {
  return (await emulator.fetch("/__backlot/state")).text();
}

/** What the control API says to a state that it is given. */
async function put(emulator: Emulator, body: string) {
  const response = await emulator.fetch("/__backlot/state", { method: "PUT", headers, body });
  return { status: response.status, text: await response.text() };
}

test.each([
  ["CREATE TABLE t (id INTEGER PRIMARY KEY, a DEFAULT x'00');", "a default that is a blob"],
  [
    "CREATE TABLE t (a, b, UNIQUE (a COLLATE NOCASE, b));",
    "unique by another collation than their own",
  ],
])("answers 409 with table and reason where a document cannot say %s", async (dump, reason) => {
  const emulator = await ofDump(dump);
  const response = await emulator.fetch("/__backlot/state");
  const body: unknown = await response.json();
  const message = expect.stringContaining(reason);
  expect(response.status).toBe(409);
  expect(body).toMatchObject({ error: { code: "export_refused", message } });
  const start = /^Cannot export the state: the table "t" has /;
  expect(body).toMatchObject({ error: { message: expect.stringMatching(start) } });
});

test("an export tells its profiles where they are not the usual ones", async () => {
  const fixtures = { tables: { notes: { columns: { id: "INTEGER", n: "INTEGER" }, rows: [] } } };
  const own = await emulatorOf(fixtures, { profiles: { tables: "starbasedb" } });
  own.tables["notes"]?.insert({ n: "not a number" });
  const text = await state(own);
  expect(JSON.parse(text)).toMatchObject({ profiles: { tables: "starbasedb" } });
  const again = await emulatorOf(JSON.parse(text));
  expect(await state(again)).toBe(text);
  expect((await put(own, text)).status).toBe(204);
  expect(await state(own)).toBe(text);
  expect(JSON.parse(await state(await emulatorOf(fixtures)))).not.toHaveProperty("profiles");
});

test("refuses the state of another profile", async () => {
  const emulator = await emulatorOf({ tables: {} });
  const body = { profiles: { tables: "starbasedb" }, tables: {}, chats: [] };
  const { status, text } = await put(emulator, JSON.stringify(body));
  expect(status).toBe(400);
  expect(text).toContain("this emulator has");
});

test.each([
  [{ table: "usrs", status: 500 }, 'There is no table \\"usrs\\". Did you mean \\"users\\"?'],
  [{ status: 500, times: 1, left: 2 }, '\\"left\\" is 2, which is more than \\"times\\", 1.'],
  [{ status: 500, left: 2 }, '\\"left\\" needs \\"times\\", which'],
])("refuses a state with the fault %j, as POST /faults does", async (fault, says) => {
  const emulator = await emulatorOf({ tables: { users: [] } });
  const before = await state(emulator);
  const document = JSON.parse(before);
  document.state.faults = [{ id: "fault 1", ...fault }];
  const { status, text } = await put(emulator, JSON.stringify(document));
  expect([status, text]).toEqual([400, expect.stringContaining(says)]);
  expect(text).toContain("state.faults[0]");
  expect(await state(emulator)).toBe(before);
});

test("a fault of a state without `left` acts as often as it says", async () => {
  const emulator = await emulatorOf({ tables: { users: [] } });
  const document = JSON.parse(await state(emulator));
  document.state.faults = [{ id: "fault 1", status: 500, times: 1 }];
  await put(emulator, JSON.stringify(document));
  const statuses = [
    (await emulator.fetch("/rest/users")).status,
    (await emulator.fetch("/rest/users")).status,
  ];
  expect(statuses).toEqual([500, 200]);
});

const inScript = (n: number) => ({ name: "s", reply: { content: { n } } });

test("refuses a number in a script that JSON writes as another one", async () => {
  const emulator = await emulatorOf({ tables: {} });
  const problems = [{ path: "reply.content.n" }];
  const refusal = { code: "ERR_SCRIPT_REFUSED", problems };
  await expect(emulator.chats.add(inScript(2 ** 60))).rejects.toMatchObject(refusal);
  const message = "JSON writes the number 1152921504606846976 as 1152921504606847000.";
  await expect(emulator.chats.add(inScript(2 ** 60))).rejects.toThrow(message);
});

test.each([
  [{ chats: [inScript(2 ** 60)] }, "chats[0].reply.content.n"],
  [
    { tables: { t: { columns: { id: "INTEGER", j: { type: "JSON", default: [2 ** 60] } } } } },
    "tables.t.columns.j.default[0]",
  ],
  [
    { tables: { t: { columns: { id: "INTEGER", r: { type: "REAL", default: 2 ** 60 } } } } },
    "tables.t.columns.r.default",
  ],
])("refuses fixtures whose export could not be read again, %#", async (fixtures, path) => {
  const refusal = { code: "ERR_FIXTURES_INVALID", problems: [{ path }] };
  await expect(emulatorOf(fixtures)).rejects.toMatchObject(refusal);
});

test.each([1e20, 1e21, 1e300, 0.1, -0, Number.MAX_SAFE_INTEGER, -1e17])(
  "a script with the number %d goes out and in again",
  async (n) => {
    const emulator = await emulatorOf({ chats: [inScript(n)] });
    const text = await state(emulator);
    expect((await put(emulator, text)).status).toBe(204);
    expect(await state(emulator)).toBe(text);
  },
);
