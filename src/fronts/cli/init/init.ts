import { constants, copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve, dirname, relative } from "node:path";
import { counted } from "../../../core/errors/show.ts";
import { EmulatorError, invalidOption } from "../../../core/errors/emulator-error.ts";
import { builtInFixtures } from "../../node/fixture-place.ts";
import { makeFolders } from "../../node/make-folders.ts";
import { type CommandDefinition, UsageError } from "../command.ts";
import { exitCodes, type Io, styleFor } from "../io.ts";
import { folderReason, realPath, writeReason } from "../write-file.ts";
import { replaceFile } from "../../node/replace-file.ts";
import {
  mswWorkerScript,
  ownWorkerScript,
  type WorkerScript,
  workerScriptNames,
} from "../../node/worker-scripts.ts";
import { existsSync } from "node:fs";
import { packageRoot } from "../../node/package-root.ts";

/** The options of `init`. */
export interface InitOptions {
  /** Default: `fixtures`. */
  readonly dir?: string;
  /** The public folder for the service workers' scripts. Default: they are not copied. */
  readonly worker?: string;
  /** Whether to overwrite files there that are not worker scripts. */
  readonly force?: boolean;
}

export const initCommand: CommandDefinition = {
  arguments: [["[dir]", "folder to create (default: fixtures)"]],
  options: [
    {
      flags: "--worker <folder>",
      description:
        "copy the service worker scripts (also msw's, if installed) into this folder of public files",
    },
    {
      flags: "--force",
      description: "with --worker: overwrite other files of the same names",
    },
  ],
  help: `
If the current folder has a package.json, it also writes a test for the installed runner (Vitest, Jest or Playwright,
else Node's own), and the script "test:backlot" to run it. Existing files and scripts stay as they are.
`,
  check: ({ worker, force = false }: InitOptions) => {
    if (!force || worker !== undefined) return;
    throw new UsageError(
      "option '--force' needs '--worker <folder>': fixtures are never overwritten",
    );
  },
  run: init,
};

const defaultDirectory = "fixtures";

/**
 * Writes starter fixtures, a copy of the built-in set, into a new or empty folder, and a test into the project there.
 * Copies the worker scripts on request; the folder may then already have fixtures.
 */
export async function init(options: InitOptions, io: Io): Promise<number> {
  const { worker, force = false } = options;
  if (worker === undefined) return initFixtures(options, io);
  await initWorker(worker, { force }, io);
  const target = resolve(io.cwd, options.dir ?? defaultDirectory);
  const there = await readdir(target).catch(() => []);
  if (options.dir === undefined && there.length > 0) return exitCodes.done;
  return initFixtures(options, io);
}

async function initFixtures(options: InitOptions, io: Io): Promise<number> {
  const directory = options.dir ?? defaultDirectory;
  const project = await readProject(io.cwd);
  await copyFixtures(directory, io);
  const named = directory === defaultDirectory ? "" : ` ${JSON.stringify(directory)}`;
  const start = `npx backlot start${named} --watch`;
  const next = project === undefined ? start : await writeStarterTest(project, directory, io);
  io.stdout.write(`\nNext: ${styleFor(io.stdout, io.env).bold(next)}\n`);
  return exitCodes.done;
}

async function copyFixtures(directory: string, { cwd, stdout, env }: Io): Promise<void> {
  const target = resolve(cwd, directory);
  await refuseOccupied(target, directory);
  try {
    await makeFolders(target);
    const config = "config.json";
    const entries = await readdir(builtInFixtures, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((one) => one.isFile())) {
      const name = relative(builtInFixtures, join(entry.parentPath, entry.name));
      if (name === config) continue;
      await mkdir(dirname(join(target, name)), { recursive: true });
      await copyFile(join(builtInFixtures, name), join(target, name), constants.COPYFILE_EXCL);
    }
    const text = await readFile(join(builtInFixtures, config), "utf8");
    // The schema lies beside the built-in set, but not beside a copy of it.
    const own = text.replace(/^\s*"\$schema":\s*"[^"]*",?\n/m, "");
    await writeFile(join(target, config), own, { flag: "wx" });
  } catch (cause) {
    throw cannotWrite(directory, cause);
  }
  const entries = await readdir(target, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).length;
  stdout.write(
    `${styleFor(stdout, env).green("created")} ${counted(files, "file")} in ${directory}\n`,
  );
}

async function refuseOccupied(target: string, directory: string): Promise<void> {
  const entries = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw cannotWrite(directory, error);
  });
  if (entries.length === 0) return;
  throw invalidOption(
    `Cannot write fixtures to ${JSON.stringify(directory)}: the folder is not empty. ` +
      "Name another folder: backlot init <dir>.",
  );
}

function cannotWrite(directory: string, cause: unknown): EmulatorError {
  return invalidOption(
    `Cannot write fixtures to ${JSON.stringify(directory)}: ${folderReason(cause)}. Name another folder: backlot init <dir>.`,
    cause,
  );
}

/** How scripts are copied. */
interface CopyOptions {
  /** Whether to replace files that are not worker scripts. */
  readonly force: boolean;
  /** The path of our own script. Default: the build's. */
  readonly ownFolder?: string;
}

/** Whose a script is. */
type Owner = "msw" | "Backlot";

/**
 * Copies the service workers' scripts into a folder, which is created if needed: our own, and msw's if the project
 * has msw. Scripts of other versions are replaced; other files of that name only with `force`.
 */
export async function initWorker(
  folder: string,
  { force, ownFolder }: CopyOptions,
  io: Io,
): Promise<void> {
  const none: WorkerScript = new Map();
  const own = await ownWorkerScript(ownFolder).catch(() => none);
  const msw = await mswWorkerScript(io.cwd).catch(() => none);
  if (own.size === 0 && msw.size === 0) throw nothingToCopy();
  const { green, dim } = styleFor(io.stdout, io.env);
  for (const [name, text] of [...own, ...msw]) {
    const owner = own.has(name) ? "Backlot" : "msw";
    const done = await copyScript(name, text, { owner, folder, force, io });
    // The files that a script imports belong to it.
    if (!name.includes("/")) io.stdout.write(`${green(done.verb)} ${done.what}\n`);
  }
  if (msw.size === 0) {
    const why = `left out ${workerScriptNames.msw}: the package msw is not installed here. backlot/browser needs it: npm install --save-dev msw`;
    io.stdout.write(`${dim(why)}\n`);
  }
}

interface Copying {
  readonly owner: Owner;
  readonly folder: string;
  readonly force: boolean;
  readonly io: Io;
}

async function copyScript(
  name: string,
  text: string,
  { owner, folder, force, io }: Copying,
): Promise<{ readonly verb: string; readonly what: string }> {
  const shown = join(folder, name);
  const target = resolve(io.cwd, folder, name);
  const version = versionOf(text, owner);
  const present = await readPresent(target, shown);
  const what = `${shown}, the script of ${owner === "msw" ? "msw" : "backlot/worker"} ${version}`;
  if (present === text) return { verb: "kept", what };
  const before = present === undefined ? undefined : versionOf(present, owner);
  if (present !== undefined && before === undefined && !force) throw foreignFile(shown, owner);
  await makeFolders(dirname(target))
    .then(() => replaceFile(realPath(target), [text]))
    .catch((cause: unknown) => {
      throw cannotCopy(shown, cause);
    });
  const instead = before === undefined || before === version ? "" : `, in place of ${before}`;
  return { verb: present === undefined ? "created" : "replaced", what: what + instead };
}

/** The version in a script of ours or of msw; undefined for any other file. */
function versionOf(script: string, owner: Owner): string | undefined {
  if (owner === "Backlot") return /^\/\* backlot-worker (\S+) \*\//.exec(script)?.[1];
  const isMsw = script.includes("INTEGRITY_CHECKSUM");
  return isMsw ? /\bPACKAGE_VERSION\s*=\s*['"]([^'"]+)['"]/.exec(script)?.[1] : undefined;
}

async function readPresent(target: string, shown: string): Promise<string | undefined> {
  try {
    return await readFile(target, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw cannotCopy(shown, error);
  }
}

function nothingToCopy(): EmulatorError {
  return new EmulatorError(
    "ERR_PACKAGE_MISSING",
    "Cannot copy a worker script: this checkout of Backlot was not built, and the package msw is not installed here. " +
      "Build it: npm run build. Or install msw: npm install --save-dev msw.",
  );
}

function foreignFile(shown: string, owner: Owner): EmulatorError {
  return invalidOption(
    `Cannot copy the worker script to ${JSON.stringify(shown)}: the file there is not ${owner}'s. ` +
      "Move it away, name another folder, or overwrite it with --force.",
  );
}

function cannotCopy(shown: string, cause: unknown): EmulatorError {
  return invalidOption(
    `Cannot copy the worker script to ${JSON.stringify(shown)}: ${writeReason(cause)}. Name another folder: --worker <folder>.`,
    cause,
  );
}

/** A project's package.json. */
interface Project {
  readonly text: string;
  readonly manifest: { readonly scripts?: Readonly<Record<string, string>> };
}

/** The project in a folder. Undefined without a package.json. Rejects with `ERR_OPTION_INVALID` if that is not JSON. */
async function readProject(cwd: string): Promise<Project | undefined> {
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
async function writeStarterTest(
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
