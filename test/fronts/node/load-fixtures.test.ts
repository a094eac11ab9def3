import { execFileSync } from "node:child_process";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { EmulatorError, type Problem } from "../../../src/core/errors/emulator-error.ts";
import { loadFixtures } from "../../../src/fronts/node/load-fixtures.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

async function failureOf(loading: Promise<unknown>): Promise<EmulatorError> {
  const error = await loading.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof EmulatorError) return error;
  throw new Error("No EmulatorError came.", { cause: error });
}

function places(problems: readonly Problem[]): readonly string[] {
  return problems.map(({ file, line, column }) => [file, line, column].join(":"));
}

test("loads a document of tables from one file", async () => {
  const folder = await temporaryFolder({ "db.json": { notes: [{ id: 1, text: "a" }] } });
  const { tables } = await loadFixtures("db.json", { cwd: folder.path });
  expect(tables.map(({ schema, rows }) => [schema.name, rows])).toEqual([
    ["notes", [{ id: 1, text: "a" }]],
  ]);
});

test("loads a folder's config, models, chats and tables", async () => {
  const folder = await temporaryFolder({
    "fixtures/config.json": { AUTHORIZATION_TOKEN: "t" },
    "fixtures/models.jsonc": '[{ "id": "m", "kind": "chat" }, /* the last */]',
    "fixtures/chats/hello.json": { reply: { content: "Hi." } },
    "fixtures/tables/notes.json": [{ id: 1 }],
    "fixtures/tables/.notes.json.swp": "not JSON",
  });
  const set = await loadFixtures("fixtures", { cwd: folder.path });
  expect(set.settings.token).toBe("t");
  expect(set.models.map(({ id }) => id)).toEqual(["m"]);
  expect(set.scripts.map(({ name }) => name)).toEqual(["hello"]);
  expect(set.tables.map(({ schema }) => schema.name)).toEqual(["notes"]);
});

test("takes a file URL", async () => {
  const folder = await temporaryFolder({ "db.json": { notes: [{ id: 1 }] } });
  const { tables } = await loadFixtures(pathToFileURL(join(folder.path, "db.json")));
  expect(tables).toHaveLength(1);
});

test("refuses a URL of another machine", async () => {
  const error = await failureOf(loadFixtures(new URL("https://example.com/db.json")));
  expect(error.code).toBe("ERR_FIXTURES_UNREADABLE");
  expect(error.message).toContain("https://example.com/db.json");
});

test("follows a link to a folder", async () => {
  const folder = await temporaryFolder({ "real/tables/notes.json": [{ id: 1 }] });
  await symlink(join(folder.path, "real"), join(folder.path, "fixtures"));
  const { tables } = await loadFixtures("fixtures", { cwd: folder.path });
  expect(tables).toHaveLength(1);
});

test("names a problem's place relative to the working directory", async () => {
  const folder = await temporaryFolder({
    "fixtures/tables/users.json": '{\n  "primaryKey": "id",\n  "colums": { "id": "INTEGER" }\n}',
  });
  const options = { cwd: folder.path };
  const expected = ["fixtures/tables/users.json:3:3"];
  for (const path of ["fixtures", "./fixtures/", join(folder.path, "fixtures")]) {
    const error = await failureOf(loadFixtures(path, options));
    expect(error.code).toBe("ERR_FIXTURES_INVALID");
    expect(places(error.problems)).toEqual(expected);
    expect(error.message).toContain("columns");
  }
});

test("keeps the way to a folder above as it was typed", async () => {
  const folder = await temporaryFolder({ "fixtures/models.json": "[", "work/.keep": "" });
  const error = await failureOf(loadFixtures("../fixtures", { cwd: join(folder.path, "work") }));
  expect(places(error.problems)).toEqual(["../fixtures/models.json:1:2"]);
});

test("refuses files and folders that the format does not know", async () => {
  const folder = await temporaryFolder({
    "fixtures/modles.json": [],
    "fixtures/table/users.json": [],
    "fixtures/chats/old/hello.json": {},
    "fixtures/tables/users.csv": "id\n1\n",
  });
  const error = await failureOf(loadFixtures("fixtures", { cwd: folder.path }));
  expect(new Set(error.problems.map(({ file }) => file))).toEqual(
    new Set([
      "fixtures/chats/old/",
      "fixtures/modles.json",
      "fixtures/table/",
      "fixtures/tables/users.csv",
    ]),
  );
});

test.each([
  ["a path where nothing is", "missing", "no such file or folder"],
  ["an empty path", "", "empty"],
  ["a pipe", "pipe", "neither a file nor a folder"],
  ["a link to nowhere", "dangling", "no such file or folder"],
  ["a file in UTF-16", "utf-16.json", "not UTF-8"],
])("refuses to read %s", async (_, path, reason) => {
  const folder = await temporaryFolder();
  execFileSync("mkfifo", [join(folder.path, "pipe")]);
  await symlink("nowhere", join(folder.path, "dangling"));
  await writeFile(join(folder.path, "utf-16.json"), Buffer.from("\uFEFF{}", "utf16le"));
  const error = await failureOf(loadFixtures(path, { cwd: folder.path }));
  expect(error.code).toBe("ERR_FIXTURES_UNREADABLE");
  expect(error.message).toContain(`Cannot read the fixtures ${JSON.stringify(path)}: `);
  expect(error.message).toContain(reason);
});

test.each([
  ["db.jsno", "db.json"],
  ["./shpo/", "shop"],
  ["shop/tables/user.json", "shop/tables/users.json"],
])("says what %s may be meant for", async (path, meant) => {
  const files = { "db.json": {}, "shop/tables/users.json": [], "shp/a.txt": "", "db.jsn": "{}" };
  const folder = await temporaryFolder(files);
  const error = await failureOf(loadFixtures(path, { cwd: folder.path }));
  expect(error.message).toMatch(/there is no such file or folder\. Did you mean "[^"]+"\?$/);
  expect(error.message).toContain(`Did you mean "${meant}"?`);
});

test.each([
  [
    "db.yaml",
    "users:\n  - id: 1\n",
    "it is a .yaml file, but fixtures are JSON, JSONC, a SQL dump or a SQLite database.",
  ],
  ["db.CSV", "id\n1\n", "it is a .CSV file, but fixtures are"],
  ["db.js", "module.exports = {};", "it is a .js file, but fixtures are"],
])("refuses %s as what it is", async (name, text, reason) => {
  const folder = await temporaryFolder({ [name]: text });
  const error = await failureOf(loadFixtures(name, { cwd: folder.path }));
  expect(error.code).toBe("ERR_FIXTURES_UNREADABLE");
  expect(error.message).toContain(reason);
});

test("loads JSON by whatever name", async () => {
  const folder = await temporaryFolder({ "db.yaml": { notes: [{ id: 1 }] } });
  const { tables } = await loadFixtures("db.yaml", { cwd: folder.path });
  expect(tables).toHaveLength(1);
});

test.each([
  ["a byte that begins no character", Buffer.from('{\n  "a": "\xff" }', "latin1"), 2, 9],
  [
    "a character cut off",
    Buffer.concat([Buffer.from('["\uFFFD'), Buffer.from([0xe2, 0x82])]),
    1,
    4,
  ],
])("names line and column of %s", async (_, bytes, line, column) => {
  const folder = await temporaryFolder();
  await writeFile(join(folder.path, "db.json"), bytes);
  const error = await failureOf(loadFixtures("db.json", { cwd: folder.path }));
  expect(error.message).toContain(`db.json:${line}:${column}: this is not UTF-8 text.`);
  expect(error.problems).toMatchObject([{ file: "db.json", line, column }]);
});

test("takes the character that stands for others where it is itself meant", async () => {
  const folder = await temporaryFolder({ "db.json": { notes: [{ id: 1, text: "a\uFFFDb" }] } });
  const { tables } = await loadFixtures("db.json", { cwd: folder.path });
  expect(tables[0]?.rows).toEqual([{ id: 1, text: "a\uFFFDb" }]);
});

test("generates the rows that a seed stands for", async () => {
  const folder = await temporaryFolder({
    "db.json": {
      tables: {
        users: { generate: { count: 3, row: { name: "{{ 'person.fullName' | faker }}" } } },
      },
    },
  });
  const namesFor = async (seed: number): Promise<unknown> => {
    const { tables } = await loadFixtures("db.json", { cwd: folder.path, seed });
    return tables[0]?.rows.map((row) => row["name"]);
  };
  expect(await namesFor(1)).toEqual(await namesFor(1));
  expect(await namesFor(1)).not.toEqual(await namesFor(2));
});

test("loads a folder's cassettes, whatever their size", async () => {
  const text = "long ".repeat(400_000);
  const answer = { status: 200, headers: {}, afterMs: 1, body: { json: { text, n: 1e21 } } };
  const recordings = [{ request: { method: "GET", path: "/users" }, answer }];
  const folder = await temporaryFolder({
    "fixtures/cassettes/tables-users.json": { interface: "tables", upstream: "", recordings },
  });
  const { cassettes } = await loadFixtures("fixtures", { cwd: folder.path });
  expect(cassettes).toEqual([
    { name: "tables-users", interface: "tables", upstream: "", recordings },
  ]);
});
