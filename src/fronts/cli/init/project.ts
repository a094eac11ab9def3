import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type EmulatorError, invalidOption } from "../../../core/errors/emulator-error.ts";
import { isObject } from "../../../core/schema/json.ts";
import { replaceFile } from "../../node/replace-file.ts";
import { realPath, writeReason } from "../write-file.ts";

/** A folder with a package.json. */
export interface Project {
  readonly folder: string;
  /** The text of the package.json. */
  readonly text: string;
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly scripts: Readonly<Record<string, unknown>>;
  readonly manager: PackageManager;
}

/** The project in a folder; undefined without a package.json. Rejects with `ERR_OPTION_INVALID` for an invalid one. */
export async function readProject(folder: string): Promise<Project | undefined> {
  const path = join(folder, "package.json");
  if (!existsSync(path)) return undefined;
  const text = await readFile(path, "utf8").catch(refuse("read", "package.json"));
  const manifest = parse(text);
  if (!isObject(manifest)) throw refusal("Cannot read package.json: it is not a JSON object");
  const { scripts = {} } = manifest;
  if (!isObject(scripts)) throw refusal('Cannot read package.json: "scripts" is not an object');
  return { folder, text, manifest, scripts, manager: managerOf(folder) };
}

function parse(text: string): unknown {
  try {
    // npm ignores a byte order mark, which editors on Windows write.
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw refusal("Cannot read package.json: it is not valid JSON");
  }
}

/** Adds scripts to the package.json, and keeps its indentation and line endings, as npm does. */
export async function addScripts(
  { folder, text, manifest, scripts }: Project,
  added: Readonly<Record<string, string>>,
): Promise<void> {
  const changed = { ...manifest, scripts: { ...scripts, ...added } };
  const indent = /^[ \t]+/m.exec(text)?.[0] ?? "  ";
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = `${JSON.stringify(changed, null, indent)}\n`.replaceAll("\n", end);
  const path = realPath(join(folder, "package.json"));
  await replaceFile(path, [lines]).catch(refuse("write", "package.json"));
}

/** Whether a project can import a package: it is installed, or about to be. */
export function hasPackage({ folder, manifest }: Project, name: string): boolean {
  if (packageFolder(name, folder) !== undefined) return true;
  return ["dependencies", "devDependencies"].some((kind) => {
    const listed = manifest[kind];
    return isObject(listed) && Object.hasOwn(listed, name);
  });
}

/** The folder of a package that an import from a folder would find. */
export function packageFolder(name: string, from: string): string | undefined {
  return findAbove(from, join("node_modules", name));
}

/** A file or folder with this name, in a folder or in the nearest one above it. */
function findAbove(from: string, name: string): string | undefined {
  const path = join(from, name);
  if (existsSync(path)) return path;
  const above = dirname(from);
  return above === from ? undefined : findAbove(above, name);
}

/** The commands of a package manager. */
export interface PackageManager {
  /** Installs a package for development. */
  readonly add: string;
  /** Runs the script `test`. */
  readonly test: string;
  /** Runs a script. */
  readonly run: string;
}

const npm: PackageManager = { add: "npm install --save-dev", test: "npm test", run: "npm run" };
const pnpm: PackageManager = { add: "pnpm add --save-dev", test: "pnpm test", run: "pnpm run" };
const yarn: PackageManager = { add: "yarn add --dev", test: "yarn test", run: "yarn run" };
// "bun test" would run bun's own test runner.
const bun: PackageManager = { add: "bun add --dev", test: "bun run test", run: "bun run" };

/** The package managers, by their lockfiles. */
const lockfiles: readonly (readonly [name: string, manager: PackageManager])[] = [
  ["package-lock.json", npm],
  ["pnpm-lock.yaml", pnpm],
  ["yarn.lock", yarn],
  ["bun.lock", bun],
  ["bun.lockb", bun],
];

/** The manager whose lockfile a folder has, or the nearest one above it, as in a workspace. Else npm. */
function managerOf(folder: string): PackageManager {
  const found = lockfiles.find(([name]) => existsSync(join(folder, name)));
  if (found !== undefined) return found[1];
  const above = dirname(folder);
  return above === folder ? npm : managerOf(above);
}

/** Makes a handler that rejects with the reason why a file of the project cannot be read or written. */
export function refuse(verb: "read" | "write", file: string): (cause: unknown) => never {
  return (cause) => {
    throw refusal(`Cannot ${verb} ${file}: ${writeReason(cause)}`);
  };
}

function refusal(message: string): EmulatorError {
  return invalidOption(`${message}. Fix that and run backlot init again.`);
}
