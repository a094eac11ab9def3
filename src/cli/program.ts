import { Command, CommanderError, Help, InvalidArgumentError, Option } from "commander";
import { nearestName } from "../errors/nearest-name.ts";
import type { CheckOptions } from "./check.ts";
import { exitCodes } from "./describe-failure.ts";
import { mergeFlags } from "./emulator-settings.ts";
import { environmentFlags } from "./environment-options.ts";
import { exists } from "./fixture-place.ts";
import { examples, fixturesHelp } from "./help-text.ts";
import type { InitOptions } from "./init.ts";
import type { Io } from "./io.ts";
import { OptionValueError } from "./option-values.ts";
import { type StartFlags, type StartOption, startOptions } from "./start-options.ts";
import type { StartOptions } from "./start.ts";

/** What the command line can ask for. Each resolves with the exit code. */
export interface Commands {
  readonly start: (options: Omit<StartOptions, "version">, io: Io) => Promise<number>;
  readonly check: (options: CheckOptions, io: Io) => Promise<number>;
  readonly init: (options: InitOptions, io: Io) => Promise<number>;
}

/** What a program is made with. */
export interface ProgramSetup {
  readonly io: Io;
  readonly commands: Commands;
  readonly version: string;
  /** Told the exit code of the command that ran. */
  readonly finished: (exitCode: number) => void;
}

/** Runs a command line and resolves with its exit code. Rejects only when the command does. */
export async function runProgram(
  args: readonly string[],
  setup: Omit<ProgramSetup, "finished">,
): Promise<number> {
  let exitCode: number = exitCodes.done;
  const program = createProgram({ ...setup, finished: (code) => (exitCode = code) });
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
}

/** The whole command line. It throws a `CommanderError` for help, the version and wrong usage. */
export function createProgram(setup: ProgramSetup): Command {
  const { io, version } = setup;
  const options = startOptions.map(commanderOption);
  const program: Command = new Command("backlot")
    .description("A local stand-in for a service with chat completions and tables over REST.")
    .version(version, "-v, --version", "show the version")
    .helpOption("-h, --help", "show this help")
    .exitOverride()
    .configureOutput({ writeOut: io.stdout.write, writeErr: io.stderr.write })
    .showHelpAfterError("Run backlot --help to see what there is.")
    .configureHelp({
      formatHelp: (command, helper) => {
        if (command === program) showAtTop(options, helper);
        return new Help().formatHelp(command, helper);
      },
    })
    .usage("[start] [fixtures] [options]")
    .addHelpText("after", examples);
  addStart(program, options, setup);
  addCheck(program, setup);
  addInit(program, setup);
  return program;
}

/** The default command's options can be given without naming it, so the program's own help has them too. */
function showAtTop(options: readonly Option[], helper: Help): void {
  const visibleOptions = helper.visibleOptions.bind(helper);
  helper.visibleOptions = (command) => [...options, ...visibleOptions(command)];
}

/** An option in commander's form, which reads and refuses values by its own rules. */
function commanderOption({ name, short, value, several, description, read }: StartOption): Option {
  const names = short === undefined ? `--${name}` : `-${short}, --${name}`;
  const option = new Option(value === undefined ? names : `${names} ${value}`, description);
  if (read === undefined) return option;
  return option.argParser<unknown>((text, before) => {
    const values: readonly unknown[] = Array.isArray(before) ? before : [];
    try {
      return several === true ? [...values, read(text)] : read(text);
    } catch (error) {
      throw error instanceof OptionValueError ? new InvalidArgumentError(error.message) : error;
    }
  });
}

function addStart(program: Command, options: readonly Option[], setup: ProgramSetup): void {
  const { io, commands, finished } = setup;
  const command = program
    .command("start", { isDefault: true })
    .description("serve both interfaces (the default command)")
    .argument("[fixtures]", fixturesHelp)
    .action(async (fixtures: string | undefined) => {
      if (fixtures !== undefined) refuseMistypedCommand(program, fixtures, io);
      const flags = mergeFlags(environmentFlagsOf(command, io), givenFlags(command));
      const named = fixtures === undefined ? {} : { fixtures };
      finished(await commands.start({ ...flags, ...named }, io));
    });
  for (const option of options) command.addOption(option);
}

function addCheck(program: Command, { io, commands, finished }: ProgramSetup): void {
  program
    .command("check")
    .description("validate fixtures; each problem is shown with file, line and column")
    .argument("[fixtures]", fixturesHelp)
    .action(async (fixtures: string | undefined) => {
      finished(await commands.check(fixtures === undefined ? {} : { fixtures }, io));
    });
}

function addInit(program: Command, { io, commands, finished }: ProgramSetup): void {
  program
    .command("init")
    .description("write starter fixtures into a new folder")
    .argument("[dir]", "folder to create (default: fixtures)")
    .action(async (directory: string | undefined) => {
      finished(await commands.init(directory === undefined ? {} : { directory }, io));
    });
}

function environmentFlagsOf(command: Command, { env }: Io): StartFlags {
  try {
    return environmentFlags(env);
  } catch (error) {
    if (error instanceof OptionValueError) command.error(`error: ${error.message}`);
    throw error;
  }
}

/** The options of the command line itself, without commander's own defaults for the `--no-…` ones. */
function givenFlags(command: Command): StartFlags {
  const entries = Object.entries(command.opts<Record<string, unknown>>());
  return Object.fromEntries(
    entries.filter(([name]) => command.getOptionValueSource(name) === "cli"),
  );
}

/**
 * Any first word that is no command is taken for fixtures, `chekc` too. One that does not exist and looks like a name
 * rather than a path is more likely a command that was mistyped, or put after the options.
 */
function refuseMistypedCommand(program: Command, word: string, io: Io): void {
  if (program.args[0] === "start" || !/^[a-z]+$/i.test(word) || exists(word, io.cwd)) return;
  const names = program.commands.map((command) => command.name());
  if (names.includes(word)) {
    program.error(
      `error: '${word}' comes after the options. Put the command first: backlot ${word} …`,
    );
  }
  const nearest = nearestName(word, names);
  program.error(
    `error: unknown command '${word}', and there are no fixtures of that name` +
      (nearest === undefined ? "" : `\n(Did you mean ${nearest}?)`),
  );
}
