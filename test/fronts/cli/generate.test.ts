import { writeFileSync } from "node:fs";
import { chmod, lstat, readdir, readFile, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../../../src/fronts/cli/run.ts";
import { temporaryFolder, type TemporaryFolder } from "../../support/temporary-folder.ts";
import { testIo, type TestIo } from "./test-io.ts";

const users = `{
  "columns": { "id": "INTEGER", "name": "TEXT", "email": { "type": "TEXT", "unique": true } },
  "rows": [
    { "id": 4, "name": "Ada" }
  ]
}
`;

async function shop(
  env?: TestIo["env"],
): Promise<{ readonly folder: TemporaryFolder; readonly io: TestIo }> {
  const folder = await temporaryFolder({ "fixtures/tables/users.json": users });
  return { folder, io: testIo({ cwd: folder.path, env: env ?? {} }) };
}

/** A clock on which time flies. */
function fastClock(): () => number {
  let time = 0;
  return () => (time += 200);
}

function read(folder: TemporaryFolder, name = "fixtures/tables/users.json"): Promise<string> {
  return readFile(join(folder.path, name), "utf8");
}

test("adds rows to the file of the table, and says so", async () => {
  const { folder, io } = await shop();
  expect(await run(["generate", "users", "--rows", "3"], io)).toBe(0);
  expect(io.out()).toBe(
    "generated 3 rows of users into fixtures/tables/users.json, after the existing 1\n",
  );
  const text = await read(folder);
  expect(text.startsWith(users.slice(0, -"\n  ]\n}\n".length))).toBe(true);
  expect(JSON.parse(text).rows.map(({ id }: { id: number }) => id)).toEqual([4, 5, 6, 7]);
  expect(io.err()).toBe("");
});

test("makes 100 rows where no number is given", async () => {
  const { folder, io } = await shop();
  expect(await run(["generate", "users"], io)).toBe(0);
  expect(JSON.parse(await read(folder)).rows).toHaveLength(101);
});

test("writes the same bytes for the same seed, given or in the environment", async () => {
  const [one, two, three] = [await shop(), await shop({ BACKLOT_SEED: "9" }), await shop()];
  await run(["generate", "users", "--seed", "9"], one.io);
  await run(["generate", "users"], two.io);
  await run(["generate", "users", "--seed", "10"], three.io);
  expect(await read(two.folder)).toBe(await read(one.folder));
  expect(await read(three.folder)).not.toBe(await read(one.folder));
});

test("replaces the rows of the table when it is told to", async () => {
  const { folder, io } = await shop();
  expect(await run(["generate", "users", "-n", "2", "--replace"], io)).toBe(0);
  expect(io.out()).toBe("generated 2 rows of users into fixtures/tables/users.json\n");
  expect(JSON.parse(await read(folder)).rows.map(({ id }: { id: number }) => id)).toEqual([1, 2]);
});

test("writes an array of rows to a file of another name, and overwrites none", async () => {
  const { folder, io } = await shop();
  expect(await run(["generate", "users", "-n", "2", "--out", "rows.json"], io)).toBe(0);
  expect(io.out()).toBe("generated 2 rows of users into rows.json\n");
  expect(await read(folder, "rows.json")).toMatch(
    /^\[\n {2}\{"id":5,.*\},\n {2}\{"id":6,.*\}\n\]\n$/,
  );
  expect(await read(folder)).toBe(users);
  expect(await run(["generate", "users", "--out", "rows.json"], io)).toBe(1);
  expect(io.err()).toContain('Cannot write "rows.json": it already exists.');
  expect(await run(["generate", "users", "-n", "1", "--out", "rows.json", "--force"], io)).toBe(0);
  expect(JSON.parse(await read(folder, "rows.json"))).toHaveLength(1);
});

test("writes rows to stdout and nothing else", async () => {
  const { folder, io } = await shop();
  expect(await run(["generate", "users", "-n", "2", "--out", "-"], io)).toBe(0);
  expect(JSON.parse(io.out())).toHaveLength(2);
  expect(io.err()).toBe("");
  expect(await readdir(folder.path)).toEqual(["fixtures"]);
});

test("ends early when nobody reads stdout any more", async () => {
  const { io } = await shop();
  const stdout = { ...io.stdout, flushed: () => Promise.resolve(false) };
  const args = ["generate", "users", "-n", "3000", "--out", "-"];
  expect(await run(args, { ...io, stdout })).toBe(0);
  expect(io.out().length).toBeLessThan(200_000);
});

test("changes nothing when the user stops it", async () => {
  const { folder, io } = await shop();
  const running = run(["generate", "users", "-n", "1000000"], { ...io, now: fastClock() });
  io.stop();
  expect(await running).toBe(1);
  expect(io.err()).toBe("stopped: no file has changed\n");
  expect(await read(folder)).toBe(users);
  expect(await readdir(join(folder.path, "fixtures/tables"))).toEqual(["users.json"]);
});

test("changes nothing when a row cannot be made, and names the place", async () => {
  const row = { side: "{{ 'person.sexType' | faker }}" };
  const columns = { side: { type: "TEXT", unique: true } };
  const table = { columns, generate: { count: 0, row } };
  const folder = await temporaryFolder({ "fixtures/tables/t.json": table });
  const io = testIo({ cwd: folder.path });
  expect(await run(["generate", "t"], io)).toBe(1);
  expect(io.err()).toMatch(/^fixtures\/tables\/t\.json:1:\d+: In generated row \d: /m);
  expect(await readdir(join(folder.path, "fixtures/tables"))).toEqual(["t.json"]);
  expect(JSON.parse(await read(folder, "fixtures/tables/t.json"))).toEqual(table);
});

test("leaves a file alone that was changed meanwhile", async () => {
  const { folder, io } = await shop();
  const edited = users.replace("Ada", "Eve");
  const file = join(folder.path, "fixtures/tables/users.json");
  let looks = 0;
  const now = (): number => {
    // The clock is looked at before the file is read, and then while rows are made.
    looks += 1;
    if (looks === 2) writeFileSync(file, edited);
    return 0;
  };
  expect(await run(["generate", "users", "-n", "200"], { ...io, now })).toBe(1);
  expect(io.err()).toContain("another program changed it in the meantime");
  expect(await read(folder)).toBe(edited);
});

test("keeps the file's mode, and a link to it", async () => {
  const { folder, io } = await shop();
  const [file, link] = ["shop.json", "fixtures/tables/users.json"];
  await folder.remove(link);
  await folder.write(file, users);
  await chmod(join(folder.path, file), 0o640);
  await symlink("../../shop.json", join(folder.path, link));
  expect(await run(["generate", "users", "-n", "1"], io)).toBe(0);
  expect((await lstat(join(folder.path, link))).isSymbolicLink()).toBe(true);
  expect((await stat(join(folder.path, file))).mode & 0o777).toBe(0o640);
  expect(JSON.parse(await read(folder, file)).rows).toHaveLength(2);
});

test("shows a bar on a terminal only, and takes it away", async () => {
  const { folder, io } = await shop();
  const screen = testIo({ cwd: folder.path, isTerminal: true, env: { NO_COLOR: "1" } });
  const args = ["generate", "users", "-n", "2000", "--out", "-"];
  expect(await run(args, { ...io, now: fastClock(), stderr: screen.stderr })).toBe(0);
  expect(screen.err()).toMatch(/users {2}\[=+>? *\] +\d+ % {2}[\d,]+ of 2,000 rows/);
  expect(screen.err().endsWith("\r\u001B[K")).toBe(true);
  expect(await run(args, { ...io, now: fastClock() })).toBe(0);
  expect(io.err()).toBe("");
});

test.each([
  [["usrs"], 1, 'the fixtures have no such table. Did you mean "users"?'],
  [["users", "nowhere"], 1, 'Cannot read the fixtures "nowhere"'],
  [["users", "--out", "no/such/file.json"], 1, "there is no such folder"],
  [[], 2, "missing required argument 'table'"],
  [["users", "--rows", "0"], 2, "from 1 to 1,000,000"],
  [["users", "--rows", "1e3"], 2, "from 1 to 1,000,000"],
  [["users", "--seed", "x"], 2, "whole number"],
  [["users", "--force"], 2, "option '--force' needs '--out <file>'"],
  [
    ["users", "--replace", "--out", "x"],
    2,
    "'--replace' cannot be used with option '-o, --out <file>'",
  ],
  [["users", "--row", "3"], 2, "Did you mean --rows?"],
])("refuses %j with exit code %d", async (args, code, message) => {
  const { folder, io } = await shop();
  expect(await run(["generate", ...args], io)).toBe(code);
  expect(io.err()).toContain(message);
  expect(await read(folder)).toBe(users);
});

test.each([
  ["fixtures/tables/users.jsonc"],
  ["fixtures/tables/rows.json"],
  ["fixtures/users.json"],
  ["fixtures/new/../tables/users.json"],
  ["link/tables/x.json"],
])("does not make the fixtures wrong by writing %s", async (out) => {
  const { folder, io } = await shop();
  await symlink("fixtures", join(folder.path, "link"));
  expect(await run(["generate", "users", "--out", out, "--force"], io)).toBe(1);
  expect(io.err()).toContain(
    `Cannot write "${out}": it would be read as part of the fixtures, which already have the table "users". Leave out --out`,
  );
  expect(await readdir(join(folder.path, "fixtures/tables"))).toEqual(["users.json"]);
  expect(await read(folder)).toBe(users);
});

test("does not overwrite the document that it reads, and writes where no fixtures are read", async () => {
  const folder = await temporaryFolder({
    "db.json": { users: [{ id: 1 }] },
    "a/tables/t.json": [],
  });
  const io = testIo({ cwd: folder.path });
  expect(await run(["generate", "users", "--out", "db.json", "--force"], io)).toBe(1);
  expect(io.err()).toContain('Cannot write "db.json": it would be read as part of the fixtures');
  expect(await run(["generate", "users", "-n", "1", "--out", "a/tables/users.json"], io)).toBe(0);
  expect(await run(["check", "a"], io)).toBe(0);
});

test.each([
  [["generate", "users", "--row", "3"]],
  [["generate", "users", "--seed", "x"]],
  [["generate"]],
])("points to its own help after %j", async (args) => {
  const { io } = await shop();
  expect(await run(args, io)).toBe(2);
  expect(io.err()).toContain("Run backlot generate --help for help.");
});

test("reads fixtures by the rules of the profile that it is told", async () => {
  const folder = await temporaryFolder({ "db.json": { users: [{ id: 1 }], Users: [{ id: 1 }] } });
  const io = testIo({ cwd: folder.path });
  const args = ["generate", "users", "-n", "1", "--out", "-"];
  expect(await run(args, io)).toBe(0);
  expect(await run([...args, "--tables-profile", "starbasedb"], io)).toBe(1);
  expect(await run(args, { ...io, env: { BACKLOT_TABLES_PROFILE: "starbasedb" } })).toBe(1);
  expect(io.err()).toContain('The names of the tables "users" and "Users" are the same');
});

test("never writes into the set that ships", async () => {
  const folder = await temporaryFolder();
  const io = testIo({ cwd: folder.path });
  expect(await run(["generate", "users"], io)).toBe(1);
  expect(io.err()).toContain("Cannot write into the built-in set. Run backlot init");
  expect(await run(["generate", "users", "-n", "1", "--out", "-"], io)).toBe(0);
});
