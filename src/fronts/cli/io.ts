/** A stream for text output. */
export interface Output {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  /** The width of the terminal in characters, if known. */
  readonly columns?: number | undefined;
  /** Resolves when the system has the output; with false when the reader is gone. */
  readonly flushed?: () => Promise<boolean>;
}

/** The surroundings of a command. The entry file makes them from the process, a test from anything. */
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
   * Resolves when the user ends the command, by Ctrl-C, SIGTERM or SIGHUP. The next signal ends the process at once,
   * unless some more are spared while the command finishes its work.
   */
  readonly untilStopped: (spared?: number) => Promise<void>;
}

/** Writes pieces until nobody reads any more, as in `backlot export | head -3`. */
export async function writePieces(
  { write, flushed }: Output,
  pieces: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  for await (const piece of pieces) {
    write(piece);
    if ((await flushed?.()) === false) return;
  }
}
