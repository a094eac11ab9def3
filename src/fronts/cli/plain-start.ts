import { mergeFlags } from "./emulator-settings.ts";
import { environmentFlags } from "./environment-options.ts";
import { exists } from "../node/fixture-place.ts";
import type { Io } from "./io.ts";
import { OptionValueError } from "./option-values.ts";
import { type StartFlags, startOptions, switchValue } from "./start-options.ts";

/** What a plain start is told. */
export interface PlainStart extends StartFlags {
  readonly fixtures?: string;
}

/**
 * Reads a command line that starts the server with options in their usual forms. Undefined for any other, right or
 * wrong: that is for commander, whose loading and setting up takes 15 ms, more than a third of what a start may take.
 */
export function readPlainStart(
  args: readonly string[],
  { env, cwd }: Pick<Io, "env" | "cwd">,
): PlainStart | undefined {
  const isNamed = args[0] === "start";
  try {
    const given = readWords(isNamed ? args.slice(1) : args);
    if (given === undefined) return undefined;
    const { fixtures, flags } = given;
    if (fixtures !== undefined && !isNamed && couldBeCommand(fixtures, cwd)) return undefined;
    const merged = mergeFlags(environmentFlags(env), flags);
    return fixtures === undefined ? merged : { ...merged, fixtures };
  } catch (error) {
    if (error instanceof OptionValueError) return undefined;
    throw error;
  }
}

function readWords(
  words: readonly string[],
): { readonly fixtures: string | undefined; readonly flags: StartFlags } | undefined {
  const flags: Record<string, unknown> = {};
  let fixtures: string | undefined;
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (!word.startsWith("-")) {
      if (fixtures !== undefined || word === "") return undefined;
      fixtures = word;
      continue;
    }
    const option = startOptions.find(
      ({ name, short }) => word === `--${name}` || word === `-${short}`,
    );
    if (option === undefined || option.several || Object.hasOwn(flags, option.key))
      return undefined;
    const value = option.read === undefined ? undefined : rest.shift();
    // Such as `--seed -5`, or an option whose value is missing.
    if (option.read !== undefined && (value === undefined || value.startsWith("-")))
      return undefined;
    flags[option.key] = value === undefined ? switchValue(option) : option.read?.(value);
  }
  return { fixtures, flags };
}

const commands: readonly string[] = [
  "start",
  "check",
  "init",
  "generate",
  "exec",
  "export",
  "import",
  "record",
  "verify",
  "help",
];

/** Whether a first word may be a command, or one that was mistyped. */
function couldBeCommand(word: string, cwd: string): boolean {
  return commands.includes(word) || (/^[a-z]+$/i.test(word) && !exists(word, cwd));
}
