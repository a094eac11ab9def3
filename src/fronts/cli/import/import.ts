import {
  guessKind,
  otherFile,
  type ImportedFile,
  importFormat,
  type ImportKind,
  importKinds,
  type ImportRemark,
  ownFormat,
} from "../extras.ts";
import { counted } from "../../../core/errors/show.ts";
import {
  EmulatorError,
  invalidOption,
  isEmulatorError,
  type Problem,
} from "../../../core/errors/emulator-error.ts";
import { usualRecordingRules } from "../../../core/recordings/cassette.ts";
import { loadFixtures } from "../../node/load-fixtures.ts";
import { type CommandDefinition, readChoice, readNumber, wholeForm } from "../command.ts";
import { exitCodes, type Io, shellQuote } from "../io.ts";
import { styleFor } from "../../node/terminal-style.ts";
import { writeWarnings } from "../load-fixtures.ts";
import { writeFixtureFiles } from "../write-file.ts";
import { join, resolve, basename, extname } from "node:path";
import { readTableFiles } from "../../node/extras.ts";
import { type FixtureFile, isDatabase } from "../../../core/fixture-set/assemble.ts";
import type { FixtureSet } from "../../../core/fixture-set/fixture-set.ts";
import { JsonPositions } from "../../../core/fixture-set/json/json-positions.ts";
import { readFixtureFiles } from "../../../core/fixture-set/read-fixtures.ts";
import { showPath, isObject } from "../../../core/schema/json.ts";
import { readFixtureTexts } from "../../node/fixture-texts.ts";
import { existsSync, statSync } from "node:fs";
import { readJson } from "../../../core/fixture-set/json/read-json.ts";
import { nearestFile } from "../../node/fixture-place.ts";
import { readFile } from "node:fs/promises";

/** The options of `import`. */
interface ImportOptions {
  readonly file: string;
  readonly from?: ImportKind;
  readonly out?: string;
  readonly force?: boolean;
  readonly rows?: number;
}

export const importCommand: CommandDefinition = {
  arguments: [["<file>", "HTTP archive, or file of aimock, json-server, OpenAPI or SQLite"]],
  options: [
    {
      flags: "--from <kind>",
      description: `what the file is: ${importKinds.join(", ")} (default: what its content looks like)`,
      read: readChoice(importKinds),
    },
    {
      flags: "-o, --out <folder>",
      description: "fixture folder to write into (default: fixtures)",
      read: (text) => text,
    },
    {
      flags: "--rows <n>",
      description: "made-up rows for a table of OpenAPI without examples (default: 20)",
      read: readNumber(wholeForm, [0, 1_000_000], "a whole number up to 1,000,000, such as 20"),
    },
    { flags: "--force", description: "overwrite existing files" },
  ],
  help: importHelp(),
  run: importFile,
};

/** The text after the options in the help of `import`. */
function importHelp(): string {
  const lines = importKinds.map((kind) => {
    const { file, becomes } = importFormat(kind);
    return `  ${kind.padEnd(13)} ${file.replaceAll("`", "")}: ${becomes.replaceAll("`", "")}`;
  });
  return `
Kinds of files:
${lines.join("\n")}

Whatever cannot be imported is reported with its place in the file.

Examples:
  backlot import requests.har                       into fixtures/cassettes
  backlot import mocks.json --from aimock --out shop
  backlot import app.db                             into fixtures/tables
  backlot import db.json --force                    overwrite existing files in fixtures/tables
`;
}

/** Converts another tool's file to fixtures, and reports what could not be converted. */
async function importFile(options: ImportOptions, io: Io): Promise<number> {
  const { file, from, out = "fixtures", force = false, rows } = options;
  const folder: OutFolder = { shown: out, cwd: io.cwd };
  const source = await readImportSource(file, from, io.cwd);
  const format = importFormat(source.kind);
  if (source.isGuessed) {
    io.stderr.write(`${file} looks like ${format.words} (--from ${source.kind})\n`);
  }
  const { files, remarks } = await format.read(source.value, {
    stem: source.stem,
    rows,
    // The fixtures' redaction rules apply to imported recordings.
    recordingRules: async () => (await existingFixtures(folder))?.recording ?? usualRecordingRules,
    readDatabase: async () => {
      const set = await loadFixtures(file, { cwd: io.cwd, skipUnsupported: true });
      writeWarnings(set.warnings, io);
      return set;
    },
  });
  writeRemarks(remarks, { file, text: source.text }, io);
  if (files.length === 0) {
    const why = format.nothingUsable(source.value);
    throw unreadable(file, `nothing in it can be used: ${why}. Nothing was written.`);
  }
  if (!force) refuseOverwriting(files, folder);
  await checkTogether(files, folder);
  await writeFixtureFiles(files, { path: resolve(io.cwd, out), shown: out });
  const { green } = styleFor(io.stdout, io.env);
  const names = files.map(({ name }) => `  ${name}\n`).join("");
  const count = counted(files.length, "file");
  io.stdout.write(`${green("imported")} ${file}: ${count} in ${out}\n${names}`);
  return exitCodes.done;
}

/** A fixtures folder to write into. */
interface OutFolder {
  /** Its name in messages. */
  readonly shown: string;
  readonly cwd: string;
}

/** The existing fixtures. Rejects if they are invalid. */
async function existingFixtures(folder: OutFolder): Promise<FixtureSet | undefined> {
  const files = filesThere(folder);
  return files.length === 0
    ? undefined
    : readFixtureFiles(files, { skipUnsupported: true, readTableFiles });
}

function filesThere({ shown, cwd }: OutFolder): readonly FixtureFile[] {
  const path = resolve(cwd, shown);
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) {
    throw invalidOption(
      `Cannot write into ${JSON.stringify(shown)}: it is not a folder. Name a folder: --out fixtures.`,
    );
  }
  return readFixtureTexts(shown, cwd).files;
}

/** Throws if files exist that would be overwritten. */
function refuseOverwriting(files: readonly ImportedFile[], { shown, cwd }: OutFolder): void {
  const there = files
    .map(({ name }) => join(shown, name))
    .filter((file) => existsSync(resolve(cwd, file)));
  const [first] = there;
  if (first === undefined) return;
  const more = there.length === 1 ? "" : ` and ${there.length - 1} more`;
  throw invalidOption(
    `Cannot write ${JSON.stringify(first)}${more}: it already exists. Name another folder with --out, or add --force to overwrite it.`,
  );
}

/** Rejects if the folder would be invalid with these files. */
async function checkTogether(files: readonly ImportedFile[], folder: OutFolder): Promise<void> {
  const names = new Set(files.map(({ name }) => name));
  const kept = filesThere(folder).filter(({ name }) => !names.has(name));
  const added = files.map(({ name, text }) => ({ path: join(folder.shown, name), name, text }));
  try {
    await readFixtureFiles([...kept, ...added], {
      skipUnsupported: true,
      otherTables: [],
      readTableFiles,
    });
  } catch (error) {
    if (!isEmulatorError(error)) throw error;
    const { message, problems } = error;
    const lines = message.split("\n").slice(1).join("\n");
    throw new EmulatorError(
      "ERR_FIXTURES_INVALID",
      `Cannot import the file: the fixtures in ${JSON.stringify(folder.shown)} would be invalid with it. Nothing was written.\n${lines}`,
      { cause: error, problems },
    );
  }
}

/**
 * Reports what could not be converted, one line each: file, line and column, the place in its structure, the reason.
 */
function writeRemarks(
  remarks: readonly ImportRemark[],
  { file, text }: { readonly file: string; readonly text: string | undefined },
  { stderr, env }: Pick<Io, "stderr" | "env">,
): void {
  const { yellow } = styleFor(stderr, env);
  // A file is read with places only where there is something to tell.
  const positions =
    text === undefined || remarks.length === 0 ? undefined : new JsonPositions(text);
  for (const { path, message } of remarks) {
    const at = positions?.placeOf({ path, at: "key" });
    const place = at === undefined ? file : `${file}:${at.line}:${at.column}`;
    stderr.write(`${yellow("note:")} ${place}: ${showPath(path)}: ${message}\n`);
  }
}

/** A source file of an import. */
interface ImportSource {
  readonly kind: ImportKind;
  /** Whether the kind was guessed. */
  readonly isGuessed: boolean;
  readonly value: Readonly<Record<string, unknown>>;
  /** Undefined: a database or YAML, whose remarks have no places. */
  readonly text: string | undefined;
  /** The file's name without its ending. */
  readonly stem: string;
}

const modules: ReadonlySet<string> = new Set([".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"]);

const moduleAdvice =
  "it is a module, and import runs none. Write what it has as JSON, with a list of rows under the name of each table, and " +
  "import that: backlot import db.json. Collections of @msw/data also serve as they are: createEmulator({ tables: { users } }).";

/** Reads the file, and guesses its kind unless given. Rejects with `ERR_FIXTURES_UNREADABLE`. */
async function readImportSource(
  file: string,
  from: ImportKind | undefined,
  cwd: string,
): Promise<ImportSource> {
  const path = resolve(cwd, file);
  const stem = basename(path, extname(path));
  const isGuessed = from === undefined;
  if (modules.has(extname(path).toLowerCase())) throw unreadable(file, moduleAdvice);
  if (from === "sqlite" || (isGuessed && isDatabase(path))) {
    refuseNoDatabase(file, cwd);
    return { kind: "sqlite", isGuessed, value: {}, text: undefined, stem };
  }
  const read = await readJsonSource(file, from, cwd);
  return { ...read, isGuessed, stem };
}

type JsonSource = Pick<ImportSource, "kind" | "value" | "text">;

async function readJsonSource(
  file: string,
  from: ImportKind | undefined,
  cwd: string,
): Promise<JsonSource> {
  const ending = extname(file).toLowerCase();
  const text = await readText(file, cwd);
  if (ending === ".yaml" || ending === ".yml") return readYamlSource(file, text, from);
  const { value, problems } = await readJson(text, false);
  if (from === undefined) refuseOther(file, value);
  const kind = from ?? guessKind(value, ending);
  // Archives contain numbers with too many digits, of which none is used here.
  const [problem] = kind === "har" && value !== undefined ? [] : problems;
  if (problem !== undefined) throw notJson(file, text, problem);
  if (kind === undefined || !isObject(value)) {
    throw unreadable(file, `its format is unknown. Name it: --from ${importKinds.join("|")}`);
  }
  const own = from === undefined && kind === "json-server" ? ownFormat(value) : undefined;
  const reason = own === undefined ? importFormat(kind).problem?.(value) : ownAlready(own, file);
  if (reason !== undefined) throw unreadable(file, reason);
  return { kind, value, text };
}

/** Only documents of OpenAPI are written in YAML. Their remarks have no lines. */
async function readYamlSource(
  file: string,
  text: string,
  from: ImportKind | undefined,
): Promise<JsonSource> {
  const { readYaml } = await import("./read-yaml.ts");
  const read = readYaml(text);
  if ("line" in read) {
    const { line, column, message } = read;
    throw unreadable(file, `${file}:${line}:${column}: ${message}`);
  }
  const { value } = read;
  if (isObject(value) && (from ?? guessKind(value)) === "openapi") {
    return { kind: "openapi", value, text: undefined };
  }
  throw unreadable(file, "it is YAML, but no OpenAPI document. Other kinds are read as JSON.");
}

/** Throws where there is no file, or none that is read as a database: its ending says how it is read. */
function refuseNoDatabase(file: string, cwd: string): void {
  if (!existsSync(resolve(cwd, file))) throw unreadable(file, notThere(file, cwd));
  if (isDatabase(file)) return;
  throw unreadable(file, "a database ends in .db, .sqlite or .sqlite3, and a dump in .sql.");
}

/** Throws for a file that is known to have nothing for fixtures, such as a package.json. */
function refuseOther(file: string, value: unknown): void {
  const other = otherFile(value, file);
  if (other === undefined) return;
  const kinds = importKinds.map((kind) => importFormat(kind).words);
  throw unreadable(
    file,
    `${other} Import reads ${kinds.slice(0, -1).join(", ")} and ${kinds.at(-1)}. If it is one of them all the same, name it: --from ${importKinds.join("|")}`,
  );
}

function ownAlready(own: string, file: string): string {
  const use =
    own === "document"
      ? `Serve it: backlot start ${/^[\w./-]+$/.test(file) ? file : shellQuote(file)}.`
      : `Put it into the folder "${own}" of your fixtures.`;
  return `it is a fixture file and needs no import. ${use} If each key is a table, add --from json-server`;
}

async function readText(file: string, cwd: string): Promise<string> {
  try {
    const text = await readFile(resolve(cwd, file), "utf8");
    return text.startsWith("\uFEFF") ? text.slice(1) : text;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reasons = new Map([
      ["ENOENT", notThere(file, cwd)],
      ["EISDIR", "it is a folder. Name a file in it."],
      ["EACCES", "access is denied. Check its permissions."],
    ]);
    throw unreadable(file, reasons.get(code ?? "") ?? `${message}.`, { cause: error });
  }
}

function notThere(file: string, cwd: string): string {
  const nearest = nearestFile(file, cwd);
  return nearest === undefined
    ? "there is no such file. Paths start from this folder."
    : `there is no such file. Did you mean ${JSON.stringify(nearest)}?`;
}

function notJson(
  file: string,
  text: string,
  { line, column, message }: Required<Pick<Problem, "message" | "line" | "column">>,
): EmulatorError {
  const hint = /^\s*[[{"]/.test(text) ? "" : " Only JSON can be read, not YAML.";
  const reason = `${file}:${line}:${column}: ${message}${hint}`;
  return unreadable(file, reason, { problems: [{ message, file, line, column }] });
}

function unreadable(
  file: string,
  reason: string,
  more: ConstructorParameters<typeof EmulatorError>[2] = {},
): EmulatorError {
  const message = `Cannot import ${JSON.stringify(file)}: ${reason}`;
  return new EmulatorError("ERR_FIXTURES_UNREADABLE", message, more);
}
