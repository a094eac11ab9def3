import { readdir, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { copyWorkers } from "../../../src/fronts/cli/init/copy-workers.ts";
import { run } from "../../../src/fronts/cli/run.ts";
import { temporaryFolder, type TemporaryFolder } from "../../support/temporary-folder.ts";
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
  const modules = fileURLToPath(new URL("../../../node_modules", import.meta.url));
  await symlink(modules, join(folder.path, "node_modules"), "junction");
  const text = (): Promise<string> => readFile(join(folder.path, name), "utf8");
  return { ...folder, io: testIo({ cwd: folder.path }), text };
}

test("copies the script of the msw that is installed, besides the fixtures", async () => {
  const { io, path, text } = await project();
  expect(await run(["init", "--worker", "public"], io)).toBe(0);
  expect(await text()).toBe(script);
  expect(io.out()).toContain(`created ${name}, the script of msw ${version}\n`);
  expect(await readdir(join(path, "fixtures"))).toContain("models.json");
});

test("leaves fixtures alone that are there", async () => {
  const { io, path, text } = await project({ "fixtures/models.json": [] });
  expect(await run(["init", "--worker", "public"], io)).toBe(0);
  expect(await text()).toBe(script);
  expect(await readdir(join(path, "fixtures"))).toEqual(["models.json"]);
});

test("completes fixtures that an interrupted run has left, and writes the test", async () => {
  const { io, path } = await project({ "fixtures/models.json": "[{" });
  expect(await run(["init", "--worker", "public"], io)).toBe(0);
  expect(io.out()).toContain("completed fixtures/models.json");
  expect(await readdir(join(path, "fixtures"))).toEqual(["chats", "models.json", "tables"]);
  expect(await readdir(path)).toContain("backlot.test.mjs");
});

test("needs no package.json", async () => {
  const { path, remove } = await project();
  await remove("package.json");
  expect(await run(["init", "--worker", "public"], testIo({ cwd: path }))).toBe(0);
  expect((await readdir(path)).toSorted()).toEqual(["fixtures", "node_modules", "public"]);
});

test("changes nothing the second time", async () => {
  const { path } = await project();
  await run(["init", "--worker", "public"], testIo({ cwd: path }));
  const again = testIo({ cwd: path });
  expect(await run(["init", "--worker", "public"], again)).toBe(0);
  expect(again.out()).toContain(`kept ${name}`);
  expect(again.out()).not.toMatch(/created|replaced|completed/);
});

test("writes fixtures beside others when they are named", async () => {
  const { io, path } = await project({ "fixtures/tables/users.json": [] });
  expect(await run(["init", "fixtures", "--worker", "public"], io)).toBe(0);
  expect(await readdir(join(path, "fixtures/tables"))).toEqual(["products.json", "users.json"]);
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

const older = "/* backlot-worker 0.0.1 */ old();";
const current = "/* backlot-worker 0.0.2 */ now();";

test("copies our own script and its parts, and says what msw's would need", async () => {
  const folder = await temporaryFolder({
    "package.json": {},
    "built/backlot-worker.js": current,
    "built/backlot-worker/chat.js": current,
    "public/backlot-worker.js": older,
  });
  const io = testIo({ cwd: folder.path });
  const ownFolder = join(folder.path, "built");
  await copyWorkers("public", { force: false, ownFolder }, io);
  const read = (path: string): Promise<string> => readFile(join(folder.path, path), "utf8");
  expect(await read("public/backlot-worker.js")).toBe(current);
  expect(await read("public/backlot-worker/chat.js")).toBe(current);
  expect(io.out()).toContain(
    "replaced public/backlot-worker.js, the script of backlot/worker 0.0.2, in place of 0.0.1\n",
  );
  expect(io.out()).toContain("npm install --save-dev msw");
});

test("says what to do where there is neither msw nor a build", async () => {
  const folder = await temporaryFolder({ "package.json": {} });
  const io = testIo({ cwd: folder.path });
  const copying = copyWorkers("public", { force: false, ownFolder: folder.path }, io);
  await expect(copying).rejects.toThrow(/npm run build.*npm install --save-dev msw/);
  expect(await readdir(folder.path)).toEqual(["package.json"]);
});

test.each([
  ["a folder that is a file", "its folder is a file", { public: "a file" }],
  ["a script that is a folder", "it is a folder", { [`${name}/x`]: "" }],
])("refuses %s", async (_, reason, files) => {
  const { io } = await project(files);
  expect(await run(["init", "--worker", "public"], io)).toBe(1);
  expect(io.err()).toContain(`: ${reason}. Name another folder`);
});

test("refuses to overwrite fixtures by force", async () => {
  const { io, path } = await project();
  expect(await run(["init", "--force"], io)).toBe(2);
  expect(io.err()).toContain("fixtures are never overwritten");
  expect(await readdir(path)).not.toContain("fixtures");
});
