import { expect, test } from "vitest";
import { createEmulator, type Emulator, type EmulatorSession } from "../../../src/index.ts";
import { readFixtureFiles } from "../../support/read-fixture-files.ts";

const past = "2020-02-02T02:02:02.000Z";
const written = {
  seed: 1,
  clock: "2024-01-01T00:00:00Z",
  limits: { requestsPerMinute: 2 },
  chats: [{ name: "year", reply: { content: "{{ 'now' | date: '%Y' }}" } }],
};
const dump =
  "CREATE TABLE notes (id INTEGER PRIMARY KEY, at TEXT DEFAULT CURRENT_TIMESTAMP, day TEXT DEFAULT CURRENT_DATE);";

async function made(): Promise<Emulator> {
  const files = [
    { name: "config.json", path: "config.json", text: JSON.stringify(written) },
    { name: "tables/notes.sql", path: "notes.sql", text: dump },
  ];
  return createEmulator({ fixtures: await readFixtureFiles(files), auth: false });
}

interface Chat {
  readonly created: number;
  readonly id: string;
  readonly choices: readonly { readonly message: { readonly content: string } }[];
}

async function say({ fetch }: Pick<EmulatorSession, "fetch">): Promise<Chat> {
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }] });
  const response = await fetch("/v1/chat/completions", { method: "POST", body });
  return (await response.json()) as Chat;
}

async function state({
  fetch,
}: Pick<EmulatorSession, "fetch">): Promise<{ readonly state: object }> {
  return (await (await fetch("/__backlot/state")).json()) as { readonly state: object };
}

async function putState(
  { fetch }: Pick<EmulatorSession, "fetch">,
  document: object,
): Promise<string> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify(document);
  const response = await fetch("/__backlot/state", { method: "PUT", headers, body });
  return `${response.status} ${await response.text()}`;
}

test("a session with a clock of its own has it in replies, templates, defaults and journal", async () => {
  const emulator = await made();
  const session = emulator.session("past", { clock: past });
  const { created, choices } = await say(session);
  const row = session.tables["notes"]?.insert({});
  expect([created, choices[0]?.message.content]).toEqual([Date.parse(past) / 1000, "2020"]);
  expect(row).toEqual({ id: 1, at: "2020-02-02 02:02:02", day: "2020-02-02" });
  expect(session.journal.list().map(({ at }) => at)).toEqual([past]);
  expect((await say(emulator)).created).toBe(Date.parse(written.clock) / 1000);
  expect(emulator.tables["notes"]?.insert({})).toMatchObject({ day: "2024-01-01" });
});

test("limits of a session whose clock stands never come back", async () => {
  const emulator = await createEmulator({
    fixtures: { ...written, clock: undefined },
    auth: false,
  });
  const session = emulator.session("a", { clock: past });
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }] });
  const ask = (): Promise<Response> =>
    session.fetch("/v1/chat/completions", { method: "POST", body });
  await ask();
  await ask();
  const refused = await ask();
  expect(refused.status).toBe(429);
  expect(refused.headers.get("x-should-retry")).toBe("false");
});

test("a seed begins the random sequence anew", async () => {
  const emulator = await made();
  await say(emulator);
  const [one, two] = [emulator.session("one", { seed: 9 }), emulator.session("two", { seed: 9 })];
  const other = await createEmulator({ fixtures: { ...written, seed: 9 }, auth: false });
  const ids = await Promise.all([one, two, other].map(async (world) => (await say(world)).id));
  expect(new Set(ids).size).toBe(1);
});

test("a clock goes with snapshots and exports, and a reset ends it", async () => {
  const emulator = await createEmulator({ fixtures: written, auth: false });
  const session = emulator.session("a", { clock: past });
  session.snapshot("past");
  expect((await state(session)).state).toMatchObject({ clock: past });
  session.reset();
  expect((await say(session)).created).toBe(Date.parse(written.clock) / 1000);
  session.restore("past");
  expect((await say(session)).created).toBe(Date.parse(past) / 1000);
});

test("a state that is put in sets clock and chance", async () => {
  const emulator = await made();
  const [one, two] = [emulator.session("one"), emulator.session("two", { clock: 0 })];
  expect(await putState(one, { state: { clock: "2020-02-02", seed: 4 } })).toBe("204 ");
  expect(await putState(two, { state: { seed: 4 } })).toBe("204 ");
  const [first, second] = [await say(one), await say(two)];
  expect([first.created, second.created]).toEqual([
    Date.parse("2020-02-02") / 1000,
    Date.parse(written.clock) / 1000,
  ]);
  expect(first.id).toBe(second.id);
});

test("the place in a sequence comes before a seed", async () => {
  const emulator = await made();
  const { random } = emulator.snapshot();
  await say(emulator);
  const { id } = await say(emulator.session("a", { seed: 1 }));
  const session = emulator.session("b");
  expect(await putState(session, { state: { random, seed: 77 } })).toBe("204 ");
  expect((await say(session)).id).toBe(id);
});

test.each([
  [{ clock: "soon" }, "state.clock: Expected a time such as"],
  [{ clock: "2024-02-30" }, "state.clock: Expected a time such as"],
  [{ seed: 1.5 }, 'state.seed: \\"seed\\" must be a whole number'],
  [{ random: [1, 2, 3] }, "must be four numbers, but has 3"],
  [{ random: [0, 0, 0, 0] }, "must not be four zeros"],
  [{ random: [1, 2, 3, 2 ** 31] }, "2147483647 or less"],
  [{ colck: past }, 'Did you mean \\"clock\\"?'],
  [{ keys: { nots: 5 } }, 'There is no table \\"nots\\". Did you mean \\"notes\\"?'],
  [{ keys: { notes: "99999999999999999999" } }, "64 bits"],
  [{ matches: { yer: 5 } }, 'There is no script \\"yer\\". Did you mean \\"year\\"?'],
  [{ limits: { request: { left: 1, at: 1 } } }, 'Did you mean \\"requests\\"?'],
  [{ asStored: ["note"] }, 'Did you mean \\"notes\\"?'],
  [{ cells: { notes: [{ row: 1, column: "id", integer: "1" }] } }, "There is no row 1"],
  [{ cells: { notes: [{ row: 0, column: "idd", integer: "1" }] } }, 'Did you mean \\"id\\"?'],
  [{ cells: { notes: [{ row: 0, column: "id" }] } }, "Give one of"],
  [{ cells: { notes: [{ row: 0, column: "id", blob: "0" }] } }, "hexadecimal digits per byte"],
  [{ cells: { notes: [{ row: 0, column: "id", blob: "00" }] } }, "takes a whole number"],
  [{ cells: { notes: [{ row: 0, column: "id", json: "{" }] } }, "the text of a JSON value"],
  [{ cells: { notes: [{ row: 0, column: "id", real: "1.5" }] } }, "Expected digits"],
])("refuses the state %j and changes nothing", async (given, says) => {
  const emulator = await made();
  const tables = { notes: { columns: { id: "INTEGER" }, rows: [{ id: 1 }] } };
  const chats = [{ name: "year", reply: { content: "x" } }];
  const answer = await putState(emulator, { tables, chats, state: given });
  expect(answer).toMatch(/^400 .*"state_refused"/);
  expect(answer).toContain(says);
  expect(emulator.tables["notes"]?.size).toBe(0);
});
