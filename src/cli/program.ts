import { Command, CommanderError, Help, type Option } from "commander";
import type { CheckOptions } from "./check.ts";
import {
  addOption,
  commanderOption,
  environmentFlagsOf,
  givenFlags,
  readOrRefuse,
} from "./command-flags.ts";
import { exitCodes } from "./describe-failure.ts";
import { mergeFlags } from "./emulator-settings.ts";
import type { ExportOptions } from "./export.ts";
import { exportFromEnvironment, exportOptions } from "./export-options.ts";
import type { ExecOptions } from "./exec/exec.ts";
import { execFromEnvironment, execOptions, refuseInEnvironment } from "./exec/exec-options.ts";
import { splitWords } from "./exec/split-words.ts";
import {
  examples,
  execHelp,
  execUsage,
  exportHelp,
  fixturesHelp,
  generateHelp,
  recordHelp,
} from "./help-text.ts";
import { type GenerateFlags, generateOptions } from "./generate-options.ts";
import type { GenerateOptions } from "./generate.ts";
import type { ImportOptions } from "./import.ts";
import { type ImportFlags, importHelp, importOptions } from "./import-options.ts";
import type { InitOptions } from "./init.ts";
import type { Io } from "./io.ts";
import { refuseMistypedCommand, refuseUnknownHelp } from "./mistyped-command.ts";
import type { RecordOptions } from "./record.ts";
import { type RecordFlags, recordOptions, recordServerOptions } from "./record-options.ts";
import { fixtureKeys, startOptions } from "./start-options.ts";
import type { StartOptions } from "./start.ts";
import type { VerifyOptions } from "./verify.ts";
import { addVerify } from "./verify-command.ts";

/** What the command line can ask for. Each resolves with the exit code. */
export interface Commands {
  readonly start: (options: Omit<StartOptions, "version">, io: Io) => Promise<number>;
  readonly check: (options: CheckOptions, io: Io) => Promise<number>;
  readonly init: (options: InitOptions, io: Io) => Promise<number>;
  readonly generate: (options: GenerateOptions, io: Io) => Promise<number>;
  readonly exec: (options: Omit<ExecOptions, "version">, io: Io) => Promise<number>;
  readonly export: (options: ExportOptions, io: Io) => Promise<number>;
  readonly import: (options: ImportOptions, io: Io) => Promise<number>;
  readonly record: (options: Omit<RecordOptions, "version">, io: Io) => Promise<number>;
  readonly verify: (options: VerifyOptions, io: Io) => Promise<number>;
}

/** What a program is made with. */
export interface ProgramSetup {
  readonly io: Io;
  readonly commands: Commands;
  readonly version: string;
  /** The words behind `--`, which `exec` runs. Undefined: there is no `--`. */
  readonly behindDashes?: readonly string[];
  /** Told the exit code of the command that ran. */
  readonly finished: (exitCode: number) => void;
}

/** Runs a command line and resolves with its exit code. Rejects only when the command does. */
export async function runProgram(
  args: readonly string[],
  setup: Omit<ProgramSetup, "finished" | "behindDashes">,
): Promise<number> {
  let exitCode: number = exitCodes.done;
  const { own, command: behindDashes } = splitWords(args);
  const program = createProgram({
    ...setup,
    ...(behindDashes === undefined ? {} : { behindDashes }),
    finished: (code) => (exitCode = code),
  });
  try {
    // Before its other words are judged, which may be right for the command that is meant.
    const [first = ""] = own;
    const isCommand = [...program.commands.map((command) => command.name()), "help"].includes(
      first,
    );
    if (!isCommand) refuseMistypedCommand(program, first, setup.io);
    refuseUnknownHelp(program, own);
    await program.parseAsync(own, { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
}

/** The whole command line. It throws a `CommanderError` for help, the version and wrong usage. */
export function createProgram(setup: ProgramSetup): Command {
  const { io, version } = setup;
  const program: Command = new Command("backlot")
    .description("A local stand-in for a service with chat completions and tables over REST.")
    .version(version, "-v, --version", "show the version")
    .helpOption("-h, --help", "show this help")
    .exitOverride()
    .configureOutput({
      writeOut: io.stdout.write,
      writeErr: io.stderr.write,
    })
    .showHelpAfterError("Run backlot --help to see what there is.")
    .configureHelp({
      formatHelp: (command, helper) => {
        if (command === program) showAtTop(start.options, helper);
        return new Help().formatHelp(command, helper);
      },
    })
    .usage("[start] [fixtures] [options]")
    .addHelpText("after", examples);
  const start = addStart(program, setup);
  addCheck(program, setup);
  addInit(program, setup);
  addGenerate(program, setup);
  addExec(program, setup);
  addExport(program, setup);
  addImport(program, setup);
  addRecord(program, setup);
  addVerify(program, setup);
  for (const command of [program, ...program.commands]) {
    command.configureOutput({
      outputError: (text, write) => write(withoutValue(text, command.options)),
    });
  }
  return program;
}

/**
 * Commander's complaint of an option that it does not know, such as `--tokne=s3cret`, without what may be a secret. It
 * knows none that is given a value and takes none, either.
 */
function withoutValue(complaint: string, options: readonly Option[]): string {
  const [whole, flag = ""] = /^error: unknown option '(-[^=']*)=.*'/s.exec(complaint) ?? [];
  if (whole === undefined) return complaint;
  const isKnown = options.some(({ long, short }) => flag === long || flag === short);
  if (isKnown) return `error: option '${flag}' takes no value\n`;
  return `error: unknown option '${flag}'${complaint.slice(whole.length)}`;
}

/** The default command's options can be given without naming it, so the program's own help has them too. */
function showAtTop(options: readonly Option[], helper: Help): void {
  const visibleOptions = helper.visibleOptions.bind(helper);
  helper.visibleOptions = (command) => [...options, ...visibleOptions(command)];
}

function addStart(program: Command, setup: ProgramSetup): Command {
  const { io, commands, finished } = setup;
  const command = program
    .command("start", { isDefault: true })
    .description("serve both interfaces (the default command)")
    .argument("[fixtures]", fixturesHelp)
    .action(async (fixtures: string | undefined) => {
      const isNamed = program.args[0] === "start";
      if (fixtures !== undefined && !isNamed) refuseMistypedCommand(program, fixtures, io);
      const flags = mergeFlags(environmentFlagsOf(command, io), givenFlags(command));
      const named = fixtures === undefined ? {} : { fixtures };
      finished(await commands.start({ ...flags, ...named }, io));
    });
  for (const option of startOptions) addOption(command, option);
  return command;
}

/** What `check` and `generate` share with `start`: how fixtures are read. */
const fixtureOptions = startOptions.filter(({ key }) => fixtureKeys.some((own) => own === key));

function addCheck(program: Command, { io, commands, finished }: ProgramSetup): void {
  const command = program
    .command("check")
    .description("validate fixtures; each problem is shown with file, line and column")
    .argument("[fixtures]", fixturesHelp)
    .action(async (fixtures: string | undefined) => {
      const environment = environmentFlagsOf(command, io, fixtureOptions);
      const flags = mergeFlags(environment, givenFlags(command));
      const named = fixtures === undefined ? {} : { fixtures };
      finished(await commands.check({ ...flags, ...named }, io));
    });
  for (const option of fixtureOptions) addOption(command, option);
}

function addInit(program: Command, { io, commands, finished }: ProgramSetup): void {
  program
    .command("init")
    .description("write starter fixtures into a new folder")
    .argument("[dir]", "folder to create (default: fixtures)")
    .option(
      "--worker <folder>",
      "copy the service workers' scripts, msw's too where it is installed, into this folder of public files",
    )
    .option("--force", "with --worker: write over files of their names that are something else")
    .action(async (directory: string | undefined, given: Omit<InitOptions, "directory">) => {
      const named = directory === undefined ? {} : { directory };
      finished(await commands.init({ ...given, ...named }, io));
    });
}

/** Options of `start` whose variables in the environment `generate` takes, too. */
const generateFromEnvironment = startOptions.filter(
  (option) => option.key === "seed" || fixtureOptions.includes(option),
);

function addGenerate(program: Command, { io, commands, finished }: ProgramSetup): void {
  const command = program
    .command("generate")
    .description("make rows of a table by faker and add them to its file")
    .argument(
      "<table>",
      "a table of the fixtures; its columns, or its templates, tell what rows are",
    )
    .argument("[fixtures]", fixturesHelp)
    .addHelpText("after", generateHelp)
    .showHelpAfterError("Run backlot generate --help to see what there is.")
    .action(async (table: string, fixtures: string | undefined) => {
      const environment = environmentFlagsOf(command, io, generateFromEnvironment);
      const flags = {
        ...mergeFlags(environment, givenFlags(command)),
        ...command.opts<GenerateFlags>(),
      };
      if (flags.force === true && (flags.out ?? "-") === "-") {
        command.error("error: option '--force' is for a file that '--out <file>' names");
      }
      const named = fixtures === undefined ? {} : { fixtures };
      finished(await commands.generate({ ...flags, ...named, table }, io));
    });
  for (const { conflicts = [], ...option } of generateOptions) {
    command.addOption(commanderOption(option, command).conflicts(conflicts));
  }
  for (const option of fixtureOptions) addOption(command, option);
}

function addExec(program: Command, { io, commands, finished, behindDashes }: ProgramSetup): void {
  // Without `--` nobody knows whose the words are, and that is what to complain about.
  const isUnclear = behindDashes === undefined;
  const command = program
    .command("exec")
    .description("serve while a command runs, which finds the server by its environment")
    .usage(execUsage)
    .argument("[fixtures]", fixturesHelp)
    .allowExcessArguments(isUnclear)
    .allowUnknownOption(isUnclear)
    .addHelpText("after", execHelp)
    .showHelpAfterError(`Usage: backlot exec ${execUsage}`)
    .action(async (fixtures: string | undefined) => {
      const [name = "", ...args] = behindDashes ?? [];
      if (name === "") command.error("error: the command to run is missing. It comes after --");
      readOrRefuse(command, () => refuseInEnvironment(io.env));
      const environment = environmentFlagsOf(command, io, execFromEnvironment);
      const flags = mergeFlags(environment, givenFlags(command));
      const named = fixtures === undefined ? {} : { fixtures };
      finished(await commands.exec({ ...flags, ...named, command: [name, ...args] }, io));
    });
  for (const option of execOptions) addOption(command, option);
}

function addExport(program: Command, { io, commands, finished }: ProgramSetup): void {
  const command = program
    .command("export")
    .description("write the state of a running server as a fixture document")
    .argument("[file]", "file to write (default: stdout)")
    .addHelpText("after", exportHelp)
    .showHelpAfterError("Run backlot export --help to see what there is.")
    .action(async (file: string | undefined) => {
      const environment = readOrRefuse(command, () => exportFromEnvironment(io.env));
      const named = file === undefined ? {} : { file };
      finished(await commands.export({ ...environment, ...givenFlags(command), ...named }, io));
    });
  for (const option of exportOptions) addOption(command, option);
}

function addRecord(program: Command, { io, commands, finished }: ProgramSetup): void {
  const command = program
    .command("record")
    .description("pass requests on to a real service, and record what it answers")
    .addHelpText("after", recordHelp)
    .showHelpAfterError("Run backlot record --help to see what there is.")
    .action(async () => {
      const environment = environmentFlagsOf(command, io, recordServerOptions);
      const flags: RecordFlags = mergeFlags(environment, givenFlags(command));
      if (flags.upstream === undefined && flags.restUpstream === undefined) {
        command.error("error: the service is missing. Name it by --upstream or --rest-upstream");
      }
      finished(await commands.record(flags, io));
    });
  for (const option of [...recordOptions, ...recordServerOptions]) {
    addOption(command, option);
  }
}

function addImport(program: Command, { io, commands, finished }: ProgramSetup): void {
  const command = program
    .command("import")
    .description("make fixtures of what other tools have written")
    .argument(
      "<file>",
      "HTTP archive, file of aimock, json-server or OpenAPI, or module of @msw/data",
    )
    .addHelpText("after", importHelp)
    .showHelpAfterError("Run backlot import --help to see what there is.")
    .action(async (file: string) => {
      finished(await commands.import({ ...command.opts<ImportFlags>(), file }, io));
    });
  for (const option of importOptions) addOption(command, option);
}
