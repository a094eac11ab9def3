import { Command, CommanderError, Help, type Option } from "commander";
import { addOption, environmentFlagsOf, givenFlags } from "./command-flags.ts";
import { exitCodes } from "./describe-failure.ts";
import { mergeFlags } from "./emulator-settings.ts";
import { addExec } from "./exec-command.ts";
import { splitWords } from "./exec/split-words.ts";
import { addExport } from "./export-command.ts";
import { addGenerate } from "./generate-command.ts";
import { examples, fixturesHelp } from "./help-text.ts";
import { addImport } from "./import-command.ts";
import type { InitOptions } from "./init.ts";
import { refuseMistypedCommand, refuseUnknownHelp } from "./mistyped-command.ts";
import type { ProgramSetup } from "./program-setup.ts";
import { addRecord } from "./record-command.ts";
import { fixtureOptions, startOptions } from "./start-options.ts";
import { addVerify } from "./verify-command.ts";

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
