import { execFile } from "node:child_process";
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const vitestBin = join(root, "node_modules/vitest/vitest.mjs");

/** A program that runs a test file by vitest, in place of another runner. */
function standInFor(file: string): string {
  return `#!/usr/bin/env node
const { spawnSync } = require("node:child_process");
const args = ["run", "--config", "stand-in.config.mjs"];
const { status } = spawnSync(process.execPath, [${JSON.stringify(vitestBin)}, ...args], { stdio: "inherit" });
process.exit(process.argv.slice(2).join(" ").includes("${file}") ? status : 1);
`;
}

function standInPackage(name: "jest" | "playwright"): string {
  return `export * from ${JSON.stringify(join(root, "test/support/runners", `${name}.mjs`))};`;
}

const config = (file: string): string => `export default { test: { include: ["${file}"] } };`;
const isModule = '{"type":"module","exports":"./index.js"}';

/** What a project has besides the installed package, by the path of each file or link. */
const projects = {
  "node:test": {},
  Vitest: {
    "node_modules/vitest": join(root, "node_modules/vitest"),
    "node_modules/.bin/vitest": vitestBin,
  },
  Jest: {
    "stand-in.config.mjs": config("backlot.jest.mjs"),
    "node_modules/jest/bin/jest.js": standInFor("backlot.jest.mjs"),
    "node_modules/@jest/globals/package.json": isModule,
    "node_modules/@jest/globals/index.js": standInPackage("jest"),
  },
  Playwright: {
    "stand-in.config.mjs": config("backlot.test.mjs"),
    "node_modules/.bin/playwright": standInFor("backlot.test.mjs"),
    "node_modules/@playwright/test/package.json": isModule,
    "node_modules/@playwright/test/index.js": standInPackage("playwright"),
  },
};

/** Writes a project that has the packed package, its dependencies, and some files and links. */
async function makeProject(files: Readonly<Record<string, string>>): Promise<string> {
  const { path } = await temporaryFolder({ "package.json": { private: true } });
  const installed = join(inject("installed"), "node_modules");
  cpSync(installed, join(path, "node_modules"), { recursive: true, verbatimSymlinks: true });
  for (const [name, content] of Object.entries(files)) {
    const place = join(path, name);
    mkdirSync(dirname(place), { recursive: true });
    if (content.startsWith(root)) symlinkSync(content, place);
    else writeFileSync(place, content, { mode: 0o755 });
  }
  return path;
}

test.each(Object.entries(projects))(
  "the test that init writes for %s passes by its script, with the small fixtures and with the shop's",
  async (runner, files: Readonly<Record<string, string>>) => {
    const cwd = await makeProject(files);
    const { FORCE_COLOR: _, ...env } = process.env;
    const run = (...args: string[]) =>
      promisify(execFile)("npm", args, { cwd, env: { ...env, NO_COLOR: "1" } });
    const passes = runner === "node:test" ? /. pass 2\b/ : /Tests\s+[12] passed/;
    const { stdout } = await run("exec", "--", "backlot", "init");
    expect(stdout).toContain(`a test for ${runner}\n`);
    expect(stdout).toContain("Next: npm test\n");
    expect((await run("test")).stdout).toMatch(passes);
    rmSync(join(cwd, "fixtures"), { recursive: true });
    await run("exec", "--", "backlot", "init", "--example", "shop");
    expect((await run("run", "test:backlot")).stdout).toMatch(passes);
  },
);
