import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../../../src/fronts/cli/run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { testIo } from "./test-io.ts";

test("writes starter fixtures that are sound, and tells the next step", async () => {
  const folder = await temporaryFolder();
  const io = testIo({ cwd: folder.path });
  expect(await run(["init"], io)).toBe(0);
  expect(io.out()).toMatch(/^created \d+ files in fixtures\n\nNext: npx backlot start --watch\n$/);
  const copied = await readdir(join(folder.path, "fixtures"), { recursive: true });
  const shipped = await readdir(new URL("../../../fixtures", import.meta.url), { recursive: true });
  expect(copied.toSorted()).toEqual(shipped.toSorted());
  expect(await run(["check"], io)).toBe(0);
});

test("leaves out the reference to a schema that is not beside the copy", async () => {
  const folder = await temporaryFolder();
  await run(["init"], testIo({ cwd: folder.path }));
  const text = await readFile(join(folder.path, "fixtures/config.json"), "utf8");
  expect(JSON.parse(text)).toMatchObject({ AUTHORIZATION_TOKEN: "local-token" });
  expect(text).not.toContain("$schema");
});

test("writes into a folder that is named, and names it in the next step", async () => {
  const folder = await temporaryFolder({ "my shop/.keep": "" });
  await folder.remove("my shop/.keep");
  const io = testIo({ cwd: folder.path });
  expect(await run(["init", "my shop"], io)).toBe(0);
  expect(io.out()).toContain('Next: npx backlot start "my shop" --watch\n');
});

test("never overwrites", async () => {
  const folder = await temporaryFolder({ "fixtures/models.json": "[]" });
  const io = testIo({ cwd: folder.path });
  expect(await run(["init"], io)).toBe(1);
  expect(io.err()).toMatch(
    /^error: Cannot write fixtures to "fixtures": the folder is not empty.*\n$/,
  );
  expect(await readdir(join(folder.path, "fixtures"))).toEqual(["models.json"]);
});

test("refuses a path that is a file", async () => {
  const folder = await temporaryFolder({ fixtures: "mine" });
  const io = testIo({ cwd: folder.path });
  expect(await run(["init"], io)).toBe(1);
  expect(io.err()).toContain('Cannot write fixtures to "fixtures": it is not a folder.');
  expect(await readFile(join(folder.path, "fixtures"), "utf8")).toBe("mine");
});

test.skipIf(!existsSync("/proc/self"))("refuses a folder that takes none, at once", async () => {
  const io = testIo();
  expect(await run(["init", "/proc/backlot/shop"], io)).toBe(1);
  // Who may write everywhere is told another reason than others are.
  expect(io.err()).toMatch(
    /^error: Cannot write fixtures to "\/proc\/backlot\/shop": (?:a folder cannot be created there|access is denied)\. Name/,
  );
});

test("writes into a folder of folders that are not there yet", async () => {
  const folder = await temporaryFolder();
  expect(await run(["init", "a/b/c"], testIo({ cwd: folder.path }))).toBe(0);
  expect(await readdir(join(folder.path, "a/b/c"))).toContain("config.json");
});
