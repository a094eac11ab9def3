import { type Command, InvalidArgumentError, type Option } from "commander";
import type { Io } from "./io.ts";
import type { StartFlags } from "./start-options.ts";

/** The token's variable is the one in which the emulated service's own configuration has it. */
const ownNames: ReadonlyMap<string, string> = new Map([["--token", "AUTHORIZATION_TOKEN"]]);

/** The environment variable of an option: `--rest-profile` is `BACKLOT_REST_PROFILE`. */
function variableName({ long = "" }: Option): string {
  return ownNames.get(long) ?? `BACKLOT_${long.slice(2).replaceAll("-", "_").toUpperCase()}`;
}

/**
 * Options from the environment. An empty variable counts as unset. Commander's own way is not taken, since it
 * reads the process's variables and takes empty ones for values.
 */
export function environmentFlags(
  command: Command,
  options: readonly Option[],
  env: Io["env"],
): StartFlags {
  const flags: Record<string, unknown> = {};
  for (const option of options) {
    const name = variableName(option);
    const text = env[name] ?? "";
    if (text === "") continue;
    try {
      flags[option.attributeName()] = valueOf(option, text);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      command.error(
        `error: environment variable ${name} has the value '${text}', which is invalid. ${error.message}`,
      );
    }
  }
  return flags;
}

function valueOf(option: Option, text: string): unknown {
  if (!option.required) return readSwitch(text) !== option.negate;
  const { parseArg: read } = option;
  if (read === undefined) return text;
  if (!option.variadic) return read<unknown>(text, undefined);
  return text.split(",").reduce<unknown>((before, part) => read(part.trim(), before), undefined);
}

function readSwitch(text: string): boolean {
  const value = text.toLowerCase();
  if (["1", "true", "yes", "on"].includes(value)) return true;
  if (["0", "false", "no", "off"].includes(value)) return false;
  throw new InvalidArgumentError("Give 1 or 0, or leave it empty.");
}
