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

/** An option in commander's form, which reads and refuses values by its own rules. */
export function commanderOption({
  name,
  short,
  value,
  several,
  description,
  read,
}: ValueOption): Option {
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
