import { describe, expect, expectTypeOf, test as plainTest } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import { createTest } from "../../../src/fronts/vitest/index.ts";

const test = createTest({
  fixtures: {
    tables: {
      users: {
        primaryKey: "id",
        columns: { id: "INTEGER", name: { type: "TEXT", notNull: true } },
        rows: [{ id: 1, name: "Ada" }],
      },
    },
    chats: [{ name: "count", replies: [{ content: "one" }, { content: "two" }] }],
  },
  auth: false,
});

const json = { "content-type": "application/json" };

describe("sessions of tests that run at a time", () => {
  const numbers = Array.from({ length: 50 }, (_, index) => index);

  test.concurrent.for(numbers)("are apart, %i", async (number, { backlot }) => {
    const name = `Grace ${number}`;
    const body = JSON.stringify({ name });
    await backlot.fetch("/rest/users", { method: "POST", headers: json, body });
    await new Promise(setImmediate);
    backlot.tables.users.update(1, { name });
    await backlot.chats.add({ name: "own", when: { user: "mine" }, reply: { content: name } });
    await new Promise(setImmediate);
    expect(backlot.tables.users.rows().map((row) => row.name)).toEqual([name, name]);
    expect(backlot.journal).toHaveBeenAsked({ body: { name }, times: 1 });
    expect(backlot.journal).toHaveBeenAsked({ times: 1 });
  });
});

test("rows have the types that the fixtures tell", ({ backlot }) => {
  const [user] = backlot.tables.users.rows();
  expectTypeOf(user).toEqualTypeOf<{ readonly id: number; readonly name: string } | undefined>();
  // @ts-expect-error There is no such table.
  expect(() => backlot.tables.orders).toThrow(/no such table/);
});

test("requests of others name the session by its id", async ({ backlot }) => {
  await backlot.fetch(`/@${backlot.id}/rest/users`);
  expect(backlot.journal.list().map(({ session }) => session)).toEqual([backlot.id]);
});

test("plans faults of its own", async ({ backlot }) => {
  backlot.faults.add({ table: "users", status: 503, times: 1 });
  expect((await backlot.fetch("/rest/users")).status).toBe(503);
  expect((await backlot.fetch("/rest/users")).status).toBe(200);
  expect(backlot.journal.list().map(({ fault }) => fault)).toEqual(["fault 1", null]);
});

let attempts = 0;
test("a retry begins anew", { retry: 1 }, ({ backlot }) => {
  attempts++;
  expect(backlot.tables.users.size).toBe(1);
  backlot.tables.users.insert({ name: "Grace" });
  expect(attempts).toBe(2);
});

const given = await createEmulator({ fixtures: { tables: { notes: [{ id: 1 }] } }, auth: false });
const testGiven = createTest({ emulator: given });
let used = "";

testGiven("an emulator that is there already is shared", ({ backlot }) => {
  used = backlot.id;
  backlot.tables.notes.insert({ id: 2 });
  expect(given.session(backlot.id).tables.notes.size).toBe(2);
});

plainTest("a session is gone once its test is over", () => {
  expect(used).not.toBe("");
  expect(given.core.sessions.list()).toEqual([]);
  expect(given.tables.notes.size).toBe(1);
});

const seeded = await createEmulator({ fixtures: { tables: { notes: [{ id: 1 }] } }, auth: false });
const builder = seeded.session("builder");
builder.tables.notes.insert({ id: 2 });
builder.snapshot("two notes");
const testFrom = createTest({ emulator: seeded, from: "two notes" });

testFrom.for([1, 2])("each session begins as the snapshot, %i", (number, { backlot }) => {
  expect(backlot.tables.notes.size).toBe(2);
  backlot.tables.notes.delete(number);
  expect([builder, seeded].map(({ tables }) => tables.notes.size)).toEqual([2, 1]);
});

plainTest("refuses a snapshot's name where the emulator is still to be made", async () => {
  const options = { fixtures: {}, from: "two notes" };
  await expect(createEmulator(options)).rejects.toThrow("It belongs to session(id, { from })");
});

plainTest("refuses settings besides an emulator, which has its own", () => {
  const options = { emulator: given, auth: false };
  expect(() => createTest(options)).toThrow(
    'Cannot make a test: "auth" cannot be combined with "emulator", which already has its settings. Give one of the two.',
  );
});

plainTest("refuses what is no emulator", () => {
  const emulator: never = createEmulator() as never;
  expect(() => createTest({ emulator })).toThrow(
    /Cannot make a test: "emulator" is not an emulator/,
  );
});

const testBroken = createTest({ fixtures: { tables: { users: { colums: {} } } } });

testBroken.fails("fails each test whose fixtures are wrong", ({ backlot }) => {
  expect(backlot).toBeUndefined();
});

plainTest("unused recordings of a cassette that tests share are not looked for", () => {
  const recording = { upstream: "https://api.example.com/v1", name: "weather" } as const;
  expect(() => createTest({ recording: { ...recording, unusedRecordings: "fail" } })).toThrow(
    '"unusedRecordings" cannot be combined with the "name" of a cassette',
  );
  expect(() =>
    createTest({ recording: { ...recording, unusedRecordings: "ignore" } }),
  ).not.toThrow();
});
