import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { counted } from "../../core/errors/show.ts";
import { asObject, parseJson } from "../../core/schema/json.ts";
import { fileStem, isTapeOf } from "./tape-place.ts";

/** A test file whose tests were run or skipped. */
export interface FinishedFile {
  readonly path: string;
  /** The name of the project that ran it; empty if it has none. */
  readonly project: string;
  /** All tests of the file, including those that were not selected. */
  readonly tests: readonly {
    /** The name of its cassette's file. */
    readonly tape: string;
    readonly hasPassed: boolean;
  }[];
  /** The folder of the file's cassettes. */
  readonly tapeFolder: string;
  /** The paths of the cassettes that the file's tests requested. */
  readonly asked: ReadonlySet<string>;
  /** The folder that contains all test files. */
  readonly root: string;
}

/**
 * The cassettes that no test requests any more: of tests that the file no longer has, of tests that passed without
 * requesting theirs, and of test files that are gone. Tests that were skipped or failed may still need theirs. Files
 * that may belong to another test file or project are not reported.
 */
export function unaskedCassettes(file: FinishedFile): readonly string[] {
  return [...tapesOfMissingTests(file), ...tapesOfMissingFiles(file)];
}

/** Lists these cassettes. Undefined if there are none. */
export function describeUnasked(paths: readonly string[], from: string): string | undefined {
  if (paths.length === 0) return undefined;
  const [one, it] =
    paths.length === 1 ? ["1 cassette", "it"] : [counted(paths.length, "cassette"), "them"];
  return [
    `No test asks any more for ${one}:`,
    ...paths.map((path) => `  ${relative(from, path)}`),
    `Delete ${it}, or give the test its former name.`,
  ].join("\n");
}

function tapesOfMissingTests(file: FinishedFile): readonly string[] {
  const { tapeFolder, project, tests, asked } = file;
  const expected = new Set(tests.filter(({ hasPassed }) => !hasPassed).map(({ tape }) => tape));
  const left = tapesIn(tapeFolder).filter(
    (path) =>
      isTapeOf(basename(path), project) && !asked.has(path) && !expected.has(basename(path)),
  );
  if (left.length === 0) return [];
  const owners = ownersOf(file).filter((path) => fileStem(path) === basename(tapeFolder));
  return owners.every((path) => path === file.path) ? left : [];
}

/** The cassettes of missing test files. Of the test files beside them, only the first reports them. */
function tapesOfMissingFiles(file: FinishedFile): readonly string[] {
  const folder = dirname(file.tapeFolder);
  const own = basename(file.tapeFolder);
  const names = entriesOf(folder).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  // Most folders of cassettes are alone, and finding the owners takes time.
  if (names.every((name) => name === own)) return [];
  const stems = new Set(ownersOf(file).map(fileStem));
  const [first] = names.filter((name) => stems.has(name)).toSorted();
  if (first !== own) return [];
  return names
    .filter((name) => !stems.has(name) && isTapeFolder(join(folder, name)))
    .flatMap((name) => tapesIn(join(folder, name)));
}

/** Whether a folder contains nothing but cassettes. */
function isTapeFolder(folder: string): boolean {
  return tapesIn(folder).length === entriesOf(folder).length;
}

/** The cassettes in a folder, without other files. */
function tapesIn(folder: string): readonly string[] {
  return entriesOf(folder)
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map(({ name }) => join(folder, name))
    .filter((path) =>
      Array.isArray(asObject(parseJson(readFileSync(path, "utf8")))?.["cassettes"]),
    );
}

/** All test files whose cassettes may be in the same place. */
function ownersOf({ path, tapeFolder, root }: FinishedFile): readonly string[] {
  const folder = dirname(path);
  if (isBelow(tapeFolder, folder)) {
    return entriesOf(folder).flatMap((entry) => (entry.isFile() ? [join(folder, entry.name)] : []));
  }
  return [path, ...filesBelow(root)];
}

/** All files below a folder, except in hidden folders and `node_modules`. */
function filesBelow(folder: string): readonly string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile()) return [path];
    const isOwn =
      entry.isDirectory() && entry.name !== "node_modules" && !entry.name.startsWith(".");
    return isOwn ? filesBelow(path) : [];
  });
}

function isBelow(path: string, folder: string): boolean {
  const below = relative(folder, path);
  return below !== ".." && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // A folder that is missing or cannot be read has nothing to report.
    return [];
  }
}
