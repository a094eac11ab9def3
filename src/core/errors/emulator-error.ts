import { counted } from "./counted.ts";

/** What went wrong, for programs to switch on. Messages may change; codes do not. */
export type EmulatorErrorCode =
  /** The fixtures do not fit the format, or contradict themselves. `problems` lists each place. */
  | "ERR_FIXTURES_INVALID"
  /** No fixtures where they were looked for, or they cannot be read. */
  | "ERR_FIXTURES_UNREADABLE"
  /** An option of `createEmulator`, the server or the command line has a value that it cannot have. */
  | "ERR_OPTION_INVALID"
  /** A table that the fixtures do not have was asked for. */
  | "ERR_TABLE_UNKNOWN"
  /** A row given to `emulator.tables` does not fit its table, or breaks one of its constraints. */
  | "ERR_ROW_REFUSED"
  /** A script given to `emulator.chats` does not fit the format, or its name is taken or unknown. */
  | "ERR_SCRIPT_REFUSED"
  /** A fault given to `emulator.faults` does not fit, or there is none of that id. */
  | "ERR_FAULT_REFUSED"
  /** A template could not be read, or failed while it was rendered. */
  | "ERR_TEMPLATE_INVALID"
  /** The port is in use, or the address cannot be listened on. */
  | "ERR_LISTEN"
  /** Nothing answers at the URL of a server, or what answers is no Backlot. */
  | "ERR_SERVER_UNREACHABLE"
  /** A feature needs a package that is not installed, such as `msw`. */
  | "ERR_PACKAGE_MISSING";

/** One thing that is wrong, and where. Lines and columns count from 1; columns in UTF-16 code units. */
export interface Problem {
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** Where in its document, such as `tables.users.rows[3].email`; of a file, where in the file. */
  readonly path?: string;
}

const errorName = "EmulatorError";

/**
 * A mistake of the person who uses Backlot: a broken fixture, a wrong option, a row that does not fit.
 * It is thrown; what a client of the emulated service does wrong is answered instead.
 */
export class EmulatorError extends Error {
  readonly code: EmulatorErrorCode;
  /** Every problem found, when there can be several. */
  readonly problems: readonly Problem[];

  constructor(
    code: EmulatorErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly problems?: readonly Problem[] } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = errorName;
    this.code = code;
    this.problems = options.problems ?? [];
  }
}

/**
 * Tells an EmulatorError from any other value. It goes by name, since `instanceof` fails for one that was
 * made by another copy of the package.
 */
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

/** The error for what is wrong, one problem on each line, by file and place. */
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

/** By file, and each from its top. What has no file keeps its order. */
function inFileOrder(problems: readonly Problem[]): readonly Problem[] {
  const files = [...new Set(problems.map(({ file = "" }) => file))].toSorted();
  return problems.toSorted(
    (left, right) =>
      files.indexOf(left.file ?? "") - files.indexOf(right.file ?? "") ||
      (left.line ?? 0) - (right.line ?? 0) ||
      (left.column ?? 0) - (right.column ?? 0),
  );
}
