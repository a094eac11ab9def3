import { expect, test } from "vitest";
import { createEmulator, type Emulator, type EmulatorSettings } from "../../../src/index.ts";

const limit = 100_000;
const text = "x".repeat(20_000);
const notes = { columns: { id: "INTEGER", text: "TEXT" }, rows: [] };

/** An emulator with room for four notes. */
function full(settings: EmulatorSettings = {}, rows: readonly object[] = []): Promise<Emulator> {
  return createEmulator({
    fixtures: { tables: { notes: { ...notes, rows } } },
    auth: false,
    rowsLimit: limit,
    ...settings,
  });
}

async function ask(emulator: Emulator, line: string, body?: unknown) {
  const [method = "GET", path = "/"] = line.split(" ");
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { "content-type": "application/json" };
  const response = await emulator.fetch(path, { method, headers, ...sent });
  const answer: unknown = response.status === 204 ? undefined : await response.json();
  return { status: response.status, body: answer };
}

/** Adds notes until there is no room, and says how many there was room for. */
async function fill(emulator: Emulator, session = ""): Promise<number> {
  for (let count = 0; count < 50; count++) {
    const { status } = await ask(emulator, `POST ${session}/rest/notes`, { text });
    if (status !== 201) return count;
  }
  return Infinity;
}

const message = `Cannot store more rows: all of them together may take ${limit} bytes. Delete rows or sessions, or raise rowsLimit.`;

test.each(["document", "starbasedb"] as const)(
  "answers a row with 507 that there is no room for, in the profile %s",
  async (tables) => {
    const emulator = await full({ profiles: { tables } });
    expect(await fill(emulator)).toBe(4);
    expect(await ask(emulator, "POST /rest/notes", { text })).toEqual({
      status: 507,
      body: { error: message, code: "rows_full" },
    });
    expect(await ask(emulator, "PATCH /rest/notes/1", { text: `${text}!` })).toMatchObject({
      status: 507,
    });
    expect(await ask(emulator, "GET /rest/notes/1")).toEqual({
      status: 200,
      body: { result: [{ id: 1, text }] },
    });
    expect(emulator.tables["notes"]?.size).toBe(4);
  },
);

test("counts the rows of fixtures, which may be more than there is room for", async () => {
  const rows = Array.from({ length: 3 }, () => ({ text }));
  const emulator = await full({}, rows);
  expect(await fill(emulator)).toBe(1);
  expect(await fill(await full({}, [...rows, ...rows]))).toBe(0);
});

test("has code know by an error that there is no room", async () => {
  const emulator = await full();
  await fill(emulator);
  expect(() => emulator.tables["notes"]?.insert({ text })).toThrow(
    expect.objectContaining({ code: "ERR_ROWS_FULL", message }),
  );
});

test.each([
  ["a row is deleted", "DELETE /rest/notes/2"],
  ["the state is reset", "POST /__backlot/reset"],
  ["the rows of a table are replaced", "PUT /__backlot/tables/notes", []],
  ["the state is replaced", "PUT /__backlot/state", { tables: { notes } }],
])("has room again when %s", async (_, line, body?: unknown) => {
  const emulator = await full();
  await fill(emulator);
  expect((await ask(emulator, line, body)).status).toBeLessThan(300);
  expect(await ask(emulator, "POST /rest/notes", { text })).toMatchObject({ status: 201 });
});

test("has room again when a snapshot of a replaced state is restored in another session", async () => {
  const emulator = await full();
  await ask(emulator, "PUT /@one/__backlot/state", { tables: { notes } });
  await ask(emulator, "PUT /@one/__backlot/snapshots/none");
  expect(await fill(emulator)).toBe(4);
  await ask(emulator, "POST /__backlot/snapshots/none/restore");
  expect(await fill(emulator)).toBe(4);
});

test.each([
  ["deleted", "DELETE /__backlot/sessions/one"],
  ["begun anew", "PUT /__backlot/sessions/one"],
])("has room again when a session is %s", async (_, line) => {
  const emulator = await full();
  expect(await fill(emulator, "/@one")).toBe(4);
  expect(await fill(emulator, "/@two")).toBe(0);
  await ask(emulator, line);
  expect(await fill(emulator, "/@two")).toBe(4);
});

test("counts what sessions and snapshots share once", async () => {
  const emulator = await full();
  await ask(emulator, "POST /rest/notes", { text });
  await ask(emulator, "POST /rest/notes", { text });
  for (let id = 0; id < 30; id++) {
    expect(await ask(emulator, `POST /@s${id}/rest/notes`, { text: "short" })).toMatchObject({
      status: 201,
    });
    emulator.snapshot();
  }
  expect(await fill(emulator)).toBe(2);
});

test("counts the rows that only a named snapshot has", async () => {
  const emulator = await full();
  await fill(emulator);
  expect(await ask(emulator, "PUT /__backlot/snapshots/full")).toMatchObject({ status: 204 });
  await ask(emulator, "POST /__backlot/reset");
  expect(await fill(emulator)).toBe(0);
  await ask(emulator, "DELETE /__backlot/snapshots/full");
  expect(await fill(emulator)).toBe(4);
});

test.each(["PUT /__backlot/tables/notes", "PUT /__backlot/state"])(
  "refuses %s with 507, and changes nothing, where there is no room for it",
  async (line) => {
    const emulator = await full();
    await ask(emulator, "POST /rest/notes", { text: "first" });
    const rows = Array.from({ length: 6 }, () => ({ text }));
    const body = line.endsWith("notes") ? rows : { tables: { notes: { ...notes, rows } } };
    expect(await ask(emulator, line, body)).toMatchObject({
      status: 507,
      body: { error: { code: "rows_full", message } },
    });
    expect(emulator.tables["notes"]?.rows()).toEqual([{ id: 1, text: "first" }]);
  },
);

test("counts a text twice that has a character of two bytes", async () => {
  const emulator = await full();
  for (const status of [201, 201, 507]) {
    const sent = { text: `${text}天` };
    expect(await ask(emulator, "POST /rest/notes", sent)).toMatchObject({ status });
  }
});

test("counts the parts of a value that nests", async () => {
  const lists = { columns: { id: "INTEGER", list: "JSON" }, rows: [] };
  const emulator = await createEmulator({
    fixtures: { tables: { lists } },
    rowsLimit: 10_000,
    auth: false,
  });
  for (const [count, status] of [
    [100, 201],
    [300, 507],
  ] as const) {
    const list = Array.from({ length: count }, () => []);
    expect(await ask(emulator, "POST /rest/lists", { list })).toMatchObject({ status });
  }
});

test("counts the rows that stay when fixtures are loaded anew", async () => {
  const emulator = await full();
  expect(await fill(emulator)).toBe(4);
  const { core } = await full({ seed: 2 });
  emulator.core.load(core.fixtures);
  expect(emulator.tables["notes"]?.size).toBe(4);
  expect(await fill(emulator)).toBe(0);
  await ask(emulator, "DELETE /rest/notes/1");
  expect(await fill(emulator)).toBe(1);
});
