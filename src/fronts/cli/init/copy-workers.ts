import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { EmulatorError, invalidOption } from "../../../core/errors/emulator-error.ts";
import { makeFolders } from "../../node/make-folders.ts";
import { replaceFile } from "../../node/replace-file.ts";
import {
  mswWorkerScript,
  ownWorkerScript,
  type WorkerScript,
  workerScriptNames,
} from "../../node/worker-scripts.ts";
import type { Io } from "../io.ts";
import { styleFor } from "../../node/terminal-style.ts";
import { realPath, writeReason } from "../write-file.ts";

/** How scripts are copied. */
interface CopyOptions {
  /** Whether to replace files that are not worker scripts. */
  readonly force: boolean;
  /** The folder of Backlot's own script. Default: that of the build. */
  readonly ownFolder?: string;
}

/** The owner of a worker script. */
type Owner = "msw" | "Backlot";

/**
 * Copies the scripts of the service workers into a folder, which is created if needed: Backlot's own script, and msw's
 * if the project has msw. Scripts of other versions are replaced; other files of that name only with `force`.
 */
export async function copyWorkers(
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
    // Files that the script imports are not reported separately.
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

/** The version in a worker script of this owner; undefined for any other file. */
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
