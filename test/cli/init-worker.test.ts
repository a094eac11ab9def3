import { readdir, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { run } from "../../src/cli/run.ts";
import { temporaryFolder, type TemporaryFolder } from "../support/temporary-folder.ts";
import { type TestIo, testIo } from "./test-io.ts";

const script = await readFile(
  createRequire(import.meta.url).resolve("msw/mockServiceWorker.js"),
  "utf8",
);
const name = "public/mockServiceWorker.js";
const version = /PACKAGE_VERSION = '([^']+)'/.exec(script)?.[1];

interface Project extends TemporaryFolder {
  readonly io: TestIo;
  readonly text: () => Promise<string>;
}

/** A project that has msw. */
async function project(files: Readonly<Record<string, unknown>> = {}): Promise<Project> {
  const folder = await temporaryFolder({ "package.json": {}, ...files });
  const modules = fileURLToPath(new URL("../../node_modules", import.meta.url));
  await symlink(modules, join(folder.path, "node_modules"), "junction");
  const text = (): Promise<string> => readFile(join(folder.path, name), "utf8");
  return { ...folder, io: testIo({ cwd: folder.path }), text };
}

test("copies the script of the msw that is installed, besides the fixtures", async () => {
  const { io, path, text } = await project();
  expect(await run(["init", "--worker", "public"], io)).toBe(0);
  expect(await text()).toBe(script);
  expect(io.out()).toContain(`created ${name}, the script of msw ${version}\n`);
  expect(await readdir(join(path, "fixtures"))).toContain("config.json");
});

test("leaves fixtures alone that are there", async () => {
  const { io, path, text } = await project({ "fixtures/models.json": [] });
  expect(await run(["init", "--worker", "public"], io)).toBe(0);
  expect(await text()).toBe(script);
  expect(await readdir(join(path, "fixtures"))).toEqual(["models.json"]);
});

test("replaces a script of another version, and says which", async () => {
  const older = script.replace(`'${version}'`, "'2.0.1'");
  const { io, text } = await project({ [name]: older });
  expect(await run(["init", "--worker", "public"], io)).toBe(0);
  expect(await text()).toBe(script);
  expect(io.out()).toContain(`replaced ${name}, the script of msw ${version}, in place of 2.0.1`);
});

test("keeps a script that is the same", async () => {
  const { io } = await project({ [name]: script });
  expect(await run(["init", "--worker", "public"], io)).toBe(0);
  expect(io.out()).toContain(`kept ${name}, the script of msw ${version}`);
});

test("writes over a foreign file only when it is told to", async () => {
  const { io, text } = await project({ [name]: "mine", "fixtures/models.json": [] });
  expect(await run(["init", "--worker", "public"], io)).toBe(1);
  expect(io.err()).toContain("the file there is not msw's");
  expect(await text()).toBe("mine");
  expect(await run(["init", "--worker", "public", "--force"], io)).toBe(0);
  expect(await text()).toBe(script);
});

test("says what to install where there is no msw", async () => {
  const folder = await temporaryFolder({ "package.json": {} });
  const io = testIo({ cwd: folder.path });
  expect(await run(["init", "--worker", "public"], io)).toBe(1);
  expect(io.err()).toContain("npm install --save-dev msw");
  expect(await readdir(folder.path)).toEqual(["package.json"]);
});

test.each([
  ["a folder that is a file", { public: "a file" }],
  ["a script that is a folder", { [`${name}/x`]: "" }],
])("refuses %s", async (_, files) => {
  const { io } = await project(files);
  expect(await run(["init", "--worker", "public"], io)).toBe(1);
  expect(io.err()).toContain("something else is in the way");
});

test("refuses to overwrite fixtures by force", async () => {
  const { io, path } = await project();
  expect(await run(["init", "--force"], io)).toBe(1);
  expect(io.err()).toContain("Cannot use --force without --worker");
  expect(await readdir(path)).not.toContain("fixtures");
});
