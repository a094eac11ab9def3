import type { RecordingRules } from "../../recordings/cassette.ts";

/** The folder that the fixtures come from, and are loaded from again when it changes. */
export interface FixtureFolder {
  /** The folder's name in messages. */
  readonly label: string;
  /**
   * Writes a new file, named by its path in the folder. Rejects with `ERR_SCRIPT_REFUSED`, and leaves a file that is
   * there as it is.
   */
  readonly write: (name: string, text: string) => Promise<void>;
  /**
   * Writes an HTTP archive as cassettes, replacing those with the same names. Rejects with `ERR_OPTION_INVALID` if
   * there is nothing to write, or nowhere to write it.
   */
  readonly record: (har: object, rules: RecordingRules) => Promise<WrittenCassettes>;
  /** The bytes of the files that it has written and that are still there. */
  readonly writtenBytes: () => number;
}

/** The files that an archive was written to, and what was left out. */
export interface WrittenCassettes {
  readonly files: readonly string[];
  readonly remarks: readonly string[];
}
