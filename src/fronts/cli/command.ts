import { Option } from "commander";
import type { Io } from "./io.ts";

/** A command: its command line, and what it does. */
export interface CommandDefinition {
  /** Pairs of a name as in help, such as `[fixtures]`, and its meaning. `run` gets it as an option of that name. */
  readonly arguments?: readonly (readonly [name: string, description: string])[];
  /** In the order of the help. */
  readonly options: readonly CommandOption[];
  /** The text after the options in help. */
  readonly help?: string;
  /** The usage line, where commander's is unclear. */
  readonly usage?: string;
  /** Whether the words after `--` are a command line, given as the option `command`. */
  readonly takesCommand?: true;
  /** Throws a `UsageError` for options that cannot be combined. */
  readonly check?: (options: never, io: Io) => void;
  /** Resolves with the exit code. Rejects with an `EmulatorError` for the user's mistakes. */
  readonly run: (options: never, io: Io) => Promise<number>;
}

/** An option of a command. */
export interface CommandOption {
  /**
   * As help shows it: `-p, --port <n>`, or `--host <name...>` for several values. Without a value it is a switch, which
   * sets its property to true; a switch called `--no-…` sets it to false.
   */
  readonly flags: string;
  /** The property that it sets. Default: its name in camel case. */
  readonly key?: string;
  readonly description: string;
  /** Whether its value is or may contain a secret: no message shows it. */
  readonly secret?: true;
  /** The environment variable that sets it unless the command line does. */
  readonly variable?: string;
  /** Properties that the environment cannot set when the command line has this option. */
  readonly overrides?: readonly string[];
  /** The option that it excludes. */
  readonly conflicts?: string;
  /** Reads one value. Throws a `UsageError`. */
  readonly read?: (text: string) => unknown;
}

/** An invalid command line. The message says what is valid. */
export class UsageError extends Error {}

/** The property that an option sets. */
export function keyOf({ key, flags }: CommandOption): string {
  return key ?? new Option(flags).attributeName();
}

/** An option's long name, without the dashes. */
export function nameOf({ flags }: CommandOption): string {
  return new Option(flags).name();
}

/** Options from the environment. An empty variable counts as unset. Throws a `UsageError`. */
export function environmentFlags(
  env: Io["env"],
  options: readonly CommandOption[],
): Readonly<Record<string, unknown>> {
  const flags: Record<string, unknown> = {};
  for (const option of options) {
    const text = option.variable === undefined ? "" : (env[option.variable] ?? "");
    if (text !== "") flags[keyOf(option)] = readVariable(option, text);
  }
  return flags;
}

/** An option's value in its environment variable. An error shows it unless it is secret. */
function readVariable(option: CommandOption, text: string): unknown {
  const { read, secret = false, variable } = option;
  const { negate, variadic } = new Option(option.flags);
  try {
    if (read === undefined) return readSwitch(text) !== negate;
    return variadic ? text.split(",").map((part) => read(part.trim())) : read(text);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const wrong = secret ? "an invalid value" : `the value '${text}', which is invalid`;
    throw new UsageError(`environment variable ${variable} has ${wrong}. ${error.message}`);
  }
}

function readSwitch(text: string): boolean {
  const value = text.toLowerCase();
  if (["1", "true", "yes", "on"].includes(value)) return true;
  if (["0", "false", "no", "off"].includes(value)) return false;
  throw new UsageError("Give 1 or 0, or leave it empty.");
}
