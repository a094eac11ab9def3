import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../../../src/fronts/cli/run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { testIo } from "./test-io.ts";

const testFile = "backlot.test.mjs";
const template = (name: string): Promise<string> =>
  readFile(new URL(`../../../templates/${name}`, import.meta.url), "utf8");

/** Runs `init` in a project where packages are installed. */
async function initProject(
  packages: readonly string[],
  { args = [], files = {} }: { args?: string[]; files?: Record<string, unknown> } = {},
) {
  const installed = packages.map((name) => [`node_modules/${name}/package.json`, {}]);
  const all = { "package.json": {}, ...Object.fromEntries(installed), ...files };
  const folder = await temporaryFolder(all);
  const io = testIo({ cwd: folder.path });
  const code = await run(["init", ...args], io);
  const read = (path: string): Promise<string> => readFile(join(folder.path, path), "utf8");
  return { ...folder, code, io, read };
}

const jest =
  'node --experimental-vm-modules node_modules/jest/bin/jest.js --config {} --testMatch "**/backlot.jest.mjs"';
const playwright = 'backlot exec "fixtures" -- playwright test backlot.test.mjs';

test.each([
  [["vitest", "@playwright/test"], "vitest.mjs", ["Vitest", testFile, `vitest run ${testFile}`]],
  [["jest", "@playwright/test"], "jest.mjs", ["Jest", "backlot.jest.mjs", jest]],
  [["@playwright/test"], "playwright.mjs", ["Playwright", testFile, playwright]],
  [[], "node-test.mjs", ["node:test", testFile, `node --test ${testFile}`]],
])("where %j are installed writes the test %s, and a script", async (packages, name, wanted) => {
  const { code, io, read } = await initProject(["backlot", ...packages]);
  const [runner, file = "", line] = wanted;
  expect(code).toBe(0);
  expect(await read(file)).toBe(await template(name));
  expect(JSON.parse(await read("package.json"))).toEqual({
    scripts: { test: "npm run test:backlot", "test:backlot": line },
  });
  expect(io.out()).toContain(
    `created ${file}, a test for ${runner}\ncreated the scripts "test" and "test:backlot" in package.json\n\n` +
      "Next: npm test\n",
  );
});

test("finds a runner that a folder above has, and says that Backlot itself is missing", async () => {
  const { path } = await initProject(["jest"], { files: { "apps/shop/package.json": {} } });
  const cwd = join(path, "apps/shop");
  const io = testIo({ cwd });
  expect(await run(["init"], io)).toBe(0);
  expect(await readFile(join(cwd, "package.json"), "utf8")).toContain(
    " ../../node_modules/jest/bin/jest.js ",
  );
  expect(io.out()).toContain("Next: npm install --save-dev backlot, then npm test\n");
});

test("puts a test of Playwright where its configuration says that tests are", async () => {
  const config = 'export default defineConfig({\n  testDir: "./e2e",\n});\n';
  const { io, read } = await initProject(["@playwright/test"], {
    files: { "playwright.config.ts": config, "e2e/.keep": "" },
  });
  expect(await read(`e2e/${testFile}`)).toBe(await template("playwright.mjs"));
  expect(io.out()).toContain(`created e2e/${testFile}, a test for Playwright\n`);
});

test("names the fixtures in the test and in the script, as they were named", async () => {
  const { read } = await initProject(["vitest"], { args: ["my shop"] });
  expect(await read(testFile)).toContain('loadFixtures("my shop")');
  const other = await initProject(["@playwright/test"], { args: ["my shop"] });
  const { scripts } = JSON.parse(await other.read("package.json"));
  expect(scripts["test:backlot"]).toContain('backlot exec "my shop" -- playwright');
});

test("changes no test and no script that is there", async () => {
  const manifest = '{"scripts":{"test:backlot":"mine"}}';
  const files = { [testFile]: "mine", "package.json": manifest };
  const { io, read } = await initProject([], { files });
  expect([await read(testFile), await read("package.json")]).toEqual(["mine", manifest]);
  expect(io.out()).toContain(
    `kept ${testFile}, which is yours\nkept the script "test:backlot" in package.json\n`,
  );
});

test.each([
  [
    "with tabs",
    '{\n\t"private": true,\n\t"scripts": {\n\t\t"test": "x"\n\t}\n}\n',
    '{\n\t"private": true,\n\t"scripts": {\n\t\t"test": "x",\n\t\t"test:backlot": "node --test backlot.test.mjs"\n\t}\n}\n',
  ],
  [
    "with lines of Windows and no scripts",
    '{\r\n    "private": true\r\n}\r\n',
    '{\r\n    "private": true,\r\n    "scripts": {\r\n        "test": "npm run test:backlot",\r\n        "test:backlot": "node --test backlot.test.mjs"\r\n    }\r\n}\r\n',
  ],
])("keeps the form of a package.json %s", async (_, before, after) => {
  const { read } = await initProject([], { files: { "package.json": before } });
  expect(await read("package.json")).toBe(after);
});

test("writes nothing beside a package.json that is not JSON", async () => {
  const { code, io, read } = await initProject([], { files: { "package.json": "{" } });
  expect(code).toBe(1);
  expect(io.err()).toContain("Cannot read package.json: it is not valid JSON. Fix that");
  await expect(read("fixtures/models.json")).rejects.toThrow("ENOENT");
});

test("makes the folder of Playwright's tests where it is not there yet", async () => {
  const { code, read } = await initProject(["@playwright/test"], {
    files: { "playwright.config.ts": 'export default { testDir: "e2e/backlot" }' },
  });
  expect(code).toBe(0);
  expect(await read(`e2e/backlot/${testFile}`)).toBe(await template("playwright.mjs"));
});

test("says which file cannot be written, and goes on from there the next time", async () => {
  const { code, io, path, remove } = await initProject([], { files: { [`${testFile}/x`]: "" } });
  expect(code).toBe(1);
  expect(io.err()).toContain(`Cannot write ${testFile}: it is a folder. Fix that and run`);
  await remove(testFile);
  const again = testIo({ cwd: path });
  expect(await run(["init"], again)).toBe(0);
  expect(again.out()).toContain(`created ${testFile}, a test for node:test\n`);
  expect(again.out()).toContain("Next: npm install --save-dev backlot, then npm test\n");
});

test("changes nothing the second time, and tells the same next step", async () => {
  const { path, read } = await initProject(["backlot"]);
  const before = await read("package.json");
  const again = testIo({ cwd: path });
  expect(await run(["init"], again)).toBe(0);
  expect(again.out()).not.toMatch(/created|completed/);
  expect(again.out()).toContain("\n\nNext: npm test\n");
  expect(await read("package.json")).toBe(before);
});

const placeholder = 'echo "Error: no test specified" && exit 1';

test.each([
  ["takes the place of npm's own script that fails", placeholder, "npm run test:backlot"],
  ["leaves the script of the project's tests alone", "mocha", "mocha"],
])("%s", async (_, before, after) => {
  const manifest = { scripts: { test: before } };
  const { io, read } = await initProject(["backlot"], { files: { "package.json": manifest } });
  const { scripts } = JSON.parse(await read("package.json"));
  expect(scripts).toEqual({ test: after, "test:backlot": `node --test ${testFile}` });
  expect(io.out()).toContain(
    before === after ? "Next: npm run test:backlot\n" : "Next: npm test\n",
  );
});

test.each([
  ["pnpm-lock.yaml", "pnpm add --save-dev backlot, then pnpm test", "pnpm run test:backlot"],
  ["yarn.lock", "yarn add --dev backlot, then yarn test", "yarn run test:backlot"],
  ["bun.lock", "bun add --dev backlot, then bun run test", "bun run test:backlot"],
  ["bun.lockb", "bun add --dev backlot, then bun run test", "bun run test:backlot"],
  ["package-lock.json", "npm install --save-dev backlot, then npm test", "npm run test:backlot"],
])("beside %s names the commands of its package manager", async (lockfile, next, script) => {
  const { io, read } = await initProject([], { files: { [lockfile]: "" } });
  expect(io.out()).toContain(`Next: ${next}\n`);
  expect(JSON.parse(await read("package.json")).scripts.test).toBe(script);
});

test("takes a runner that is listed and not installed yet", async () => {
  const manifest = { devDependencies: { vitest: "^4.0.0", backlot: "*" } };
  const { io, read } = await initProject([], { files: { "package.json": manifest } });
  expect(await read(testFile)).toBe(await template("vitest.mjs"));
  expect(io.out()).toContain("Next: npm test\n");
});

test.each([
  ["an array", "[]", "it is not a JSON object"],
  ["empty", "", "it is not valid JSON"],
  ["with scripts that are none", '{"scripts":["a"]}', '"scripts" is not an object'],
])("writes nothing beside a package.json that is %s", async (_, text, reason) => {
  const { code, io, path } = await initProject([], { files: { "package.json": text } });
  expect(code).toBe(1);
  expect(io.err()).toBe(
    `error: Cannot read package.json: ${reason}. Fix that and run backlot init again.\n`,
  );
  expect(await readdir(path)).toEqual(["package.json"]);
});

test("reads a package.json with a byte order mark", async () => {
  const { code } = await initProject([], { files: { "package.json": '\uFEFF{"name":"a"}' } });
  expect(code).toBe(0);
});
