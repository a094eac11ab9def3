import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { counted } from "../../../core/errors/show.ts";
import { type EmulatorError, invalidOption } from "../../../core/errors/emulator-error.ts";
import { builtInFixtures } from "../../node/fixture-place.ts";
import { makeFolders } from "../../node/make-folders.ts";
import { type CommandDefinition, UsageError } from "../command.ts";
import { exitCodes } from "../failure.ts";
import { type Io, styleFor } from "../io.ts";
import { folderReason } from "../write-file.ts";
import { readProject, writeStarterTest } from "./starter-test.ts";
import { initWorker } from "./worker-scripts.ts";

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
  if (options.dir === undefined && (await isOccupied(target))) return exitCodes.done;
  return initFixtures(options, io);
}

async function isOccupied(folder: string): Promise<boolean> {
  const entries = await readdir(folder).catch(() => []);
  return entries.length > 0;
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
    const config = join(builtInFixtures, "config.json");
    const filter = (file: string): boolean => file !== config;
    await cp(builtInFixtures, target, {
      recursive: true,
      errorOnExist: true,
      force: false,
      filter,
    });
    const text = withoutSchema(await readFile(config, "utf8"));
    await writeFile(join(target, "config.json"), text, { flag: "wx" });
  } catch (cause) {
    throw cannotWrite(directory, cause);
  }
  const entries = await readdir(target, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).length;
  stdout.write(
    `${styleFor(stdout, env).green("created")} ${counted(files, "file")} in ${directory}\n`,
  );
}

/** The schema lies beside the built-in set, but not beside a copy of it. */
function withoutSchema(config: string): string {
  return config.replace(/^\s*"\$schema":\s*"[^"]*",?\n/m, "");
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
