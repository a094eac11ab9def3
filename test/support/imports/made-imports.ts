import type { MadeImport } from "./made-import.ts";
import { mocks, refused, tables } from "./mocks.ts";
import { recordings } from "./recordings.ts";

/** A file of each kind that import knows: those that are read, and those that are refused by name. */
export const madeImports: readonly MadeImport[] = [...recordings, ...mocks, ...refused, ...tables];
