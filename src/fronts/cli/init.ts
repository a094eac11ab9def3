import { constants } from "node:fs";
import { copyFile, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { counted } from "../../core/errors/counted.ts";
import { EmulatorError } from "../../core/errors/emulator-error.ts";
import { exitCodes } from "./describe-failure.ts";
import { folderReason } from "./folder-reason.ts";
import { builtInFixtures } from "../node/fixture-place.ts";
import { makeFolders } from "../node/make-folders.ts";
import { initWorker } from "./init-worker.ts";
import type { Io } from "./io.ts";
import { shellQuote } from "./shell-quote.ts";
import { styleFor } from "./style.ts";

/** What `init` is told. */
export interface InitOptions {
  /** Default `fixtures`. */
  readonly directory?: string;
  /** The folder of public files that service workers' scripts are copied to. Default: they are not copied. */
  readonly worker?: string;
  /** Whether a file that is not msw's may be written over there. */
  readonly force?: boolean;
}

const defaultDirectory = "fixtures";

/**
 * Writes starter fixtures, a copy of the built-in set, into a new or empty folder, and copies msw's worker script where
 * that is wanted. Who wants the script may have fixtures already.
 */
export async function init(options: InitOptions, io: Io): Promise<number> {
  const { worker, force = false } = options;
  if (worker === undefined) {
    if (force) throw forceAlone();
    return initFixtures(options, io);
  }
  await initWorker(worker, { force }, io);
  const target = resolve(io.cwd, options.directory ?? defaultDirectory);
  if (options.directory === undefined && (await isOccupied(target))) return exitCodes.done;
  return initFixtures(options, io);
}

function forceAlone(): EmulatorError {
  return new EmulatorError(
    "ERR_OPTION_INVALID",
    "Cannot use --force without --worker: fixtures are never overwritten. Name another folder: backlot init <dir>.",
  );
}

async function isOccupied(folder: string): Promise<boolean> {
  const entries = await readdir(folder).catch(() => []);
  return entries.length > 0;
}

async function initFixtures(options: InitOptions, io: Io): Promise<number> {
  const directory = options.directory ?? defaultDirectory;
  const target = resolve(io.cwd, directory);
  await refuseOccupied(target, directory);
  const files = await filesBelow(builtInFixtures);
  try {
    for (const file of files) await copy(file, target);
  } catch (cause) {
    throw cannotWrite(directory, cause);
  }
  const { bold, green } = styleFor(io.stdout, io.env);
  const isPlain = /^[\w./-]+$/.test(directory);
  const named = isPlain ? directory : shellQuote(directory);
  const next = directory === defaultDirectory ? "" : ` ${named}`;
  io.stdout.write(
    `${green("created")} ${counted(files.length, "file")} in ${directory}\n\n` +
      `Next: ${bold(`npx backlot start${next} --watch`)}\n`,
  );
  return exitCodes.done;
}

async function refuseOccupied(target: string, directory: string): Promise<void> {
  const entries = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw cannotWrite(directory, error);
  });
  if (entries.length === 0) return;
  throw new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot write fixtures to ${JSON.stringify(directory)}: the folder is not empty, and nothing is overwritten. ` +
      "Name another one: backlot init <dir>.",
  );
}

function cannotWrite(directory: string, cause: unknown): EmulatorError {
  return new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot write fixtures to ${JSON.stringify(directory)}: ${folderReason(cause)}. Name another folder: backlot init <dir>.`,
    { cause },
  );
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
}

async function copy(file: string, target: string): Promise<void> {
  const from = join(builtInFixtures, file);
  const to = join(target, file);
  await makeFolders(dirname(to));
  if (file === "config.json") {
    await writeFile(to, withoutSchema(await readFile(from, "utf8")), { flag: "wx" });
  } else {
    await copyFile(from, to, constants.COPYFILE_EXCL);
  }
}

/** The schema lies beside the built-in set, but not beside a copy of it. */
function withoutSchema(config: string): string {
  return config.replace(/^\s*"\$schema":\s*"[^"]*",?\n/m, "");
}
