import { isEmulatorError } from "../../core/errors/emulator-error.ts";
import { visibleLines } from "../../core/errors/visible-text.ts";
import { withoutPasswords } from "./without-passwords.ts";

/** A stream for text output. */
export interface Output {
  /** Writes text for people. */
  readonly write: (text: string) => void;
  /** Writes data, byte by byte unless it goes to a terminal. Default: as `write` does. */
  readonly writeData?: (text: string) => void;
  /** A mark that precedes each escape sequence of Backlot's own. Default: none. */
  readonly mark?: string;
  readonly isTerminal: boolean;
  /** The width of the terminal in characters, if known. */
  readonly columns?: number | undefined;
  /** The number of bytes that the reader has not taken yet. */
  readonly unread?: () => number;
  /** Resolves when the system has taken the output; with false when the reader is gone. */
  readonly flushed?: () => Promise<boolean>;
}

/** The environment of a command. The entry file makes it from the process, a test from anything. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory, absolute. */
  readonly cwd: string;
  /** The addresses by which other machines reach this one. */
  readonly addresses: () => readonly string[];
  /** Milliseconds of Unix time. */
  readonly now: () => number;
  /**
   * Resolves when the user ends the command, by Ctrl-C, SIGTERM or SIGHUP. The signal after that ends the process at
   * once, unless `spared` further signals are ignored while the command finishes its work.
   */
  readonly untilStopped: (spared?: number) => Promise<void>;
}

/** Writes pieces until nobody reads any more, as in `backlot export | head -3`. */
export async function writePieces(
  { write, writeData = write, flushed }: Output,
  pieces: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  for await (const piece of pieces) {
    writeData(piece);
    if ((await flushed?.()) === false) return;
  }
}

/** Quotes one word for a POSIX shell, even a URL: zsh takes a bare `?` for a pattern. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The exit codes, the same for every command. */
export const exitCodes = {
  done: 0,
  /** A mistake of the user. A message says what is wrong and what to do. */
  problem: 1,
  usage: 2,
  bug: 70,
} as const;

const report = `This is a bug in Backlot. Please report it with these lines and what you did before.`;

/** Describes a failure: by its message for a user's mistake, by its stack for a bug. */
export function describeFailure(error: unknown): string {
  if (isEmulatorError(error)) return `error: ${withoutPasswords(error.message)}`;
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `${withoutPasswords(visibleLines(stack))}\n${report}`;
}

/** The exit code for a failure. */
export function exitCodeFor(error: unknown): number {
  return isEmulatorError(error) ? exitCodes.problem : exitCodes.bug;
}
