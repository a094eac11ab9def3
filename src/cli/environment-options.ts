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
    if (text !== "") flags[option.key] = valueOf(option, name, text);
  }
  return flags;
}

function valueOf(option: StartOption, name: string, text: string): unknown {
  const { read, several = false } = option;
  try {
    if (read === undefined) return readSwitch(text) === switchValue(option);
    return several ? text.split(",").map((part) => read(part.trim())) : read(text);
  } catch (error) {
    if (!(error instanceof OptionValueError)) throw error;
    throw new OptionValueError(
      `environment variable ${name} has the value '${text}', which is invalid. ${error.message}`,
    );
  }
}
