import { counted, didYouMean, showValue } from "./show.ts";
import { visibleLines } from "./visible-text.ts";

/** Error codes, for programs to switch on. Messages may change; codes do not. */
export type EmulatorErrorCode =
  /** The fixtures do not fit the format, or contradict themselves. `problems` lists each place. */
  | "ERR_FIXTURES_INVALID"
  /** There are no fixtures at the path, or they cannot be read. */
  | "ERR_FIXTURES_UNREADABLE"
  /** An invalid value of an option of `createEmulator`, the server or the command line. */
  | "ERR_OPTION_INVALID"
  /** The fixtures have no table of that name. */
  | "ERR_TABLE_UNKNOWN"
  /** A row given to `emulator.tables` does not fit its table, or breaks one of its constraints. */
  | "ERR_ROW_REFUSED"
  /** There is no room for more rows. */
  | "ERR_ROWS_FULL"
  /** There is no room for more scripts, faults, recordings and kept answers. */
  | "ERR_ADDED_FULL"
  /** The server is at its limit of concurrent work. */
  | "ERR_BUSY"
  /** A script given to `emulator.chats` is invalid, or its name is taken or unknown. */
  | "ERR_SCRIPT_REFUSED"
  /** A fault given to `emulator.faults` is invalid, or no fault has that id. */
  | "ERR_FAULT_REFUSED"
  /** A template could not be parsed, or failed to render. */
  | "ERR_TEMPLATE_INVALID"
  /** The port is in use, or the server cannot listen on the address. */
  | "ERR_LISTEN"
  /** Nothing answers at a server's URL, or the answer is not from Backlot. */
  | "ERR_SERVER_UNREACHABLE"
  /** A feature needs a package that is not installed, such as `msw`. */
  | "ERR_PACKAGE_MISSING"
  /** Node, or a package such as `msw`, is older than what the feature can work with. */
  | "ERR_VERSION_TOO_OLD";

/** A problem and its place. Lines and columns count from 1; columns in UTF-16 code units. */
export interface Problem {
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** The place in the document, such as `tables.users.rows[3].email`, or in the file. */
  readonly path?: string;
}

const errorName = "EmulatorError";

/**
 * A mistake of the person who uses Backlot: a broken fixture, a wrong option, a row that does not fit. It is thrown;
 * mistakes of the emulated service's clients are answered instead.
 */
export class EmulatorError extends Error {
  readonly code: EmulatorErrorCode;
  /** Every problem found, if there can be several. */
  readonly problems: readonly Problem[];

  constructor(
    code: EmulatorErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly problems?: readonly Problem[] } = {},
  ) {
    // The message may quote fixtures and servers, and terminals show it, so no character may control them.
    super(
      visibleLines(message),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = errorName;
    this.code = code;
    this.problems = options.problems ?? [];
  }
}

/** The error for an invalid option, or for a task that the given options make impossible. */
export function invalidOption(message: string, cause?: unknown): EmulatorError {
  return new EmulatorError("ERR_OPTION_INVALID", message, { cause });
}

/**
 * Throws for a key of an options object that is not one of `names`. The message begins with `cannot` and calls a key a
 * `noun`.
 */
export function refuseUnknown(
  given: object,
  names: readonly string[],
  { cannot, noun }: { readonly cannot: string; readonly noun: string },
): void {
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw invalidOption(
    `${cannot}: there is no ${noun} "${unknown}".${didYouMean(unknown, names)} Use: ${names.join(", ")}.`,
  );
}

/**
 * Throws if something other than an emulator, such as options, is passed as the first argument. The message begins with
 * `cannot`.
 */
export function refuseOtherThanEmulator(given: unknown, cannot: string): void {
  if (typeof given === "object" && given !== null && "core" in given) return;
  throw invalidOption(
    `${cannot}: its first argument is ${showValue(given)}, not an emulator. Pass the result of \`await createEmulator()\` first, and options after it.`,
  );
}

/** Tells an EmulatorError from any other value, by name: `instanceof` fails across copies of the package. */
export function isEmulatorError(value: unknown): value is EmulatorError {
  return typeof value === "object" && value !== null && "name" in value && value.name === errorName;
}

/** A problem on one line: `file:line:column: message`, or `tables.users.rows[3].email: message`. */
function formatProblem(problem: Problem): string {
  const { file, line, column, path } = problem;
  if (file === undefined)
    return path === undefined ? problem.message : `${path}: ${problem.message}`;
  const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  return `${place}: ${problem.message}`;
}

/** An error with one problem per line, sorted by file and place. */
export function problemsError(
  code: EmulatorErrorCode,
  what: string,
  options: { readonly problems: readonly Problem[]; readonly more?: number },
): EmulatorError {
  const { more = 0 } = options;
  const problems = inFileOrder(options.problems);
  const lines = problems.map(formatProblem);
  if (more > 0) lines.push(`and ${counted(more, "more problem")}.`);
  return new EmulatorError(code, `Cannot ${what}:\n${lines.join("\n")}`, { problems });
}

/** Sorts problems by file, and by line within a file. Problems without a file keep their order. */
function inFileOrder(problems: readonly Problem[]): readonly Problem[] {
  const files = [...new Set(problems.map(({ file = "" }) => file))].toSorted();
  return problems.toSorted(
    (left, right) =>
      files.indexOf(left.file ?? "") - files.indexOf(right.file ?? "") ||
      (left.line ?? 0) - (right.line ?? 0) ||
      (left.column ?? 0) - (right.column ?? 0),
  );
}
