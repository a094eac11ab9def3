import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { EmulatorError, invalidOption } from "../../../core/errors/emulator-error.ts";
import { makeFolders } from "../../node/make-folders.ts";
import { packageRoot } from "../../node/package-root.ts";
import { replaceFile } from "../../node/replace-file.ts";
import type { Io } from "../io.ts";
import { styleFor } from "../terminal.ts";
import { realPath, writeReason } from "../write-file.ts";

/** The file name that msw looks for. */
const mswName = "mockServiceWorker.js";

/** Our own service worker's script, made by the build. The path is the same from source and build. */
const builtWorker: string = join(packageRoot, "dist/worker-script/");

const ownName = "backlot-worker.js";

/** How scripts are copied. */
export interface CopyOptions {
  /** Whether to replace files that are not worker scripts. */
  readonly force: boolean;
  /** The path of our own script. Default: the build's. */
  readonly ownFolder?: string;
}

/** A script to copy. */
interface Script {
  /** Relative to the public folder. */
  readonly name: string;
  readonly text: string;
  /** Whose it is. */
  readonly owner: "msw" | "Backlot";
  /** Whether it is left out of the output, since it belongs to another script. */
  readonly isPart?: boolean;
}

/**
 * Copies the service workers' scripts into a folder, which is created if needed: our own, and msw's if the project
 * has msw. Scripts of other versions are replaced; other files of that name only with `force`.
 */
export async function initWorker(
  folder: string,
  { force, ownFolder = builtWorker }: CopyOptions,
  io: Io,
): Promise<void> {
  const own = await ownScripts(ownFolder);
  const msw = await mswScript(io.cwd);
  if (own.length === 0 && msw.length === 0) throw nothingToCopy();
  const { green, dim } = styleFor(io.stdout, io.env);
  for (const script of [...own, ...msw]) {
    const done = await copyScript(script, { folder, force, io });
    if (script.isPart !== true) io.stdout.write(`${green(done.verb)} ${done.what}\n`);
  }
  if (msw.length === 0) {
    const why = `left out ${mswName}: the package msw is not installed here. backlot/browser needs it: npm install --save-dev msw`;
    io.stdout.write(`${dim(why)}\n`);
  }
}

interface Copying {
  readonly folder: string;
  readonly force: boolean;
  readonly io: Io;
}

async function copyScript(
  { name, text, owner }: Script,
  { folder, force, io }: Copying,
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

/** None in a checkout without a build. */
async function ownScripts(folder: string): Promise<readonly Script[]> {
  const parts = await readdir(join(folder, "backlot-worker")).catch(() => undefined);
  if (parts === undefined) return [];
  const names = [ownName, ...parts.map((part) => `backlot-worker/${part}`)];
  return Promise.all(
    names.map(async (name) => ({
      name,
      text: await readFile(join(folder, name), "utf8"),
      owner: "Backlot" as const,
      isPart: name !== ownName,
    })),
  );
}

/** The script of the msw that code in a folder would load; none without msw. */
async function mswScript(from: string): Promise<readonly Script[]> {
  try {
    const path = createRequire(join(from, "package.json")).resolve(`msw/${mswName}`);
    return [{ name: mswName, text: await readFile(path, "utf8"), owner: "msw" }];
  } catch {
    return [];
  }
}

/** The version in a script of ours or of msw; undefined for any other file. */
function versionOf(script: string, owner: Script["owner"]): string | undefined {
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

function foreignFile(shown: string, owner: Script["owner"]): EmulatorError {
  return invalidOption(
    `Cannot copy the worker script to ${JSON.stringify(shown)}: the file there is not ${owner}'s. ` +
      "Move it away, name another folder, or write over it with --force.",
  );
}

function cannotCopy(shown: string, cause: unknown): EmulatorError {
  return invalidOption(
    `Cannot copy the worker script to ${JSON.stringify(shown)}: ${writeReason(cause)}. Name another folder: --worker <folder>.`,
    cause,
  );
}
