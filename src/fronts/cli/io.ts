/** A stream that text is written to. */
export interface Output {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  /** How many characters a line of the terminal has, where that is known. */
  readonly columns?: number | undefined;
  /** Resolves once the system has what was written; with false when there is no reader any more. */
  readonly flushed?: () => Promise<boolean>;
}

/** What a command knows of the world around it. The entry file makes it of the process, a test of what it likes. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory, absolute. */
  readonly cwd: string;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
  /** Resolves when the user wants the command to end, by Ctrl-C, SIGTERM or SIGHUP. */
  readonly untilStopped: () => Promise<void>;
}
