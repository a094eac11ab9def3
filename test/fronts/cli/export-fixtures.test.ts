import { readFile, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import initSqlJs from "sql.js";
import { expect, test } from "vitest";
import { run } from "../../../src/fronts/cli/run.ts";
import { builtInFixtures } from "../../../src/fronts/node/fixture-place.ts";
import { loadFixtures } from "../../../src/fronts/node/load-fixtures.ts";
import { createEmulator } from "../../../src/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { testIo } from "./test-io.ts";

const dump = `
CREATE TABLE accounts (
  id INTEGER PRIMARY KEY,
  email VARCHAR(40) UNIQUE COLLATE NOCASE NOT NULL,
  score REAL DEFAULT 1.5,
  joined DATETIME,
  avatar BLOB
);
CREATE TABLE notes (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  slug TEXT DEFAULT 'none',
  big BIGINT,
  PRIMARY KEY (account_id, slug)
);
CREATE TABLE tags (name TEXT);
INSERT INTO accounts VALUES (3, 'Ada@x', 2.0, '2024-01-01', NULL), (7, 'bob@x', 'much', NULL, x'00ff10');
INSERT INTO notes VALUES (3, 'a', 9007199254740993), (7, '2', -1), (3, 'ü "q"', NULL);
INSERT INTO tags (rowid, name) VALUES (5, 'five'), (9, 'nine');
`;

const cassette = {
  interface: "tables",
  upstream: "https://api.example.com/rest",
  recordings: [
    {
      request: { method: "GET", path: "/orders", query: "limit=1" },
      answer: { status: 200, headers: {}, afterMs: 3, body: { json: { result: [{ id: 7 }] } } },
    },
  ],
};

const folder: Readonly<Record<string, unknown>> = {
  "config.json": {
    $schema: "../fixtures.schema.json",
    AUTHORIZATION_TOKEN: "t0ken",
    apiKeys: ["k3y"],
    seed: 7,
    clock: "2024-05-01T00:00:00Z",
    chat: { unmatched: "error", unknownModels: "error" },
    limits: { requestsPerMinute: 1000 },
    recording: { volatile: ["query.nonce"] },
    chats: [{ when: { user: "config" }, reply: { content: "from the config" } }],
    state: { matches: { turns: 1 }, keys: { people: 40 } },
  },
  "models.jsonc": `// The only one.\n[{ "id": "atlas", "contextLength": 100, },]`,
  "chats/turns.json": {
    when: { user: "turn" },
    replies: [{ content: "first" }, { content: "second {{ tables.people[0].name }}" }],
  },
  "chats/several.json": [
    { when: { user: "rain" }, reply: { content: "It rains." } },
    { when: { user: "faker" }, reply: { content: "{{ 'person.fullName' | faker }}" } },
  ],
  "tables/people.json": {
    columns: { id: "INTEGER", name: { type: "TEXT", notNull: true }, extra: "JSON" },
    rows: [{ id: 3, name: "Ada", extra: { a: [1, null] } }],
    generate: { count: 20, row: { name: "{{ 'person.fullName' | faker }}" } },
  },
  "tables/seats.jsonc": `{
    "primaryKey": ["row", "number"], // of a plane
    "columns": { "row": "TEXT", "number": "INTEGER", "person": { "type": "INTEGER", "references": "people.id" } },
    "rows": [{ "row": "A", "number": 1, "person": 3 }, { "row": "a,b", "number": -0.0 }],
  }`,
  "tables/empty.json": [],
  "tables/dump.sql": dump,
  "cassettes/tables-orders.json": cassette,
};

const tableNames = [
  "people",
  "seats",
  "empty",
  "accounts",
  "notes",
  "tags",
  "users",
  "products",
  "orders",
  "posts",
];

const said = ["config", "turn", "turn", "rain", "faker", "hello", "weather", "stream a story"];

/** What fixtures answer to some requests, one after the other. */
async function answers(path: string, cwd: string): Promise<readonly string[]> {
  const fixtures = await loadFixtures(path, { cwd });
  const { core, fetch } = await createEmulator({
    fixtures,
    ...(fixtures.settings.seed === undefined ? { seed: 5 } : {}),
    ...(fixtures.settings.clock === undefined ? { clock: "2024-01-01T00:00:00Z" } : {}),
  });
  const [token = ""] = core.settings.tokens ?? [];
  const [key = "any"] = core.settings.apiKeys ?? [];
  const ask = async (method: string, target: string, body?: object): Promise<string> => {
    const own = target.startsWith("/rest") ? token : key;
    const headers = { authorization: `Bearer ${own}`, "content-type": "application/json" };
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`http://x${target}`, { method, headers, ...init });
    return `${method} ${target} ${response.status} ${await response.text()}`;
  };
  const found: string[] = [await ask("GET", "/models"), await ask("GET", "/rest/orders?limit=1")];
  for (const name of tableNames) {
    for (const query of ["", "?sort_by=id&order=desc", "?rowid.gte=0", "?name.like=%25a%25"]) {
      found.push(await ask("GET", `/rest/${name}${query}`));
    }
    found.push(await ask("POST", `/rest/${name}`, { name: "Eve", email: "ADA@X" }));
    found.push(await ask("POST", `/rest/${name}`, { name: "Eve", email: "eve@x", slug: "x" }));
    found.push(await ask("DELETE", `/rest/${name}/3`), await ask("GET", `/rest/${name}`));
  }
  for (const content of said) {
    const [model] = fixtures.models.map(({ id }) => id);
    const messages = [{ role: "user", content }];
    found.push(await ask("POST", "/chat/completions", { model: model ?? "any", messages }));
  }
  return found;
}

/** Exports into the folder, and gives the document. */
async function exported(path: string, cwd: string, ...args: string[]): Promise<object> {
  const io = testIo({ cwd });
  expect([await run(["export", path, "--out", "all.json", ...args], io), io.out()]).toEqual([
    0,
    "",
  ]);
  expect(io.err()).toBe(`wrote ${path} to all.json\n`);
  return JSON.parse(await readFile(join(cwd, "all.json"), "utf8"));
}

/** Exports into the folder, checks the document, and gives what it answers, and what the fixtures do. */
async function bothAnswer(
  path: string,
  cwd: string,
): Promise<{ readonly document: readonly string[]; readonly fixtures: readonly string[] }> {
  await exported(path, cwd);
  const io = testIo({ cwd });
  expect([await run(["check", "all.json"], io), io.err()]).toEqual([0, ""]);
  return { document: await answers("all.json", cwd), fixtures: await answers(path, cwd) };
}

test.each([
  ["the built-in set", builtInFixtures],
  ["a document", "examples/tool-round-trip/fixtures.json"],
])("one document of %s answers the same", async (_, path) => {
  const { path: cwd } = await temporaryFolder();
  const { document, fixtures } = await bothAnswer(resolve(path), cwd);
  expect(document).toEqual(fixtures);
});

test.each([
  ["files of every kind", folder],
  [
    "profiles of the observed services",
    {
      ...folder,
      "config.json": { seed: 7, profiles: { tables: "starbasedb", chat: "openai" } },
    },
  ],
  [
    "no config",
    { "tables/users.json": [{ id: 1, name: "Ada" }], "chats/a.json": { reply: { content: "A" } } },
  ],
  ["settings alone", { "config.json": { limits: { requestsPerMinute: 3 }, hosts: ["x"] } }],
])("one document of a folder with %s answers the same", async (_, files) => {
  const project = await temporaryFolder(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`backend/${name}`, text])),
  );
  const { document, fixtures } = await bothAnswer("backend", project.path);
  expect(document).toEqual(fixtures);
});

test("one document of a SQLite database answers the same, with its BLOBs, ids and odd values", async () => {
  const { Database } = await initSqlJs();
  const database = new Database();
  database.run(dump);
  const project = await temporaryFolder({ "dump.sql": dump });
  await writeFile(join(project.path, "app.db"), database.export());
  for (const path of ["app.db", "dump.sql"]) {
    const { document, fixtures } = await bothAnswer(path, project.path);
    expect(document).toEqual(fixtures);
  }
  expect(await exported("app.db", project.path)).toMatchObject({
    tables: { accounts: { rows: [{ id: 3 }, { id: 7, score: "much" }] } },
    state: {
      asStored: ["accounts"],
      cells: { accounts: [{ row: 1, column: "avatar", blob: "00ff10" }] },
    },
  });
});

test("one document of json-server's file answers the same", async () => {
  const posts = [{ id: 1, title: "a" }];
  const { path } = await temporaryFolder({ "db.json": { posts, profile: { name: "typicode" } } });
  const { document, fixtures } = await bothAnswer("db.json", path);
  expect(document).toEqual(fixtures);
});

test("keeps what is written as it is: settings with keys, recipes of rows, names from files, cassettes", async () => {
  const project = await temporaryFolder(
    Object.fromEntries(Object.entries(folder).map(([name, text]) => [`backend/${name}`, text])),
  );
  const document = await exported("backend", project.path);
  const {
    $schema: _,
    chats: __,
    state: ___,
    ...settings
  } = folder["config.json"] as Record<string, unknown>;
  expect(document).toMatchObject({
    ...settings,
    tables: { people: folder["tables/people.json"] },
    cassettes: [{ name: "tables-orders", ...cassette }],
    chats: [{ name: "chats-1" }, { name: "several-1" }, { name: "several-2" }, { name: "turns" }],
  });
  expect(document).not.toHaveProperty("$schema");
  // Keys are in it.
  expect((await stat(join(project.path, "all.json"))).mode & 0o777).toBe(0o600);
  const io = testIo({ cwd: project.path });
  expect(await run(["export", "backend"], io)).toBe(0);
  expect([JSON.parse(io.out()), io.err()]).toEqual([document, ""]);
});

test("needs no server, whatever the environment says", async () => {
  const { path: cwd } = await temporaryFolder({ "db.json": { users: [{ id: 1 }] } });
  const env = { BACKLOT_URL: "http://127.0.0.1:1", BACKLOT_CONTROL_TOKEN: "t" };
  const io = testIo({ cwd, env });
  expect([await run(["export", "db.json"], io), io.err()]).toEqual([0, ""]);
});

test.each([
  ["no folder of that name", ["fixtuers"], 'Did you mean "fixtures"?'],
  ["a mistake in a file", ["broken"], 'broken/tables/users.json:1:2: Unknown key "colums".'],
  ["what a document cannot say", ["odd.sql"], 'the table "t" has a default that is a blob'],
  ["what is not supported", ["trigger.sql"], 'The trigger "g"'],
  ["a file among the fixtures", ["fixtures", "--out", "fixtures/all.json"], "never written to"],
  ["the fixtures themselves", ["odd.sql", "--out", "odd.sql"], "never written to"],
])("refuses %s", async (_, args, wrong) => {
  const { path: cwd } = await temporaryFolder({
    "fixtures/tables/users.json": [{ id: 1 }],
    "broken/tables/users.json": '{"colums": {}}',
    "odd.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, a DEFAULT x'00');",
    "trigger.sql":
      "CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END;",
  });
  const io = testIo({ cwd });
  expect([await run(["export", ...args], io), io.out()]).toEqual([1, ""]);
  expect(io.err()).toContain(wrong);
});

test("leaves out what is not supported where that is wanted, and says so", async () => {
  const { path: cwd } = await temporaryFolder({
    "trigger.sql":
      "CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END;",
  });
  const io = testIo({ cwd });
  expect(await run(["export", "trigger.sql", "--skip-unsupported"], io)).toBe(0);
  expect(JSON.parse(io.out())).toMatchObject({ tables: { t: { columns: { id: {} } } } });
  expect(io.err()).toMatch(/^warning: trigger\.sql:1:\d+: /);
});
