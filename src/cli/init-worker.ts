import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { EmulatorError } from "../errors/emulator-error.ts";
import type { Io } from "./io.ts";
import { styleFor } from "./style.ts";

/** The name that msw looks for. */
const scriptName = "mockServiceWorker.js";

/**
 * Copies the worker script of the msw that the project has into a folder, which is made where there is none. A script
 * of another version is replaced; any other file of that name only with `force`.
 */
export async function initWorker(folder: string, force: boolean, io: Io): Promise<void> {
  const shown = join(folder, scriptName);
  const target = resolve(io.cwd, folder, scriptName);
  const script = await readScript(io.cwd);
  const version = versionOf(script);
  const present = await readPresent(target, shown);
  const { green } = styleFor(io.stdout, io.env);
  if (present === script) {
    io.stdout.write(`${green("kept")} ${shown}, the script of msw ${version}\n`);
    return;
  }
  const before = present === undefined ? undefined : versionOf(present);
  if (present !== undefined && before === undefined && !force) throw foreignFile(shown);
  await mkdir(resolve(io.cwd, folder), { recursive: true })
    .then(() => writeFile(target, script))
    .catch((cause: unknown) => {
      throw cannotWrite(shown, cause);
    });
  const verb = present === undefined ? "created" : "replaced";
  const instead = before === undefined || before === version ? "" : `, in place of ${before}`;
  io.stdout.write(`${green(verb)} ${shown}, the script of msw ${version}${instead}\n`);
}

/** The script of the msw that code in a folder would load. */
async function readScript(from: string): Promise<string> {
  try {
    const path = createRequire(join(from, "package.json")).resolve(`msw/${scriptName}`);
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new EmulatorError(
      "ERR_PACKAGE_MISSING",
      "Cannot copy the worker script: the package msw, which it is part of, is not installed here. " +
        "Install it: npm install --save-dev msw.",
      { cause },
    );
  }
}

/** The version that msw's own script has in it; undefined for any other file. */
function versionOf(script: string): string | undefined {
  const isMsw = script.includes("INTEGRITY_CHECKSUM");
  return isMsw ? /\bPACKAGE_VERSION\s*=\s*['"]([^'"]+)['"]/.exec(script)?.[1] : undefined;
}

async function readPresent(target: string, shown: string): Promise<string | undefined> {
  try {
    return await readFile(target, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw cannotWrite(shown, error);
  }
}

function foreignFile(shown: string): EmulatorError {
  return new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot copy the worker script to ${JSON.stringify(shown)}: the file there is not msw's. ` +
      "Move it away, name another folder, or write over it with --force.",
  );
}

function cannotWrite(shown: string, cause: unknown): EmulatorError {
  const { code, message } = cause as NodeJS.ErrnoException;
  const isInTheWay = code === "ENOTDIR" || code === "EEXIST" || code === "EISDIR";
  const reason = isInTheWay ? "something else is in the way" : message;
  return new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot copy the worker script to ${JSON.stringify(shown)}: ${reason}. Name another folder: --worker <folder>.`,
    { cause },
  );
}
