import { parseArgs, type ParseArgsConfig } from "node:util";

/** What a script was given, and how it refuses an argument. */
type Arguments<Config extends ParseArgsConfig> = ReturnType<typeof parseArgs<Config>> & {
  /** Ends the script with status 2, the reason and the usage. */
  readonly refuse: (reason: string) => never;
  /** The whole number that an option's text says. Refuses any other text. */
  readonly wholeNumber: (name: string, text: string, bounds?: Bounds) => number;
};

interface Bounds {
  /** Default: 0. */
  readonly least?: number;
  /** Default: 999,999,999,999,999. */
  readonly most?: number;
}

/** Reads the arguments of a script. Ends it with status 2 and the usage if one is unknown or lacks its value. */
export function readArguments<const Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): Arguments<Config> {
  function refuse(reason: string): never {
    console.error(`error: ${reason} ${usage}`);
    return process.exit(2);
  }
  function wholeNumber(name: string, text: string, bounds: Bounds = {}): number {
    const { least = 0, most = 999_999_999_999_999 } = bounds;
    const number = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
    if (number !== undefined && number >= least && number <= most) return number;
    const range = `from ${count(least)} to ${count(most)}`;
    return refuse(`--${name} is "${text}" and takes a whole number ${range}.`);
  }
  try {
    return { ...parseArgs(config), refuse, wholeNumber };
  } catch (error) {
    // What follows the first sentence is about words that begin with a dash.
    const [reason = ""] = String(error instanceof Error ? error.message : error).split(/[.\n]/);
    return refuse(`${reason}.`);
  }
}

/** A number with its thousands apart. */
export function count(number: number): string {
  return number.toLocaleString("en-US");
}
