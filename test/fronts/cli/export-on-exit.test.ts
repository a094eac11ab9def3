import { chmod, mkdir, readdir, readFile, readlink, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run } from "../../../src/fronts/cli/run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { spawnBacklot } from "./backlot-process.ts";
import { addNote, execWithExport, notes } from "./exec-with-export.ts";
import { testIo, written } from "./test-io.ts";

test("exec writes what the command left behind, and exits with its code", async () => {
  const files = { "db.json": notes, "command.mjs": addNote("process.exit(3);") };
  const folder = await temporaryFolder(files);
  const io = testIo({ cwd: folder.path });
  expect(await run(execWithExport("after.json"), io)).toBe(3);
  const text = await readFile(join(folder.path, "after.json"), "utf8");
  expect(JSON.parse(text)).toMatchObject({
    tables: { notes: { rows: [{ id: 1 }, { id: 2, text: "second" }] } },
    state: { keys: { notes: 2 } },
  });
  expect(text).toBe(`${JSON.stringify(JSON.parse(text), undefined, 2)}\n`);
  expect([io.out(), io.err()]).toEqual(["", ""]);
  expect(await readFile(join(folder.path, "db.json"), "utf8")).toBe(JSON.stringify(notes));
});

test("what was written is served and checked as fixtures are", async () => {
  const files = { "db.json": notes, "command.mjs": addNote("") };
  const folder = await temporaryFolder(files);
  const io = testIo({ cwd: folder.path });
  await run(execWithExport("after.json"), io);
  expect(await run(["check", "after.json"], io)).toBe(0);
  await run(execWithExport("again.json", "after.json"), io);
  const again = JSON.parse(await readFile(join(folder.path, "again.json"), "utf8"));
  expect(again.tables.notes.rows).toHaveLength(3);
});

test("check says where a state is wrong", async () => {
  const state = '{\n  "tables": { "notes": [] },\n  "state": { "keys": { "nots": 1 } }\n}';
  const folder = await temporaryFolder({ "state.json": state });
  const io = testIo({ cwd: folder.path });
  expect(await run(["check", "state.json"], io)).toBe(1);
  expect(io.err()).toContain('state.json:3:24: There is no table "nots". Did you mean "notes"?');
});

test("start writes the state when it is stopped, and says so", async () => {
  const folder = await temporaryFolder({ "db.json": notes, "after.json": "old" });
  await chmod(join(folder.path, "after.json"), 0o622);
  const io = testIo({ cwd: folder.path });
  const exit = run(["--port", "0", "--export-on-exit", "after.json"], io);
  onTestFinished(() => io.stop());
  await written(io.out, /curl/);
  expect(await readFile(join(folder.path, "after.json"), "utf8")).toBe("old");
  io.stop();
  expect(await exit).toBe(0);
  expect(io.err()).toContain("wrote the state to after.json\n");
  expect(await readFile(join(folder.path, "after.json"), "utf8")).toContain('"first"');
  expect((await stat(join(folder.path, "after.json"))).mode & 0o777).toBe(0o622);
  expect((await readdir(folder.path)).toSorted()).toEqual(["after.json", "db.json"]);
});

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "start writes the state at %s",
  async (signal) => {
    const { path: cwd } = await temporaryFolder({ "db.json": notes });
    const args = ["--port", "0", "--log", "json", "--export-on-exit", "after.json"];
    const backlot = spawnBacklot(args, { cwd });
    await backlot.written(/"ready"/);
    backlot.signal(signal);
    expect(await backlot.exit).toBe(0);
    expect(await readFile(join(cwd, "after.json"), "utf8")).toContain('"first"');
  },
);

test.each([
  ["missing/after.json", "there is no such folder"],
  ["command.mjs/after.json", "its folder is a file"],
  ["empty", "it is a folder"],
  ["fixtures/after.json", "it belongs to the served fixtures"],
  ["fixtures/README.md", "it belongs to the served fixtures"],
  ["link/after.json", "it belongs to the served fixtures"],
  ["link.json", "it belongs to the served fixtures"],
  ["dangling.json", "it belongs to the served fixtures"],
  ["/dev/null", "it is not a plain file"],
])("refuses to export to %s before the command runs", async (file, says) => {
  const folder = await temporaryFolder({
    "fixtures/tables/notes.json": notes.notes,
    "command.mjs": 'import "node:fs"; process.exit(9);',
  });
  await mkdir(join(folder.path, "empty"));
  await symlink(join(folder.path, "fixtures"), join(folder.path, "link"));
  await symlink(join(folder.path, "fixtures/tables/notes.json"), join(folder.path, "link.json"));
  await symlink(join(folder.path, "fixtures/tables/new.json"), join(folder.path, "dangling.json"));
  const io = testIo({ cwd: folder.path });
  expect(await run(execWithExport(file), io)).toBe(1);
  expect(io.err()).toMatch(/^error: Cannot write "[^\n]*\n$/);
  expect(io.err()).toContain(says);
  expect(await readdir(join(folder.path, "fixtures"))).toEqual(["tables"]);
});

test("writes through a link to a file that is not there yet", async () => {
  const folder = await temporaryFolder({ "db.json": notes, "command.mjs": "" });
  await symlink("second.json", join(folder.path, "first.json"));
  await symlink("out/after.json", join(folder.path, "second.json"));
  await mkdir(join(folder.path, "out"));
  const io = testIo({ cwd: folder.path });
  expect(await run(execWithExport("first.json"), io)).toBe(0);
  expect(await readlink(join(folder.path, "first.json"))).toBe("second.json");
  expect(await readdir(join(folder.path, "out"))).toEqual(["after.json"]);
  expect(await readFile(join(folder.path, "first.json"), "utf8")).toContain('"first"');
});

test("what a profile lets in is served again from what was written", async () => {
  const folder = await temporaryFolder({
    "db.json": { profiles: { tables: "starbasedb" }, tables: { notes: [{ id: 1, n: 1 }] } },
    "command.mjs": addNote("").replace('text: "second"', 'n: "text"'),
  });
  const io = testIo({ cwd: folder.path });
  expect(await run(execWithExport("after.json"), io)).toBe(0);
  expect(await run(["check", "after.json"], io)).toBe(0);
  expect(await run(execWithExport("again.json", "after.json"), io)).toBe(0);
});

test("refuses to export to the file that is served", async () => {
  const folder = await temporaryFolder({ "db.json": notes });
  const io = testIo({ cwd: folder.path });
  expect(await run(["./db.json", "--export-on-exit", "db.json"], io)).toBe(1);
  expect(io.err()).toContain("it belongs to the served fixtures");
});

test("tells before the command runs what a document cannot say", async () => {
  const dump = "CREATE TABLE t (id INTEGER PRIMARY KEY, b BLOB DEFAULT x'00');";
  const folder = await temporaryFolder({ "app.sql": dump, "command.mjs": "process.exit(9);" });
  const io = testIo({ cwd: folder.path });
  expect(await run(execWithExport("after.json", "app.sql"), io)).toBe(1);
  expect(io.err()).toContain('the table "t" has a default that is a blob');
  expect(io.err()).toContain("Remove that from the fixtures, or do without the export.");
});

test.each([
  [0, 1],
  [3, 3],
])("a command that ends with %i and whose state cannot be written gives %i", async (own, code) => {
  const command = `
    import { mkdirSync } from "node:fs";
    mkdirSync("after.json");
    process.exit(${own});
  `;
  const folder = await temporaryFolder({ "db.json": notes, "command.mjs": command });
  const io = testIo({ cwd: folder.path });
  expect(await run(execWithExport("after.json"), io)).toBe(code);
  expect(io.err()).toBe(
    'error: Cannot write "after.json": it is a folder. Nothing was changed. Name another file.\n',
  );
});
