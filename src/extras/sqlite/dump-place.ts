import type { FixtureFile } from "../../core/fixture-set/assemble.ts";

/** A place in the text of a dump. */
export interface DumpPlace {
  readonly file: FixtureFile;
  /** In UTF-16 code units from the file's beginning. */
  readonly offset: number;
}
