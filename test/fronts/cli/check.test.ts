import { expect, test } from "vitest";
import { run } from "../../../src/fronts/cli/run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { testIo } from "./test-io.ts";

test("exits 0 and counts what is there", async () => {
  const folder = await temporaryFolder({
    "shop/tables/users.json": [{ id: 1 }, { id: 2 }],
    "shop/models.json": [{ id: "m" }],
  });
  const io = testIo({ cwd: folder.path });
  expect(await run(["check", "shop"], io)).toBe(0);
  expect(io.out()).toBe("ok  shop: 1 table (2 rows), 1 model\n");
  expect(io.err()).toBe("");
});

test("exits 1 with place and nearest name for each problem", async () => {
  const folder = await temporaryFolder({
    "fixtures/config.json": '{\n  "sed": 1\n}\n',
    "fixtures/tables/users.json":
      '{\n  "primaryKey": "id",\n  "colums": {},\n  "rows": [{ "id": 1 }]\n}\n',
  });
  const io = testIo({ cwd: folder.path });
  expect(await run(["check"], io)).toBe(1);
  expect(io.err()).toMatch(/^fixtures\/config\.json:2:3: .*"sed".*"seed"/m);
  expect(io.err()).toMatch(/^fixtures\/tables\/users\.json:3:3: .*"colums".*"columns"/m);
  expect(io.out()).toBe("");
});

test.each([
  [["--tables-profile", "starbasedb"], {}, 1],
  [[], { BACKLOT_TABLES_PROFILE: "starbasedb" }, 1],
  [[], {}, 0],
  [["--profile", "document"], { BACKLOT_TABLES_PROFILE: "starbasedb" }, 0],
])("judges by the profile that %j and the environment %j name", async (args, env, code) => {
  const folder = await temporaryFolder({ "db.json": { users: [{ id: 1 }], Users: [{ id: 1 }] } });
  const io = testIo({ cwd: folder.path, env });
  expect(await run(["check", ...args], io)).toBe(code);
  expect(io.out() + io.err()).toMatch(
    code === 0 ? /^ok/ : /The names of the tables "users" and "Users" are the same/,
  );
});

test.each([
  ["./fixtures", { "fixtures/tables/a.json": [], "backlot/tables/b.json": [], "db.json": {} }],
  ["./backlot", { "backlot/tables/b.json": [], "db.json": {} }],
  ["./db.json", { "db.json": { notes: [] }, fixtures: "a file, not a folder" }],
])("looks for %s where no fixtures are named", async (path, files) => {
  const folder = await temporaryFolder(files);
  const io = testIo({ cwd: folder.path });
  expect(await run(["check"], io)).toBe(0);
  expect(io.out()).toMatch(new RegExp(`^ok {2}${path.slice(2)}: `));
});

test("warns of the expressions of scripts and rules that can take too long, each at its place", async () => {
  const folder = await temporaryFolder({
    "fixtures/chats/a.json":
      '{\n  "when": { "user": { "regex": "^(a+)+$" } },\n  "reply": { "content": "a" }\n}',
    "fixtures/config.json":
      '{\n  "recording": {\n    "redact": [\n      { "regex": "sk-\\\\w+", "as": "key" },\n      { "regex": "(b+)+c", "as": "slow" }\n    ]\n  }\n}',
  });
  const io = testIo({ cwd: folder.path });
  expect(await run(["check"], io)).toBe(0);
  expect(io.err()).toMatch(
    /^warning: fixtures\/chats\/a\.json:2:32: .*The script "a" has the regular expression "\^\(a\+\)\+\$", which can take very long/m,
  );
  expect(io.err()).toMatch(
    /^warning: fixtures\/config\.json:5:18: .*The redaction rule has the regular expression "\(b\+\)\+c", which can take very long/m,
  );
});

test("takes the built-in set where there are no fixtures, and it is sound", async () => {
  const folder = await temporaryFolder();
  const io = testIo({ cwd: folder.path });
  expect(await run(["check"], io)).toBe(0);
  expect(io.out()).toMatch(
    /^ok {2}the built-in set: 3 tables \(\d{3} rows\), \d models, \d\d scripts\n$/,
  );
});

test.each([
  [{}, "no tables, models or scripts"],
  [{ tables: { users: [] } }, "1 table (0 rows)"],
  [{ models: [{ id: "a" }], chats: [{ name: "b", reply: { content: "c" } }] }, "1 model, 1 script"],
])("leaves out what there is none of: %j", async (fixtures, counts) => {
  const folder = await temporaryFolder({ "db.json": fixtures });
  const io = testIo({ cwd: folder.path });
  expect(await run(["check"], io)).toBe(0);
  expect(io.out()).toBe(`ok  db.json: ${counts}\n`);
});

test("counts cassettes and their recordings where there are some", async () => {
  const recording = {
    request: { method: "GET", path: "/users" },
    answer: { status: 200, headers: {}, afterMs: 0 },
  };
  const cassette = { interface: "tables", upstream: "", recordings: [recording, recording] };
  const folder = await temporaryFolder({ "fixtures/cassettes/tables-users.json": cassette });
  const io = testIo({ cwd: folder.path });
  expect(await run(["check"], io)).toBe(0);
  expect(io.out()).toBe("ok  fixtures: 1 cassette (2 recordings)\n");
});

test("tells where a cassette is wrong", async () => {
  const folder = await temporaryFolder({
    "fixtures/cassettes/a.json":
      '{\n  "interface": "chat",\n  "upstream": "",\n  "recordins": []\n}',
  });
  const io = testIo({ cwd: folder.path });
  expect(await run(["check"], io)).toBe(1);
  expect(io.err()).toMatch(/^fixtures\/cassettes\/a\.json:4:3: .*"recordings"/m);
});

test("warns of a column type that is nearly a known one, at its place", async () => {
  const columns = { ok: "BOOLAEN", name: { type: "VARCAR(20)" }, data: "JSONB" };
  const folder = await temporaryFolder({
    "fixtures/tables/users.json": JSON.stringify({ columns }, undefined, 1),
  });
  const io = testIo({ cwd: folder.path });
  expect(await run(["check"], io)).toBe(0);
  expect(io.err().split("\n")).toEqual([
    'warning: fixtures/tables/users.json:3:9: The column type "BOOLAEN" is taken as "NUMERIC". Did you mean "BOOLEAN"?',
    'warning: fixtures/tables/users.json:5:12: The column type "VARCAR(20)" is taken as "NUMERIC". Did you mean "VARCHAR"?',
    'warning: fixtures/tables/users.json:7:11: The column type "JSONB" is taken as "NUMERIC". Did you mean "JSON"?',
    "",
  ]);
});

const usualTypes =
  "VARCHAR(20) DATETIME DATE TIME TIMESTAMP DECIMAL(10,2) MONEY BOOL YEAR CIDR UUID SERIAL BIGINT";

test("says nothing of types that SQL has, nor of those of a dump or of stored rows", async () => {
  const columns = Object.fromEntries(usualTypes.split(" ").map((type) => [`c_${type}`, type]));
  const stored = { columns: { data: "JSONB" } };
  const folder = await temporaryFolder({
    "fixtures/config.json": {
      tables: { usual: { columns }, stored },
      state: { asStored: ["stored"] },
    },
    "fixtures/tables/dump.sql": "CREATE TABLE dumped (data JSONB);",
  });
  const io = testIo({ cwd: folder.path });
  expect(await run(["check"], io)).toBe(0);
  expect(io.err()).toBe("");
});

test("warns once of keys that are the same in a path", async () => {
  const rows = [{ id: 1 }, { id: "1" }, { id: 2 }, { id: "2" }];
  const folder = await temporaryFolder({ "db.json": { users: rows, posts: [{ id: 1 }] } });
  const io = testIo({ cwd: folder.path });
  expect(await run(["check", "db.json"], io)).toBe(0);
  expect(io.err()).toBe(
    'warning: db.json:1:26: The keys 1 and "1" of "users" have the same path, which means both rows. So do 1 more pair. Write all keys as numbers, or all as texts.\n',
  );
});

test("leaves out what editors and systems leave behind, with a line each", async () => {
  const names = ["users.json~", "#users.json#", "users.json.orig", "users.json.bak", "a.json.swp"];
  const left = [...names, "Thumbs.db", "desktop.ini"];
  const files = left.flatMap((name) => [`fixtures/tables/${name}`, `fixtures/${name}`]);
  const folder = await temporaryFolder({
    ...Object.fromEntries(files.map((name) => [name, "no JSON"])),
    "fixtures/.DS_Store": "",
    "fixtures/tables/.DS_Store": "",
    "fixtures/tables/users.json": [{ id: 1 }],
  });
  const io = testIo({ cwd: folder.path });
  expect(await run(["check"], io)).toBe(0);
  expect(io.out()).toBe("ok  fixtures: 1 table (1 row)\n");
  const lines = io.err().trim().split("\n");
  expect(lines).toHaveLength(files.length);
  for (const file of files) {
    const name = JSON.stringify(file.split("/").at(-1));
    expect(lines).toContain(
      `warning: ${file}: ${name} is left out: it is not a fixture, but a leftover of an editor or of the system.`,
    );
  }
});
