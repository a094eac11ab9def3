import { Option } from "commander";
import type { Io } from "./io.ts";
import { didYouMean } from "../../core/errors/show.ts";

/** A command: its arguments and options, and what it does. */
export interface CommandDefinition {
  /**
   * The positional arguments: for each its name in the help, such as `[fixtures]`, and its meaning. `run` gets its
   * value as an option of that name.
   */
  readonly arguments?: readonly (readonly [name: string, description: string])[];
  /** The options, in the order of the help. */
  readonly options: readonly CommandOption[];
  /** The text after the options in help. */
  readonly help?: string;
  /** The usage line, where commander's is unclear. */
  readonly usage?: string;
  /** Whether the words after `--` are another command, which `run` gets as the option `command`. */
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
  /** The property that the option sets. Default: the option's name in camel case. */
  readonly key?: string;
  readonly description: string;
  /** Whether the value is or may contain a secret: no message shows it. */
  readonly secret?: true;
  /** The environment variable that sets the option unless the command line does. */
  readonly variable?: string;
  /** Properties that are not read from the environment if the command line has this option. */
  readonly overrides?: readonly string[];
  /** Another option that cannot be combined with this one. */
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

/** The forms of a whole number, and of one that may have a fraction, without a sign. */
export const wholeForm: RegExp = /^\d+$/;
export const decimalForm: RegExp = /^(?:\d+\.?\d*|\.\d+)$/;

/** Makes a reader for a number of a form and between two bounds. */
export function readNumber(
  form: RegExp,
  [least, most]: readonly [least: number, most: number],
  what: string,
): (text: string) => number {
  return (text) => {
    const number = form.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new UsageError(`Give ${what}.`);
  };
}

/** Reads a whole number, which may be negative. */
export const readWhole: (text: string) => number = readNumber(
  /^[+-]?\d+$/,
  [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  "a whole number, such as 1",
);

/** Reads milliseconds, or the shortest and the longest time. */
export function readLatency(text: string): number | readonly [number, number] {
  const [least = "", greatest = least, ...more] = text.split("-");
  const isRange = more.length === 0 && decimalForm.test(least) && decimalForm.test(greatest);
  if (isRange && Number(least) <= Number(greatest)) {
    return least === greatest ? Number(least) : [Number(least), Number(greatest)];
  }
  throw new UsageError("Give milliseconds, such as 200, or a range of them: 100-300.");
}

/** Reads a point in time, which stays a text. */
export function readClock(text: string): string {
  const looksLikeDate = /^\d{4}-\d{2}-\d{2}(?:T\S+)?$/.test(text);
  if (looksLikeDate && !Number.isNaN(Date.parse(text))) return text;
  throw new UsageError("Give an ISO date, such as 2024-01-01T00:00:00Z.");
}

/** Reads a key or token, which must fit into an HTTP header. */
export const readKey: (text: string) => string = readForm(
  /^[\u0021-\u007E]+$/,
  "ASCII letters, digits and signs, without spaces",
);

/** Makes a reader for a text that must match a form. */
export function readForm(form: RegExp, what: string): (text: string) => string {
  return (text) => {
    if (form.test(text)) return text;
    throw new UsageError(`Give ${what}.`);
  };
}

/** Makes a reader for an option with a few values. */
export function readChoice<const Choice extends string>(
  choices: readonly Choice[],
): (text: string) => Choice {
  return (text) => {
    const choice = choices.find((candidate) => candidate === text);
    if (choice !== undefined) return choice;
    throw new UsageError(`Allowed choices are ${choices.join(", ")}.${didYouMean(text, choices)}`);
  };
}

/** Reads the name of a file to write. */
export const readFileName: (text: string) => string = readForm(
  /^(?!-$)[^]*[^\\/]$/,
  "the name of a file, such as state.json",
);

/** Reads the URL of a PostgreSQL database. Its password is never shown. */
export function readDatabaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^postgres(?:ql)?:$/.test(url.protocol) && isWhole(url)) return text;
  throw new UsageError(
    "Give the URL of a PostgreSQL database, such as postgres://user:password@localhost/app. " +
      "In its user and password write # as %23, / as %2F, @ as %40, ? as %3F and % as %25.",
  );
}

/**
 * Whether a URL is not cut off within its password, so that the rest counts as a port and is shown:
 * `postgres://user:12#34@localhost/app`. A `%` that starts no escape is a similar mistake.
 */
function isWhole({ username, password, pathname, search, hash }: URL): boolean {
  if (hash !== "" || /@/.test(pathname + search)) return false;
  return !/%(?![\dA-Fa-f]{2})/.test(username + password);
}

/** Reads the URL of a service or interface, without trailing slashes. */
export function readServiceUrl(
  text: string,
  example: string = "such as https://api.example.com/v1",
): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`Give a URL, ${example}.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new UsageError(`Give a URL without a user and a password, ${example}.`);
  }
  if (url.search === "" && url.hash === "") return url.href.replace(/\/+$/, "");
  throw new UsageError(`Give a URL without a query, ${example}.`);
}
