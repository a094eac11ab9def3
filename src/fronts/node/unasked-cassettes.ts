import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { counted } from "../../core/errors/show.ts";
import { asObject, parseJson } from "../../core/schema/json.ts";
import { fileStem, tapeName } from "./tape-place.ts";

/** A test file after its tests were run, or left out. */
export interface FinishedFile {
  readonly path: string;
  /** All that it has, whether they were chosen or not. */
  readonly tests: readonly {
    /** With the names of its suites. */
    readonly name: string;
    readonly hasPassed: boolean;
  }[];
  /** Where its cassettes are. */
  readonly tapeFolder: string;
  /** The paths of the cassettes that its tests asked for. */
  readonly asked: ReadonlySet<string>;
  /** The folder that has all test files. */
  readonly root: string;
}

/**
 * The cassettes that no test asks for any more: those of a test that the file no longer has, or that passed without
 * its cassette, and those of test files that are gone. A test that was left out, or has failed, may still ask. What
 * another file may own is not reported.
 */
export function unaskedCassettes(file: FinishedFile): readonly string[] {
  return [...ofMissingTests(file), ...ofMissingFiles(file)];
}

/** Says which they are. Undefined: there are none. */
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

function ofMissingTests(file: FinishedFile): readonly string[] {
  const { tapeFolder, tests, asked } = file;
  const expected = new Set(
    tests.filter(({ hasPassed }) => !hasPassed).map(({ name }) => tapeName(name)),
  );
  const left = tapesIn(tapeFolder).filter(
    (path) => !asked.has(path) && !expected.has(basename(path)),
  );
  if (left.length === 0) return [];
  const owners = ownersOf(file).filter((path) => fileStem(path) === basename(tapeFolder));
  return owners.every((path) => path === file.path) ? left : [];
}

/** Reported by one of the files whose cassettes are beside them: the first. */
function ofMissingFiles(file: FinishedFile): readonly string[] {
  const folder = dirname(file.tapeFolder);
  const own = basename(file.tapeFolder);
  const names = entriesOf(folder).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  // Most folders have no others beside them, and finding the owners takes time.
  if (names.every((name) => name === own)) return [];
  const stems = new Set(ownersOf(file).map(fileStem));
  const [first] = names.filter((name) => stems.has(name)).toSorted();
  if (first !== own) return [];
  return names
    .filter((name) => !stems.has(name) && isTapeFolder(join(folder, name)))
    .flatMap((name) => tapesIn(join(folder, name)));
}

/** Nothing but cassettes is in it. */
function isTapeFolder(folder: string): boolean {
  return tapesIn(folder).length === entriesOf(folder).length;
}

/** The cassettes in a folder, and no other files. */
function tapesIn(folder: string): readonly string[] {
  return entriesOf(folder)
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map(({ name }) => join(folder, name))
    .filter((path) =>
      Array.isArray(asObject(parseJson(readFileSync(path, "utf8")))?.["cassettes"]),
    );
}

/** All files whose tests may have their cassettes in the same place. */
function ownersOf({ path, tapeFolder, root }: FinishedFile): readonly string[] {
  const folder = dirname(path);
  if (isBelow(tapeFolder, folder)) {
    return entriesOf(folder).flatMap((entry) => (entry.isFile() ? [join(folder, entry.name)] : []));
  }
  return [path, ...filesBelow(root)];
}

/** Without what others have written, which is much. */
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
    // It is not there, or not readable: then nothing in it is reported.
    return [];
  }
}
