import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../../../src/fronts/cli/run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { type TestIo, testIo } from "./test-io.ts";

const minimal = ["chats/shop.json", "models.json", "tables/products.json"];

/** Runs `init` in a folder. */
async function init(cwd: string, ...args: string[]): Promise<{ code: number; io: TestIo }> {
  const io = testIo({ cwd });
  return { code: await run(["init", ...args], io), io };
}

/** The files of a folder, by their paths. */
async function filesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  const read = paths.map(async (path) => [
    path.slice(folder.length + 1).replaceAll("\\", "/"),
    await readFile(path, "utf8"),
  ]);
  return Object.fromEntries(await Promise.all(read));
}

test("writes a minimal start into an empty folder, names each file, and tells the next step", async () => {
  const { path } = await temporaryFolder();
  const { code, io } = await init(path);
  expect(code).toBe(0);
  const created = minimal.map((name) => `created ${join("fixtures", name)}\n`).join("");
  expect(io.out()).toBe(
    `${created}left out a test: there is no package.json here. npm install --save-dev backlot makes one\n` +
      "\nNext: npx backlot start --watch\n",
  );
  expect(Object.keys(await filesOf(path)).toSorted()).toEqual(
    minimal.map((name) => `fixtures/${name}`),
  );
});

test("the minimal start has a table of three rows, a model and two scripts, and is sound", async () => {
  const { path } = await temporaryFolder();
  await init(path);
  const io = testIo({ cwd: path });
  expect(await run(["check"], io)).toBe(0);
  expect(io.out()).toBe("ok  fixtures: 1 table (3 rows), 1 model, 2 scripts\n");
});

test("writes the whole shop when it is asked for, without a reference to a schema that is elsewhere", async () => {
  const { path } = await temporaryFolder();
  expect((await init(path, "--example", "shop")).code).toBe(0);
  const copied = await filesOf(join(path, "fixtures"));
  const shipped = await readdir(new URL("../../../fixtures", import.meta.url), {
    recursive: true,
    withFileTypes: true,
  });
  expect(Object.keys(copied)).toHaveLength(shipped.filter((entry) => entry.isFile()).length);
  const config = copied["config.json"] ?? "";
  expect(JSON.parse(config)).toMatchObject({ AUTHORIZATION_TOKEN: "local-token" });
  expect(config).not.toContain("$schema");
  const io = testIo({ cwd: path });
  expect(await run(["check"], io)).toBe(0);
  expect(io.out()).toContain("3 tables");
});

test("refuses an example that there is not, names the nearest, and writes nothing", async () => {
  const { path } = await temporaryFolder();
  const { code, io } = await init(path, "--example", "shp");
  expect(code).toBe(2);
  expect(io.err()).toContain('Allowed choices are shop. Did you mean "shop"?');
  expect(await readdir(path)).toEqual([]);
});

test("writes into a folder that is named, and names it in the next step", async () => {
  const { path } = await temporaryFolder({ "my shop/.keep": "" });
  const { code, io } = await init(path, "my shop");
  expect(code).toBe(0);
  expect(io.out()).toContain('Next: npx backlot start "my shop" --watch\n');
});

test("writes into a folder of folders that are not there yet", async () => {
  const { path } = await temporaryFolder();
  expect((await init(path, "a/b/c")).code).toBe(0);
  expect(await readdir(join(path, "a/b/c"))).toContain("models.json");
});

test.each([[[]], [["--example", "shop"]]])(
  "changes nothing the second time, with %j",
  async (args) => {
    const { path } = await temporaryFolder();
    await init(path, ...args);
    const before = await filesOf(path);
    const { code, io } = await init(path, ...args);
    expect(code).toBe(0);
    expect(io.out()).toContain(`kept ${join("fixtures", "models.json")}\n`);
    expect(io.out()).not.toContain("created");
    expect(await filesOf(path)).toEqual(before);
  },
);

test("adds to fixtures that are there, and leaves them as they are", async () => {
  const mine = {
    "fixtures/models.json": '[{"id":"mine"}]',
    "fixtures/tables/users.json": '[{"id":1}]',
    "fixtures/notes.md": "mine",
  };
  const { path } = await temporaryFolder({ ...mine, "README.md": "mine" });
  const { code, io } = await init(path);
  expect(code).toBe(0);
  expect(await filesOf(path)).toMatchObject(mine);
  expect(io.out()).toContain(`kept ${join("fixtures", "models.json")}, which is yours\n`);
  expect(io.out()).toContain(`created ${join("fixtures", "tables", "products.json")}\n`);
  expect(await run(["check"], testIo({ cwd: path }))).toBe(0);
});

test("takes a file with comments for the one without", async () => {
  const { path } = await temporaryFolder({ "fixtures/models.jsonc": "[] // none" });
  expect((await init(path)).code).toBe(0);
  expect(await readdir(join(path, "fixtures"))).not.toContain("models.json");
  expect(await run(["check"], testIo({ cwd: path }))).toBe(0);
});

test.each([
  ["a script of the same name", "chats/tea.json", '{"name":"cheapest","reply":{"content":"a"}}'],
  ["a table of the same name", "tables/mine.sql", "CREATE TABLE products (id INTEGER);"],
  ["a file that is none of fixtures", "photo.png", "mine"],
  ["a mistake", "tables/mine.json", '{"colums":{}}'],
])("writes nothing into a folder that would not load then, for %s", async (_, name, text) => {
  const { path } = await temporaryFolder({ [`fixtures/${name}`]: text });
  const { code, io } = await init(path);
  expect(code).toBe(1);
  expect(io.err()).toContain('Cannot add fixtures to "fixtures"');
  expect(io.err()).toContain(`fixtures/${name}`);
  expect(await filesOf(path)).toEqual({ [`fixtures/${name}`]: text });
});

test.each([[[]], [["--example", "shop"]]])(
  "completes what a run left that was interrupted after any file or within one, with %j",
  async (args) => {
    const whole = await temporaryFolder();
    await init(whole.path, ...args);
    const files = await filesOf(whole.path);
    const names = Object.keys(files);
    for (const [at, last] of names.entries()) {
      const left = Object.fromEntries(names.slice(0, at).map((name) => [name, files[name]]));
      const text = files[last] ?? "";
      const cut = at % 2 === 0 ? text.slice(0, text.length / 2) : "";
      const { path } = await temporaryFolder({ ...left, [last]: cut });
      const { code, io } = await init(path, ...args);
      expect(code).toBe(0);
      expect(io.out()).toContain(`completed ${join(last)}, of which only the beginning`);
      expect(await filesOf(path)).toEqual(files);
    }
  },
);

test("completes a file that was cut within a character", async () => {
  const { path } = await temporaryFolder();
  await init(path, "--example", "shop");
  const file = join(path, "fixtures/tables/users.json");
  const bytes = await readFile(file);
  await writeFile(file, bytes.subarray(0, bytes.indexOf("ë") + 1));
  expect((await init(path, "--example", "shop")).io.out()).toContain("completed");
  expect(await readFile(file)).toEqual(bytes);
});

test("stops at what is in the way, names it, and completes the rest when that is gone", async () => {
  const folder = await temporaryFolder({ "package.json": {}, "fixtures/tables": "a file" });
  const first = await init(folder.path);
  expect(first.code).toBe(1);
  expect(first.io.err()).toContain("run the command again");
  await folder.remove("fixtures/tables");
  const second = await init(folder.path);
  expect(second.code).toBe(0);
  expect(await readdir(folder.path)).toContain("backlot.test.mjs");
  expect(await run(["check"], testIo({ cwd: folder.path }))).toBe(0);
});

test("refuses a path that is a file", async () => {
  const { path } = await temporaryFolder({ fixtures: "mine" });
  const { code, io } = await init(path);
  expect(code).toBe(1);
  expect(io.err()).toContain('Cannot write fixtures to "fixtures": it is not a folder.');
  expect(await readFile(join(path, "fixtures"), "utf8")).toBe("mine");
});

test.skipIf(!existsSync("/proc/self"))("refuses a folder that takes none, at once", async () => {
  const { code, io } = await init("/nowhere", "/proc/backlot/shop");
  expect(code).toBe(1);
  // Who may write everywhere is told another reason than others are.
  expect(io.err()).toMatch(
    /^error: Cannot write fixtures to "\/proc\/backlot\/shop": (?:a folder cannot be created there|access is denied)\. Fix/,
  );
});
