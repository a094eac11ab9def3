import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { type EmulatorError, invalidOption } from "../../../core/errors/emulator-error.ts";
import { packageRoot } from "../../node/package-root.ts";
import { replaceFile } from "../../node/replace-file.ts";
import { type Io, styleFor } from "../io.ts";
import { realPath, writeReason } from "../write-file.ts";

/** A project's package.json. */
interface Project {
  readonly text: string;
  readonly manifest: { readonly scripts?: Readonly<Record<string, string>> };
}

/** The project in a folder. Undefined without a package.json. Rejects with `ERR_OPTION_INVALID` if that is not JSON. */
export async function readProject(cwd: string): Promise<Project | undefined> {
  const path = join(cwd, "package.json");
  if (!existsSync(path)) return undefined;
  const text = await readFile(path, "utf8").catch(refuse("read", "package.json"));
  try {
    return { text, manifest: JSON.parse(text) };
  } catch {
    throw refusal("Cannot read package.json: it is not valid JSON");
  }
}

function refuse(verb: "read" | "write", file: string): (cause: unknown) => never {
  return (cause) => {
    throw refusal(`Cannot ${verb} ${file}: ${writeReason(cause)}`);
  };
}

function refusal(message: string): EmulatorError {
  const advice = "Fix it, or run backlot init in another folder.";
  return invalidOption(`${message}. ${advice}`);
}

const scriptName = "test:backlot";

/** A test, and the command that runs it. */
interface StarterTest {
  readonly runner: string;
  /** The file in the package's folder `templates`. */
  readonly template: string;
  /** Relative to the project. */
  readonly path: string;
  readonly command: string;
}

/**
 * Writes a test for the runner that is installed in a project, and a script that runs it. What is there stays as it
 * is. Resolves with the next command.
 */
export async function writeStarterTest(
  project: Project,
  fixtures: string,
  { cwd, stdout, env }: Io,
): Promise<string> {
  const { green, dim } = styleFor(stdout, env);
  const tell = (isNew: boolean, what: string): void =>
    stdout.write(`${isNew ? green("created") : dim("kept")} ${what}\n`);
  const { runner, template, path, command } = await starterTestFor(cwd, fixtures);
  const text = await readFile(join(packageRoot, "templates", template), "utf8");
  const isNew = !existsSync(join(cwd, path));
  if (isNew) {
    const named = text.replace('"fixtures"', JSON.stringify(fixtures));
    await writeFile(join(cwd, path), named, { flag: "wx" }).catch(refuse("write", path));
  }
  tell(isNew, isNew ? `${path}, a test for ${runner}` : path);
  tell(await addScript(project, command, cwd), `the script "${scriptName}" in package.json`);
  const run = `npm run ${scriptName}`;
  return packageFolder("backlot", cwd) ? run : `npm install --save-dev backlot, then ${run}`;
}

async function starterTestFor(cwd: string, fixtures: string): Promise<StarterTest> {
  const path = "backlot.test.mjs";
  if (packageFolder("vitest", cwd) !== undefined) {
    return { runner: "Vitest", template: "vitest.mjs", path, command: `vitest run ${path}` };
  }
  const jest = packageFolder("jest", cwd);
  if (jest !== undefined) {
    // Jest runs ES modules only with this flag: neither its configuration nor its other runs are to meet the test.
    const bin = relative(cwd, join(jest, "bin/jest.js")).replaceAll("\\", "/");
    const own = "backlot.jest.mjs";
    const command = `node --experimental-vm-modules ${bin} --config {} --testMatch "**/${own}"`;
    return { runner: "Jest", template: "jest.mjs", path: own, command };
  }
  if (packageFolder("@playwright/test", cwd) !== undefined) {
    const command = `backlot exec ${JSON.stringify(fixtures)} -- playwright test ${path}`;
    const placed = join(await playwrightFolder(cwd), path);
    return { runner: "Playwright", template: "playwright.mjs", path: placed, command };
  }
  return { runner: "node:test", template: "node-test.mjs", path, command: `node --test ${path}` };
}

/** The folder of a package, where an import from a folder finds it. */
function packageFolder(name: string, from: string): string | undefined {
  const folder = join(from, "node_modules", name);
  if (existsSync(folder)) return folder;
  const above = dirname(from);
  return above === from ? undefined : packageFolder(name, above);
}

/** The folder where Playwright looks for tests: the `testDir` of its configuration. */
async function playwrightFolder(cwd: string): Promise<string> {
  const names = await readdir(cwd);
  const config = names.find((name) => /^playwright\.config\.[cm]?[jt]s$/.test(name));
  const text = config === undefined ? "" : await readFile(join(cwd, config), "utf8");
  return /\btestDir:\s*["'`]([^"'`]+)/.exec(text)?.[1] ?? "";
}

/** Whether the script is new. The file is written as npm writes it: with its own indent and ends of lines. */
async function addScript(
  { text, manifest }: Project,
  command: string,
  cwd: string,
): Promise<boolean> {
  const scripts = manifest.scripts ?? {};
  if (scripts[scriptName] !== undefined) return false;
  const changed = { ...manifest, scripts: { ...scripts, [scriptName]: command } };
  const indent = /^[ \t]+/m.exec(text)?.[0] ?? "  ";
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = `${JSON.stringify(changed, null, indent)}\n`.replaceAll("\n", end);
  const path = realPath(join(cwd, "package.json"));
  await replaceFile(path, [lines]).catch(refuse("write", "package.json"));
  return true;
}
