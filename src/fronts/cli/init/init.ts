import { resolve } from "node:path";
import { type CommandDefinition, readChoice, UsageError } from "../command.ts";
import { exitCodes, type Io } from "../io.ts";
import { styleFor } from "../../node/terminal-style.ts";
import { copyWorkers } from "./copy-workers.ts";
import { type ExampleName, exampleNames, readExample } from "./examples.ts";
import { readProject } from "./project.ts";
import { writeStarterTest } from "./starter-test.ts";
import { hasOtherFiles, writeFixtures } from "./write-fixtures.ts";

/** The options of `init`. */
export interface InitOptions {
  /** Default: `fixtures`. */
  readonly dir?: string;
  /** The fixtures to write. Default: a minimal start. */
  readonly example?: ExampleName;
  /** The public folder for the service workers' scripts. Default: they are not copied. */
  readonly worker?: string;
  /** Whether to overwrite files of that name that are not worker scripts. */
  readonly force?: boolean;
}

export const initCommand: CommandDefinition = {
  arguments: [["[dir]", "folder to create (default: fixtures)"]],
  options: [
    {
      flags: "--example <name>",
      description: `write a whole example instead of the minimal start: ${exampleNames.join(", ")}`,
      read: readChoice(exampleNames),
    },
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
It writes a table of three rows, two chat scripts and a model. If the current folder has a package.json, it also writes
a test for the installed runner (Vitest, Jest or Playwright, else Node's own), and the script "test:backlot" to run it;
"npm test" runs it too if the project has no test script yet. Existing files and scripts stay as they are, so a run
that failed can be run again.
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
 * Writes starter fixtures into a folder, and a test into the project. Copies the worker scripts on request; then, if
 * the default folder already has other fixtures, nothing else is written unless the command line names a folder or an
 * example.
 */
export async function init(options: InitOptions, io: Io): Promise<number> {
  const { dir: directory = defaultDirectory, example, worker, force = false } = options;
  const project = await readProject(io.cwd);
  const files = await readExample(example);
  if (worker !== undefined) {
    await copyWorkers(worker, { force }, io);
    const isNamed = options.dir !== undefined || example !== undefined;
    if (!isNamed && (await hasOtherFiles(resolve(io.cwd, directory), files))) return exitCodes.done;
  }
  await writeFixtures(files, directory, io);
  const next =
    project === undefined
      ? nextWithoutProject(directory, io)
      : await writeStarterTest(project, directory, io);
  io.stdout.write(`\nNext: ${styleFor(io.stdout, io.env).bold(next)}\n`);
  return exitCodes.done;
}

function nextWithoutProject(directory: string, { stdout, env }: Io): string {
  const why =
    "left out a test: there is no package.json here. npm install --save-dev backlot makes one";
  stdout.write(`${styleFor(stdout, env).dim(why)}\n`);
  const named = directory === defaultDirectory ? "" : ` ${JSON.stringify(directory)}`;
  return `npx backlot start${named} --watch`;
}
