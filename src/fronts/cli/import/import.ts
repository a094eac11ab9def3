import {
  type Imported,
  type ImportedFile,
  importFormat,
  type ImportKind,
  importKinds,
} from "../extras.ts";
import { counted } from "../../../core/errors/show.ts";
import {
  EmulatorError,
  invalidOption,
  isEmulatorError,
} from "../../../core/errors/emulator-error.ts";
import { usualRecordingRules } from "../../../core/recordings/cassette.ts";
import { loadFixtures } from "../../node/load-fixtures.ts";
import { type CommandDefinition, readChoice, readNumber, wholeForm } from "../command.ts";
import { exitCodes, type Io } from "../io.ts";
import { styleFor } from "../../node/terminal-style.ts";
import { writeWarnings } from "../load-fixtures.ts";
import { writeFixtureFiles } from "../write-file.ts";
import { join, resolve } from "node:path";
import { readTableFiles } from "../../node/extras.ts";
import type { FixtureFile } from "../../../core/fixture-set/assemble.ts";
import type { FixtureSet } from "../../../core/fixture-set/fixture-set.ts";
import { readFixtureFiles } from "../../../core/fixture-set/read-fixtures.ts";
import { readFixtureTexts } from "../../node/fixture-texts.ts";
import { existsSync, statSync } from "node:fs";
import { otherFiles } from "./other-files.ts";
import { type ImportSource, readImportSource, unreadable } from "./read-source.ts";
import { importSources, type SourceContext } from "./import-sources.ts";
import { readImportFolder } from "./read-folder.ts";
import { unpackBody } from "./unpack-body.ts";
import { keepWhatPasses } from "./keep-what-passes.ts";
import { writeRemarks } from "./write-remarks.ts";

/** The options of `import`. */
interface ImportOptions {
  readonly file: string;
  readonly from?: ImportKind;
  readonly out?: string;
  readonly force?: boolean;
  readonly rows?: number;
}

export const importCommand: CommandDefinition = {
  arguments: [["<file>", "file of another tool, or a folder of such files"]],
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

/** Converts another tool's file, or a folder of them, to fixtures, and reports what could not be converted. */
async function importFile(options: ImportOptions, io: Io): Promise<number> {
  const { file, out = "fixtures", force = false } = options;
  const folder: OutFolder = { shown: out, cwd: io.cwd };
  const contextOf = contextFor(options, folder, io);
  const { files, remarks, text, nothing } = isFolder(file, io.cwd)
    ? await readFolder(options, contextOf, io)
    : await readOne(options, contextOf, io);
  writeRemarks(remarks, { file, text }, io);
  if (files.length === 0) {
    throw unreadable(file, `nothing in it can be used: ${nothing}. Nothing was written.`);
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

/** The result of converting a file or a folder. */
interface Read extends Imported {
  /** The text in which remarks have positions. */
  readonly text: string | undefined;
  /** The message if nothing could be converted. */
  readonly nothing: string;
}

async function readOne(
  { file, from }: ImportOptions,
  contextOf: SourceContext,
  io: Io,
): Promise<Read> {
  const source = await readImportSource(file, from, io.cwd);
  const { kind, value, text } = source;
  const format = importFormat(kind);
  if (source.isGuessed) {
    io.stderr.write(`${file} looks like ${format.words} (--from ${kind})\n`);
  }
  writeOddities(source, io);
  const read = await format.read(value, contextOf(source));
  // No row of a database may be lost, so an import of one is not reduced.
  const passing = kind === "sqlite" ? read : await keepWhatPasses(read);
  return { ...passing, text, nothing: format.nothingUsable(value) };
}

async function readFolder(
  { file, from }: ImportOptions,
  contextOf: SourceContext,
  io: Io,
): Promise<Read> {
  const { sources, remarks } = await readImportFolder(file, from, io.cwd);
  const words = new Map<string, number>();
  for (const { kind } of sources) {
    const name = importFormat(kind).words;
    words.set(name, (words.get(name) ?? 0) + 1);
  }
  for (const [name, count] of words) {
    io.stderr.write(
      `${file} has ${counted(count, "file")} that look${count === 1 ? "s" : ""} like ${name}\n`,
    );
  }
  for (const source of sources) writeOddities(source, io);
  const read = await keepWhatPasses(await importSources(sources, contextOf));
  return {
    files: read.files,
    remarks: [...remarks, ...read.remarks],
    text: undefined,
    nothing: `it has ${counted(sources.length, "file")} of a known kind, and none with anything for fixtures`,
  };
}

function isFolder(file: string, cwd: string): boolean {
  return statSync(resolve(cwd, file), { throwIfNoEntry: false })?.isDirectory() === true;
}

function contextFor({ rows }: ImportOptions, folder: OutFolder, io: Io): SourceContext {
  return ({ file, stem, readAttached }) => ({
    stem,
    rows,
    // The fixtures' redaction rules apply to imported recordings.
    recordingRules: async () => (await existingFixtures(folder))?.recording ?? usualRecordingRules,
    readOther: otherFiles(file, io.cwd),
    readAttached,
    unpack: unpackBody,
    readDatabase: async () => {
      const set = await loadFixtures(file, { cwd: io.cwd, skipUnsupported: true });
      writeWarnings(set.warnings, io);
      return set;
    },
  });
}

function writeOddities({ file, oddities }: ImportSource, io: Io): void {
  const { yellow } = styleFor(io.stderr, io.env);
  for (const { line, column, message } of oddities) {
    io.stderr.write(`${yellow("note:")} ${file}:${line}:${column}: ${message}\n`);
  }
}

/** A fixtures folder to write into. */
interface OutFolder {
  /** The folder's name in messages. */
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
