import { type Command, InvalidArgumentError, Option } from "commander";
import { environmentFlags } from "./environment-options.ts";
import type { Io } from "./io.ts";
import { OptionValueError } from "./option-values.ts";
import {
  type StartFlags,
  type StartOption,
  startOptions,
  type ValueOption,
} from "./start-options.ts";

/** Has a command take an option. A wrong value is wrong usage; one that is secret is not shown. */
export function addOption(command: Command, option: ValueOption): void {
  command.addOption(commanderOption(option, command));
}

/** An option in commander's form, for a command, which reads and refuses values by its own rules. */
export function commanderOption(
  { name, short, value, several, description, secret, read }: ValueOption,
  command: Command,
): Option {
  const names = short === undefined ? `--${name}` : `-${short}, --${name}`;
  const option = new Option(value === undefined ? names : `${names} ${value}`, description);
  if (read === undefined) return option;
  return option.argParser<unknown>((text, before) => {
    const values: readonly unknown[] = Array.isArray(before) ? before : [];
    try {
      return several === true ? [...values, read(text)] : read(text);
    } catch (error) {
      if (!(error instanceof OptionValueError)) throw error;
      // What commander itself makes of it has the value in it.
      if (secret) {
        command.error(`error: option '${option.flags}' has an invalid value. ${error.message}`);
      }
      throw new InvalidArgumentError(error.message);
    }
  });
}

/** The options of the environment. A value that cannot be is wrong usage. */
export function environmentFlagsOf(
  command: Command,
  { env }: Io,
  options: readonly StartOption[] = startOptions,
): StartFlags {
  return readOrRefuse(command, () => environmentFlags(env, options));
}

/** What is read of the environment; a value that cannot be is wrong usage. */
export function readOrRefuse<Flags>(command: Command, read: () => Flags): Flags {
  try {
    return read();
  } catch (error) {
    if (error instanceof OptionValueError) command.error(`error: ${error.message}`);
    throw error;
  }
}

/** The options of the command line itself, without commander's own defaults for the `--no-…` ones. */
export function givenFlags(command: Command): StartFlags {
  const entries = Object.entries(command.opts<Record<string, unknown>>());
  return Object.fromEntries(
    entries.filter(([name]) => command.getOptionValueSource(name) === "cli"),
  );
}
