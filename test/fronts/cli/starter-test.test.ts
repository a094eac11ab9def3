import { readFile } from "node:fs/promises";
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
  return { code, io, read, path: folder.path };
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
  expect(JSON.parse(await read("package.json"))).toEqual({ scripts: { "test:backlot": line } });
  expect(io.out()).toContain(
    `created ${file}, a test for ${runner}\ncreated the script "test:backlot" in package.json\n\n` +
      "Next: npm run test:backlot\n",
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
  expect(io.out()).toContain("Next: npm install --save-dev backlot, then npm run test:backlot\n");
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
  expect(io.out()).toContain(`kept ${testFile}\nkept the script "test:backlot" in package.json\n`);
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
    '{\r\n    "private": true,\r\n    "scripts": {\r\n        "test:backlot": "node --test backlot.test.mjs"\r\n    }\r\n}\r\n',
  ],
])("keeps the form of a package.json %s", async (_, before, after) => {
  const { read } = await initProject([], { files: { "package.json": before } });
  expect(await read("package.json")).toBe(after);
});

test("writes nothing beside a package.json that is not JSON", async () => {
  const { code, io, read } = await initProject([], { files: { "package.json": "{" } });
  expect(code).toBe(1);
  expect(io.err()).toContain("Cannot read package.json: it is not valid JSON. Fix it");
  await expect(read("fixtures/config.json")).rejects.toThrow("ENOENT");
});

test("says which file cannot be written", async () => {
  const { code, io } = await initProject(["@playwright/test"], {
    files: { "playwright.config.ts": 'export default { testDir: "gone" }' },
  });
  expect(code).toBe(1);
  expect(io.err()).toContain(`Cannot write gone/${testFile}: there is no such folder. Fix it`);
});
