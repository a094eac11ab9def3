import { Command, CommanderError, Help, InvalidArgumentError, Option } from "commander";
import { version } from "../../core/emulator/version.ts";
import { nearestName } from "../../core/errors/show.ts";
import { exists, nearestFixtures } from "../node/fixture-place.ts";
import {
  type CommandDefinition,
  type CommandOption,
  environmentFlags,
  keyOf,
  UsageError,
} from "./command.ts";
import { exitCodes, type Io } from "./io.ts";
import { examples, wrapHelp } from "./help-text.ts";

interface CommandEntry {
  readonly description: string;
  /** Loads and defines only the command that runs. */
  readonly load: () => Promise<CommandDefinition>;
}

/** All commands, in the order of the help. */
export const commands: ReadonlyMap<string, CommandEntry> = new Map(
  Object.entries<CommandEntry>({
    start: {
      description: "serve both interfaces (the default command)",
      load: async () => (await import("./start/start.ts")).startCommand,
    },
    check: {
      description: "check fixtures; each problem has file, line and column",
      load: async () => (await import("./check.ts")).checkCommand,
    },
    init: {
      description: "write starter fixtures and a first test",
      load: async () => (await import("./init/init.ts")).initCommand,
    },
    generate: {
      description: "generate rows with faker and add them to a table's file",
      load: async () => (await import("./generate.ts")).generateCommand,
    },
    exec: {
      description: "start a server for one command, and tell it the address in its environment",
      load: async () => (await import("./exec/exec.ts")).execCommand,
    },
    export: {
      description: "write fixtures, or the state of a running server, as one document",
      load: async () => (await import("./export/export.ts")).exportCommand,
    },
    import: {
      description: "turn files from other tools into fixtures",
      load: async () => (await import("./import/import.ts")).importCommand,
    },
    record: {
      description: "pass requests on to a real service and record its answers",
      load: async () => (await import("./record/record.ts")).recordCommand,
    },
    verify: {
      description: "compare a real service with the fixtures; exit 1 if they differ",
      load: async () => (await import("./verify/verify.ts")).verifyCommand,
    },
  }),
);

const defaultCommand = "start";

/** The variable with the server that `export` asks. `exec` sets it for a command, which may start another Backlot. */
const serverVariable = "BACKLOT_URL";
/** The variable with the browser of this project's own tests, which start commands, too. */
const browserVariable = "BACKLOT_CHROMIUM";

/** A command with its options. */
export interface CommandLine {
  readonly command: CommandDefinition;
  readonly options: object;
}

/**
 * Reads a command line. Returns an exit code if there is nothing to run: after help, the version, or wrong usage,
 * which it reports.
 */
export async function readCommandLine(
  args: readonly string[],
  io: Io,
): Promise<CommandLine | number> {
  const [first = "", second = ""] = args;
  const name = first === "help" ? second : first;
  const loaded = await loadCommands(name);
  const { own, behindDashes } = loaded.get(name)?.takesCommand ? splitWords(args) : { own: args };
  let read: CommandLine | undefined;
  const program = createProgram({
    io,
    loaded,
    behindDashes,
    done: (commandLine) => (read = commandLine),
  });
  try {
    if (!commands.has(first) && first !== "help") refuseMistypedCommand(program, first, io);
    refuseUnknownHelp(program, own);
    await program.parseAsync(own, { from: "user" });
    return read ?? exitCodes.done;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
}

/** Loads the named command, and the default one, whose options are also in the program's own help. */
async function loadCommands(name: string): Promise<ReadonlyMap<string, CommandDefinition>> {
  const loaded = new Map<string, CommandDefinition>();
  for (const each of new Set([defaultCommand, name])) {
    const definition = await commands.get(each)?.load();
    if (definition !== undefined) loaded.set(each, definition);
  }
  return loaded;
}

/** Splits a command line at the first `--`. Options are only read before it. */
function splitWords(args: readonly string[]): {
  readonly own: readonly string[];
  readonly behindDashes?: readonly string[];
} {
  const dashes = args.indexOf("--");
  if (dashes === -1) return { own: args };
  return { own: args.slice(0, dashes), behindDashes: args.slice(dashes + 1) };
}

interface ProgramSetup {
  readonly io: Io;
  /** The commands whose options are defined. */
  readonly loaded: ReadonlyMap<string, CommandDefinition>;
  readonly behindDashes?: readonly string[] | undefined;
  /** Receives the command line once it is read. */
  readonly done: (commandLine: CommandLine) => void;
}

/** Defines the command line for commander. It throws a `CommanderError` for help, the version and wrong usage. */
export function createProgram(setup: ProgramSetup): Command {
  const { io, loaded } = setup;
  const program: Command = new Command("backlot")
    .description("OpenAI-compatible chat and REST tables from one JSON file.")
    .version(version, "-v, --version", "show the version")
    .helpOption("-h, --help", "show this help")
    .exitOverride()
    .configureOutput({
      writeOut: io.stdout.write,
      writeErr: io.stderr.write,
      getOutHelpWidth: () => io.stdout.columns ?? 80,
    })
    .showHelpAfterError(adviceOfHelp())
    .configureHelp({
      minWidthToWrap: 20,
      formatHelp: (command, helper) => {
        const isProgram = command === program;
        if (isProgram) showAtTop(program.commands[0]?.options ?? [], helper);
        const [head = "", options = "", commandList = ""] = new Help()
          .formatHelp(command, helper)
          .split(/^(?=Options:|Commands:)/m);
        const after = isProgram ? examples : loaded.get(command.name())?.help;
        const start = commandList === "" ? head : `${head}${commandList}\n`;
        return `${start}${options.trimEnd()}\n${wrapHelp(after ?? "", helper)}`;
      },
    })
    .usage("[start] [fixtures] [options]");
  for (const [name, { description }] of commands) {
    const isDefault = name === defaultCommand;
    const command = program.command(name, { isDefault }).description(description);
    const definition = loaded.get(name);
    if (definition !== undefined) defineCommand(program, command, { ...setup, definition });
  }
  for (const command of [program, ...program.commands]) {
    command.configureOutput({
      outputError: (text, write) => write(withoutValue(text, command.options)),
    });
  }
  return program;
}

/** Says how to get help. Without a command it is the program's own help, which shows the default command's options. */
function adviceOfHelp(command?: string): string {
  return `Run backlot ${command === undefined ? "" : `${command} `}--help for help.`;
}

function defineCommand(
  program: Command,
  command: Command,
  {
    definition,
    io,
    loaded,
    behindDashes,
    done,
  }: ProgramSetup & { readonly definition: CommandDefinition },
): void {
  const { options, usage, takesCommand } = definition;
  for (const [name, description] of definition.arguments ?? []) command.argument(name, description);
  for (const option of options) command.addOption(commanderOption(option, command));
  const isDefault = command.name() === defaultCommand;
  const advice = isDefault ? adviceOfHelp() : adviceOfHelp(command.name());
  if (usage === undefined) command.showHelpAfterError(advice);
  else
    command.usage(usage).showHelpAfterError(`Usage: backlot ${command.name()} ${usage}\n${advice}`);
  // Without `--` it is unclear which words belong to the command, so this is reported first.
  if (takesCommand && behindDashes === undefined) {
    command.allowExcessArguments().allowUnknownOption();
  }
  command.action(() => {
    const words = namedArguments(command);
    const [word] = command.args;
    if (isDefault && word !== undefined && program.args[0] !== defaultCommand) {
      refuseMistypedCommand(program, word, io);
    }
    try {
      refuseUnknownVariables(io.env, [...loaded.values()]);
      const flags = readFlags(command, io, options);
      const given = {
        ...flags,
        ...words,
        ...(takesCommand ? { command: behindDashes ?? [] } : {}),
      };
      definition.check?.(given as never, io);
      done({ command: definition, options: given });
    } catch (error) {
      if (error instanceof UsageError) command.error(`error: ${error.message}`);
      throw error;
    }
  });
}

function namedArguments(command: Command): Readonly<Record<string, string>> {
  const named = command.registeredArguments.map((argument, at) => [
    argument.name(),
    command.args[at],
  ]);
  return Object.fromEntries(named.filter(([, word]) => word !== undefined));
}

/** An option in commander's form, with our own parsing and messages. */
function commanderOption(option: CommandOption, command: Command): Option {
  const { flags, description, secret, read, conflicts = [] } = option;
  const made = new Option(flags, description).conflicts(conflicts);
  if (read === undefined) return made;
  return made.argParser<unknown>((text, before) => {
    const values: readonly unknown[] = Array.isArray(before) ? before : [];
    try {
      return made.variadic ? [...values, read(text)] : read(text);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      // The value is secret, and commander's own message would show it.
      if (secret) {
        command.error(`error: option '${flags}' has an invalid value. ${error.message}`);
      }
      throw new InvalidArgumentError(error.message);
    }
  });
}

/** The given options: the command line wins over the environment. */
function readFlags(command: Command, { env }: Io, options: readonly CommandOption[]): object {
  const given: Record<string, unknown> = {};
  const overridden = new Set<string>();
  for (const option of options) {
    const name = new Option(option.flags).attributeName();
    if (command.getOptionValueSource(name) !== "cli") continue;
    given[keyOf(option)] = command.getOptionValue(name);
    for (const key of option.overrides ?? []) overridden.add(key);
  }
  const below = Object.entries(environmentFlags(env, options));
  return { ...Object.fromEntries(below.filter(([key]) => !overridden.has(key))), ...given };
}

/** Refuses unknown variables that begin like Backlot's own, since a mistyped one would have no effect. */
function refuseUnknownVariables(env: Io["env"], loaded: readonly CommandDefinition[]): void {
  const options = loaded.flatMap((definition) => definition.options);
  const known = [
    serverVariable,
    browserVariable,
    ...options.flatMap(({ variable = "" }) => variable),
  ];
  const unknown = Object.keys(env).find(
    (name) => /^BACKLOT_/i.test(name) && (env[name] ?? "") !== "" && !known.includes(name),
  );
  if (unknown === undefined) return;
  const nearest = didYouMean(nearestName(unknown, known));
  throw new UsageError(`unknown environment variable '${unknown}'. Correct or unset it${nearest}`);
}

/**
 * Commander's message about an unknown option such as `--tokne=s3cret`, without the possible secret. It also covers a
 * value for an option that takes none.
 */
function withoutValue(complaint: string, options: readonly Option[]): string {
  const [whole, flag = ""] = /^error: unknown option '(-[^=']*)=.*'/s.exec(complaint) ?? [];
  if (whole === undefined) return complaint;
  const isKnown = options.some(({ long, short }) => flag === long || flag === short);
  if (isKnown) return `error: option '${flag}' takes no value\n`;
  return `error: unknown option '${flag}'${complaint.slice(whole.length)}`;
}

/** Adds the options of the default command to the program's own help, since they work without the command's name. */
function showAtTop(options: readonly Option[], helper: Help): void {
  const visibleOptions = helper.visibleOptions.bind(helper);
  helper.visibleOptions = (command) => [...options, ...visibleOptions(command)];
}

/**
 * Refuses a word that was meant as a command. Any unknown first word, such as `chekc`, counts as a path of fixtures. If
 * that path does not exist and the word looks like a name, it is probably a mistyped command, or a command after
 * options.
 */
function refuseMistypedCommand(program: Command, word: string, { cwd }: Pick<Io, "cwd">): void {
  if (!/^[a-z]+$/i.test(word) || exists(word, cwd)) return;
  if (commands.has(word)) {
    program.error(
      `error: '${word}' comes after the options. Put the command first: backlot ${word} …`,
    );
  }
  const nearest = nearestName(word, [...commands.keys()]) ?? nearestFixtures(word, cwd);
  program.error(
    `error: unknown command '${word}', and there are no fixtures of that name${didYouMean(nearest)}`,
  );
}

/** Refuses an unknown command after `help`. Commander would show the general help. */
function refuseUnknownHelp(program: Command, [first, word = ""]: readonly string[]): void {
  const names = [...commands.keys(), "help"];
  if (first !== "help" || word === "" || word.startsWith("-") || names.includes(word)) return;
  program.error(`error: unknown command '${word}'${didYouMean(nearestName(word, names))}`);
}

function didYouMean(nearest: string | undefined): string {
  return nearest === undefined ? "" : `\n(Did you mean ${nearest}?)`;
}
