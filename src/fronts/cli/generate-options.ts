import { readRowCount, readWhole } from "./option-values.ts";
import type { FixtureFlags, ValueOption } from "./start-options.ts";

/** The options of `generate` as they were given; what is left out was not given. */
export interface GenerateFlags {
  readonly rows?: number;
  readonly seed?: number;
  readonly replace?: boolean;
  readonly out?: string;
  readonly force?: boolean;
}

/** What `generate` is told. */
export interface GenerateOptions extends GenerateFlags, FixtureFlags {
  readonly table: string;
  readonly fixtures?: string;
}

/** An option of `generate`. */
export interface GenerateOption extends ValueOption {
  readonly key: keyof GenerateFlags;
  /** The option that it cannot stand together with. */
  readonly conflicts?: keyof GenerateFlags;
}

/** The options of `generate`, in the order in which help shows them. */
export const generateOptions: readonly GenerateOption[] = [
  {
    key: "rows",
    name: "rows",
    short: "n",
    value: "<n>",
    description: "how many rows, 10,000,000 at most (default: 100)",
    read: readRowCount,
  },
  {
    key: "seed",
    name: "seed",
    value: "<n>",
    description: "the same seed makes the same rows (default: that of the fixtures, else 1)",
    read: readWhole,
  },
  {
    key: "replace",
    name: "replace",
    description: "instead of the rows that the table has, rather than after them",
    conflicts: "out",
  },
  {
    key: "out",
    name: "out",
    short: "o",
    value: "<file>",
    description: "write an array of the rows alone to this file; -: to stdout",
    read: (text) => text,
  },
  { key: "force", name: "force", description: "overwrite the file that --out names" },
];
