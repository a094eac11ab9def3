import { createHash } from "node:crypto";
import { invalidOption } from "../../core/errors/emulator-error.ts";
import { basename, dirname, join, resolve } from "node:path";

/** The folder of a test file's cassettes: `__cassettes__/weather.test`. */
export function tapeFolder(
  file: string,
  { folder = "__cassettes__" }: { readonly folder?: string },
): string {
  return join(resolve(dirname(file), folder), fileStem(file));
}

/** The cassette that has a name of its own, for all tests that name it: `__cassettes__/weather.json`. */
export function namedTape(
  name: string,
  { file, folder = "__cassettes__" }: { readonly file: string; readonly folder?: string },
): string {
  if (plainName(name, 150) !== name) {
    throw invalidOption(
      `Cannot record tests: the cassette's "name" is ${JSON.stringify(name)}, which is no plain file name. Use letters, digits, spaces, ".", "_" and "-".`,
    );
  }
  return join(resolve(dirname(file), folder), `${name}.json`);
}

/** A file's name without its extension, so that tests with different extensions share a folder. */
export function fileStem(file: string): string {
  return basename(file).replace(/\.[^.]+$/, "");
}

/** A test file as one project of vitest runs it. */
interface TestFile {
  /** The project's name; empty if it has none. */
  readonly project: string;
  /** The names of all its tests in order, with the names of their suites. */
  readonly tests: readonly string[];
}

/**
 * The files of the tests' cassettes, each with a name of its own: tests of the same name are numbered in their order.
 * Case makes no difference, since some file systems ignore it.
 */
export function tapeNames({ project, tests }: TestFile): readonly string[] {
  const counts = new Map<string, number>();
  return tests.map((test) => {
    const stem = tapeStem(test, project);
    const folded = stem.normalize("NFC").toLowerCase();
    const count = (counts.get(folded) ?? 0) + 1;
    counts.set(folded, count);
    return `${stem}${count === 1 ? "" : ` #${count}`}.json`;
  });
}

/** Whether a cassette has the name of a test in this project. */
export function isTapeOf(name: string, project: string): boolean {
  const [, own] = / \(([^()]*)\)(?: #\d+)?\.json$/.exec(name) ?? [];
  return project === "" ? own === undefined : own === plainProject(project);
}

/** A test's name and that of its project. A hash follows where they do not show every character. */
function tapeStem(test: string, project: string): string {
  const [words, place] = [plainName(test, 150), plainProject(project)];
  const hash = words === test && place === project ? "" : `-${hashOf(`${project}\n${test}`)}`;
  return `${words}${hash}${project === "" ? "" : ` (${place})`}`;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 6);
}

function plainProject(project: string): string {
  return project === "" ? "" : plainName(project, 50);
}

/**
 * A name in characters that every file system takes, and within its limits. A name that already is one stays the
 * same.
 */
function plainName(name: string, mostBytes: number): string {
  const plain = cut(name.replaceAll(/[^\p{L}\p{M}\p{N}._ -]+/gu, "-"), mostBytes);
  if (plain === name && plain.trim() === plain && plain !== "") return plain;
  const trimmed = plain.replaceAll(/^[ -]+|[ -]+$/g, "");
  return trimmed === "" ? "test" : trimmed;
}

const mostCharacters = 100;

function cut(name: string, mostBytes: number): string {
  let shown = "";
  let bytes = 0;
  for (const character of name) {
    bytes += Buffer.byteLength(character);
    if (bytes > mostBytes || shown.length >= mostCharacters) break;
    shown += character;
  }
  return shown;
}
