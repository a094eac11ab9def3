import { type Dirent, type Stats, existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { basename, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { isJson } from "../../core/recordings/recorded-body.ts";
import { EmulatorError } from "../../core/errors/emulator-error.ts";
import { type FixtureFile, isDatabaseFile, placeOf } from "../../core/fixture-set/assemble.ts";
import { type TextPosition, positionOf } from "../../core/fixture-set/json/text-position.ts";
import { nearestFixtures } from "./fixture-place.ts";

/** The files found at a fixtures path. */
export interface FixtureTexts {
  readonly layout: "document" | "folder";
  readonly files: readonly FixtureFile[];
}

/** A location on disk, and its name in messages. */
interface Place {
  readonly location: string;
  readonly shown: string;
}

/** The only subfolders of a fixtures folder that are read. */
export const subfolders: readonly string[] = ["chats", "tables", "cassettes"];

/**
 * Reads the files of a fixtures folder, or the single file of a document. Of files that do not belong there, only the
 * names are in the result. Throws `ERR_FIXTURES_UNREADABLE`. It reads synchronously, which takes a tenth of the time
 * for a few small files; a starting server has nothing else to do. Messages name the path as it is shown.
 */
export function readFixtureTexts(
  path: string,
  cwd: string,
  shown: string = shownPath(path, cwd),
): FixtureTexts {
  const place = { location: resolve(cwd, path), shown };
  // An empty path probably comes from an unset variable in a script, and must not mean the working directory.
  if (path === "") throw unreadable(place, "the path is empty. Name a file or a folder.");
  const stats = statOfNamed(place, path, cwd);
  if (stats.isDirectory()) return { layout: "folder", files: readFolder(place) };
  const name = basename(place.location);
  const file = readOne(place, name, stats);
  refuseOtherFormat(place, file.text);
  return { layout: "document", files: [file] };
}

/** The file or folder at the path that the user named. If there is none, suggests a similar name. */
function statOfNamed(place: Place, path: string, cwd: string): Stats {
  const isThere = existsSync(place.location);
  const nearest = isThere ? undefined : nearestFixtures(path, cwd);
  if (nearest === undefined) return statOf(place);
  throw unreadable(
    place,
    `there is no such file or folder. Did you mean ${JSON.stringify(nearest)}?`,
  );
}

/** Files of formats that fixtures cannot have. */
const otherFormats = /^\.(?:ya?ml|csv|tsv|toml|xml|[cm]?[jt]s)$/i;

/** A file with another extension is JSON too, if its text is. */
function refuseOtherFormat(place: Place, text: string): void {
  const extension = extname(place.location);
  if (!otherFormats.test(extension) || isJson(text)) return;
  throw unreadable(
    place,
    `it is a ${extension} file, but fixtures are JSON, JSONC, a SQL dump or a SQLite database. Convert it to one of them.`,
  );
}

/** A path as the user would type it: relative if it is below the working directory. */
function shownPath(path: string, cwd: string): string {
  if (path === "") return path;
  if (!isAbsolute(path)) return join(path).replace(/[\\/]$/, "");
  const below = relative(cwd, path);
  const outside = below === "" || below === ".." || below.startsWith(`..${sep}`);
  return outside || isAbsolute(below) ? path : below;
}

function readFolder(folder: Place): readonly FixtureFile[] {
  return entriesOf(folder).flatMap((entry) => {
    const place = within(folder, entry.name);
    const isKnown = subfolders.includes(entry.name) && statOf(place).isDirectory();
    return isKnown ? readSubfolder(place, entry.name) : [readEntry(place, entry.name, entry)];
  });
}

function readSubfolder(folder: Place, prefix: string): readonly FixtureFile[] {
  return entriesOf(folder).map((entry) =>
    readEntry(within(folder, entry.name), `${prefix}/${entry.name}`, entry),
  );
}

/** A file with its text. Of files that fixtures have no place for, such as other folders, only the name. */
function readEntry(place: Place, name: string, entry: Dirent): FixtureFile {
  if (entry.isDirectory()) return folderEntry(place, name);
  const { kind } = placeOf(name);
  if (kind === "ignored" || kind === "rest" || kind === "refused")
    return { path: place.shown, name, text: "" };
  const stats = statOf(place);
  return stats.isDirectory() ? folderEntry(place, name) : readOne(place, name, stats);
}

function folderEntry({ shown }: Place, name: string): FixtureFile {
  return { path: `${shown}/`, name: `${name}/`, text: "" };
}

function readOne(place: Place, name: string, stats: Stats): FixtureFile {
  // Reading a pipe or a device might never end.
  if (!stats.isFile()) throw unreadable(place, "it is neither a file nor a folder.");
  if (isDatabaseFile(name)) return readDatabase(place, name);
  const bytes = attempt(place, () => readFileSync(place.location));
  const text = attempt(place, () => bytes.toString("utf8"));
  const broken = brokenUtf8At(bytes, text);
  if (broken !== undefined) {
    if (text.startsWith(databaseHeader)) {
      throw unreadable(place, "it is a SQLite database. Name it .db, .sqlite or .sqlite3.");
    }
    throw notUtf8(place, positionOf(text, broken));
  }
  return { path: place.shown, name, text };
}

/** The first bytes of a SQLite database file. */
const databaseHeader = "SQLite format 3\0";

/** Reads a database file. Never writes to it. */
function readDatabase(place: Place, name: string): FixtureFile {
  const bytes = attempt(place, () => readFileSync(place.location));
  if (bytes.length > 0 && !bytes.subarray(0, 16).equals(Buffer.from(databaseHeader))) {
    throw unreadable(place, "despite its name it is not a SQLite database.");
  }
  for (const [ending, advice] of besideDatabase) {
    const beside = `${place.location}${ending}`;
    // A finished journal begins with zeros.
    if (
      existsSync(beside) &&
      readFileSync(beside)
        .subarray(0, 8)
        .some((byte) => byte !== 0)
    ) {
      const reason = `the file ${JSON.stringify(`${basename(place.location)}${ending}`)} beside it has changes that are not in the database yet.`;
      throw unreadable(place, `${reason} ${advice(place.shown)}`);
    }
  }
  return { path: place.shown, name, text: "", bytes };
}

/** The files in which SQLite keeps changes, and advice on how to merge them into the database. */
const besideDatabase: readonly (readonly [ending: string, advice: (path: string) => string])[] = [
  [
    "-wal",
    (path) =>
      `Close the program that has it open, or run: sqlite3 ${path} "PRAGMA wal_checkpoint(TRUNCATE)"`,
  ],
  [
    "-journal",
    (path) =>
      `Wait for the program that writes it; if that has crashed, run: sqlite3 ${path} .tables`,
  ],
];

function within(folder: Place, name: string): Place {
  return { location: join(folder.location, name), shown: join(folder.shown, name) };
}

function statOf(place: Place): Stats {
  return attempt(place, () => statSync(place.location));
}

function entriesOf(folder: Place): readonly Dirent[] {
  return attempt(folder, () => readdirSync(folder.location, { withFileTypes: true }));
}

const tooLarge = "it is larger than 512 MB, the largest possible text. Split it.";

/** Reasons in words, by the system's error code. */
const reasons: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "there is no such file or folder. Check the path, or run backlot init."],
  ["EACCES", "access is denied. Check its permissions."],
  ["EPERM", "access is denied. Check its permissions."],
  ["ELOOP", "its symbolic links form a loop."],
  ["ERR_FS_FILE_TOO_LARGE", tooLarge],
  ["ERR_STRING_TOO_LONG", tooLarge],
]);

function attempt<T>(place: Place, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    throw unreadable(place, reasons.get(code) ?? `${message}.`, error);
  }
}

function notUtf8(place: Place, { line, column }: TextPosition): EmulatorError {
  const { shown: file } = place;
  const advice = "Save the file as UTF-8.";
  const where = `${file}:${line}:${column}: this is not UTF-8 text.`;
  return new EmulatorError(
    "ERR_FIXTURES_UNREADABLE",
    `Cannot read the fixtures ${JSON.stringify(file)}: ${where} ${advice}`,
    { problems: [{ message: `This is not UTF-8 text. ${advice}`, file, line, column }] },
  );
}

function unreadable({ shown }: Place, reason: string, cause?: unknown): EmulatorError {
  return new EmulatorError(
    "ERR_FIXTURES_UNREADABLE",
    `Cannot read the fixtures ${JSON.stringify(shown)}: ${reason}`,
    { cause },
  );
}

const replacement = "\uFFFD";
const replacementBytes = Buffer.from(replacement, "utf8");

/**
 * Where bytes stop being valid UTF-8, as an offset in their decoded `text`; undefined when all are valid. The text may
 * legitimately contain the replacement character.
 */
export function brokenUtf8At(bytes: Buffer, text: string): number | undefined {
  let byte = 0;
  let from = 0;
  for (let at = text.indexOf(replacement); at !== -1; at = text.indexOf(replacement, from)) {
    byte += Buffer.byteLength(text.slice(from, at), "utf8");
    const isItself = bytes.subarray(byte, byte + replacementBytes.length).equals(replacementBytes);
    if (!isItself) return at;
    byte += replacementBytes.length;
    from = at + replacement.length;
  }
  return undefined;
}
