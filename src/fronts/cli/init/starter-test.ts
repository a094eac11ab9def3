import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { packageRoot } from "../../node/package-root.ts";
import type { Io } from "../io.ts";
import { styleFor } from "../../node/terminal-style.ts";
import { addScripts, hasPackage, packageFolder, type Project, refuse } from "./project.ts";
import { report } from "./report.ts";
import { writeOnce } from "./write-once.ts";

/** A test, and the command that runs it. */
interface StarterTest {
  readonly runner: string;
  /** The file in the package's folder `templates`. */
  readonly template: string;
  /** Relative to the project. */
  readonly path: string;
  readonly command: string;
}

/** The script that runs the test, and the project's usual test script. */
const ownScript = "test:backlot";
const usualScript = "test";

/**
 * Writes a test for the test runner that is installed in a project, and scripts that run it. Existing files and scripts
 * are kept. Resolves with the next command.
 */
export async function writeStarterTest(
  project: Project,
  fixtures: string,
  io: Io,
): Promise<string> {
  const { runner, template, path, command } = await starterTestFor(project, fixtures);
  const text = await readFile(join(packageRoot, "templates", template), "utf8");
  const named = text.replace('"fixtures"', JSON.stringify(fixtures));
  const present = await writeOnce(join(project.folder, path), named).catch(refuse("write", path));
  report(path, present, io, `, a test for ${runner}`);
  const script = await writeScripts(project, command, io);
  const { add, run, test } = project.manager;
  const next = script === usualScript ? test : `${run} ${script}`;
  return hasPackage(project, "backlot") ? next : `${add} backlot, then ${next}`;
}

/**
 * Adds a script for the test, and also makes it the project's `test` if that is not set. Resolves with the name of the
 * script to run.
 */
async function writeScripts(project: Project, command: string, io: Io): Promise<string> {
  const { green, dim } = styleFor(io.stdout, io.env);
  const { scripts, manager } = project;
  const runsOwn = `${manager.run} ${ownScript}`;
  if (scripts[ownScript] !== undefined) {
    io.stdout.write(`${dim("kept")} the script "${ownScript}" in package.json\n`);
    return scripts[usualScript] === runsOwn ? usualScript : ownScript;
  }
  const isUsual = isUnset(scripts[usualScript]);
  const usual = isUsual ? { [usualScript]: runsOwn } : {};
  await addScripts(project, { ...usual, [ownScript]: command });
  const what = isUsual ? `scripts "${usualScript}" and "${ownScript}"` : `script "${ownScript}"`;
  io.stdout.write(`${green("created")} the ${what} in package.json\n`);
  return isUsual ? usualScript : ownScript;
}

/** Whether a project has no such script, or only the one of `npm init`, which fails. */
function isUnset(script: unknown): boolean {
  if (typeof script !== "string") return script === undefined;
  return script === "" || /^echo .*no test specified/.test(script);
}

async function starterTestFor(project: Project, fixtures: string): Promise<StarterTest> {
  const path = "backlot.test.mjs";
  if (hasPackage(project, "vitest")) {
    return { runner: "Vitest", template: "vitest.mjs", path, command: `vitest run ${path}` };
  }
  if (hasPackage(project, "jest")) {
    // Jest runs ES modules only with this flag. The project's configuration and its other runs must not include the
    // test.
    const jest = packageFolder("jest", project.folder) ?? join(project.folder, "node_modules/jest");
    const bin = relative(project.folder, join(jest, "bin/jest.js")).replaceAll("\\", "/");
    const own = "backlot.jest.mjs";
    const command = `node --experimental-vm-modules ${bin} --config {} --testMatch "**/${own}"`;
    return { runner: "Jest", template: "jest.mjs", path: own, command };
  }
  if (hasPackage(project, "@playwright/test")) {
    const command = `backlot exec ${JSON.stringify(fixtures)} -- playwright test ${path}`;
    const placed = join(await playwrightFolder(project.folder), path);
    return { runner: "Playwright", template: "playwright.mjs", path: placed, command };
  }
  return { runner: "node:test", template: "node-test.mjs", path, command: `node --test ${path}` };
}

/** The folder where Playwright looks for tests: the `testDir` of its configuration. */
async function playwrightFolder(cwd: string): Promise<string> {
  const names = await readdir(cwd);
  const config = names.find((name) => /^playwright\.config\.[cm]?[jt]s$/.test(name));
  const text = config === undefined ? "" : await readFile(join(cwd, config), "utf8");
  return /\btestDir:\s*["'`]([^"'`]+)/.exec(text)?.[1] ?? "";
}
