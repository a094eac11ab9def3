import { expect, test } from "vitest";
import { createEmulator, type EmulatorSettings } from "../../../src/index.ts";
import { readFixtureDocument } from "../../../src/core/fixture-set/read-fixtures.ts";
import { sqliteStorage } from "../../../src/core/store/storage-rules.ts";

const fixtures = {
  tables: {
    users: {
      columns: { id: "INTEGER", name: "TEXT", age: "INTEGER" },
      rows: [{ id: 1, name: "Ada", age: 30 }],
    },
  },
};
const observed: EmulatorSettings = { profiles: { tables: "starbasedb" } };

async function answer(
  settings: EmulatorSettings,
  request: string,
  key: string | null = "local-token",
): Promise<[status: number, body: string]> {
  const [method = "", path = "", ...body] = request.split(" ");
  const emulator = await createEmulator({ ...settings, fixtures });
  const response = await emulator.fetch(path, {
    method,
    headers: key === null ? {} : { authorization: `Bearer ${key}` },
    body: body.length === 0 ? null : body.join(" "),
  });
  return [response.status, await response.text()];
}

const unknown = '{"error":"Unknown operation"}';

test.each([
  ["GET /rest/users?age=30", 200],
  ["GET /v1/rest/users", 400],
  ["GET /foo", 400],
  ["GET /", 400],
  ["GET /v1/models", 400],
  ["GET /chat/completions", 400],
  ["POST /v1/chat/completions {}", 400],
])("takes who has the tables' token for a client of their service: %s", async (request, status) => {
  const [given, body] = await answer(observed, request);
  expect(given).toBe(status);
  if (status === 400) expect(body).toBe(unknown);
});

test("leaves chat to all other keys", async () => {
  const models = await answer(observed, "GET /v1/models", "my-key");
  const without = await answer(observed, "GET /v1/models", null);
  const shared = await answer({ ...observed, apiKeys: ["local-token"] }, "GET /v1/models");
  expect([models[0], without[0], shared[0]]).toEqual([200, 401, 200]);
});

test("answers paths that nobody has with 401 where the token is missing", async () => {
  const [status, body] = await answer(observed, "GET /foo", null);
  expect([status, body]).toEqual([401, '{"error":"Unauthorized request"}']);
});

test("keeps both interfaces reachable where no key is asked for", async () => {
  const open = { ...observed, auth: false };
  const models = await answer(open, "GET /v1/models", null);
  const rows = await answer(open, "GET /rest/users", null);
  const other = await answer(open, "GET /foo", null);
  expect([models[0], rows[0], other[0]]).toEqual([200, 200, 400]);
});

test("mounts the tables where the user says", async () => {
  const mounted = { ...observed, basePath: "/db" };
  const [below] = await answer(mounted, "GET /db/rest/users");
  const [atRoot] = await answer(mounted, "GET /rest/users");
  const [similar] = await answer(mounted, "GET /db/restaurant");
  expect([below, atRoot, similar]).toEqual([200, 400, 500]);
});

test("stores as SQLite does", async () => {
  const emulator = await createEmulator({ ...observed, fixtures, auth: false });
  await emulator.fetch("/rest/users", { method: "POST", body: '{"name":5,"age":"x"}' });
  expect(emulator.tables.users.get(2)).toEqual({ id: 2, name: "5.0", age: "x" });
});

test("takes the profile of the fixtures, whose rows then need not fit their columns", async () => {
  const document = {
    profiles: { tables: "starbasedb" },
    tables: { notes: { columns: { id: "INTEGER", n: "INTEGER" }, rows: [{ id: 1, n: "many" }] } },
  };
  const emulator = await createEmulator({ fixtures: document, auth: false });
  const response = await emulator.fetch("/rest/notes?n.gt=5");
  expect(await response.json()).toEqual({ result: [{ id: 1, n: "many" }] });
});

test("loads fixtures anew that were read for another profile, and only those", async () => {
  const strict = await readFixtureDocument(fixtures);
  const fitting = await readFixtureDocument(fixtures, { storageFor: () => sqliteStorage });
  for (const set of [strict, fitting]) {
    const emulator = await createEmulator({ ...observed, fixtures: set, auth: false });
    const { status } = await emulator.fetch("/rest/users?rowid=1");
    expect(status).toBe(200);
  }
  expect([strict.storage === sqliteStorage, fitting.storage === sqliteStorage]).toEqual([
    false,
    true,
  ]);
});

test("fills in the time of the emulator's clock", async () => {
  const clocked = { ...observed, clock: "2024-05-06T07:08:09Z", auth: false };
  const now = await answer(clocked, "GET /rest/users?current_timestamp=2024-05-06+07:08:09", null);
  expect(now[1]).toContain("Ada");
});

test("refuses tables that SQLite could not have", async () => {
  const refusedTables = {
    tables: { Users: [{ id: 1 }], users: [{ id: 1, ID: 2 }], sqlite_x: [{ id: 1 }] },
  };
  await expect(createEmulator({ fixtures: refusedTables })).resolves.toBeDefined();
  const refused = createEmulator({ ...observed, fixtures: refusedTables });
  await expect(refused).rejects.toThrowErrorMatchingInlineSnapshot(`
    [EmulatorError: Cannot read the fixtures:
    tables.users: The names of the tables "Users" and "users" are the same in the profile "starbasedb", which like SQLite ignores case. Rename one of the two, or use the profile "document".
    tables.users[0].ID: The names of the columns "id" and "ID" are the same in the profile "starbasedb", which like SQLite ignores case. Rename one of the two, or use the profile "document".
    tables.sqlite_x: The name "sqlite_x" is reserved by SQLite in the profile "starbasedb". Give the table another name.]
  `);
});
