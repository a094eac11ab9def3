import type { Io } from "./io.ts";
import { OptionValueError, readSwitch } from "./option-values.ts";
import { type StartFlags, type StartOption, startOptions, switchValue } from "./start-options.ts";

/** The token's variable is the one in which the emulated service's own configuration has it. */
const ownNames: ReadonlyMap<string, string> = new Map([["token", "AUTHORIZATION_TOKEN"]]);

/** The environment variable of an option: `--rest-profile` is `BACKLOT_REST_PROFILE`. */
export function variableName({ name }: Pick<StartOption, "name">): string {
  return ownNames.get(name) ?? `BACKLOT_${name.replaceAll("-", "_").toUpperCase()}`;
}

/** These options, by default all, from the environment. An empty variable counts as unset. Throws an `OptionValueError`. */
export function environmentFlags(
  env: Io["env"],
  options: readonly StartOption[] = startOptions,
): StartFlags {
  const flags: Record<string, unknown> = {};
  for (const option of options) {
    const name = variableName(option);
    const text = env[name] ?? "";
    if (text !== "") flags[option.key] = readVariable(name, text, readerOf(option));
  }
  return flags;
}

function readerOf(option: StartOption): VariableReader<unknown> {
  const { read, several = false, secret = false } = option;
  if (read === undefined) {
    return { secret, read: (text) => readSwitch(text) === switchValue(option) };
  }
  if (!several) return { secret, read };
  return { secret, read: (text) => text.split(",").map((part) => read(part.trim())) };
}

/** How the value of a variable is read, and whether it may be shown. */
export interface VariableReader<Value> {
  readonly secret: boolean;
  readonly read: (text: string) => Value;
}

/** Reads an environment variable. An `OptionValueError` names it, and shows its value only where that is no secret. */
export function readVariable<Value>(
  name: string,
  text: string,
  { secret, read }: VariableReader<Value>,
): Value {
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof OptionValueError)) throw error;
    const wrong = secret ? "an invalid value" : `the value '${text}', which is invalid`;
    throw new OptionValueError(`environment variable ${name} has ${wrong}. ${error.message}`);
  }
}
