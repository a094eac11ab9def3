import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, extname, resolve } from "node:path";
import { EmulatorError, type Problem } from "../../../core/errors/emulator-error.ts";
import { isDatabase } from "../../../core/fixture-set/assemble.ts";
import { readJson } from "../../../core/fixture-set/json/read-json.ts";
import { parseJson } from "../../../core/schema/json.ts";
import type { JsonText } from "../../../core/fixture-set/json/json-positions.ts";
import { nearestFile } from "../../node/fixture-place.ts";
import { attachedFiles } from "./attached-files.ts";
import {
  asImported,
  guessKind,
  importFormat,
  type ImportKind,
  importKinds,
  describeOtherFile,
  ownFormat,
  describeContents,
} from "../extras.ts";
import { shellQuote } from "../io.ts";

/** A source file of an import. */
export interface ImportSource {
  /** The file's name in messages. */
  readonly file: string;
  readonly kind: ImportKind;
  /** Whether the kind was guessed. */
  readonly isGuessed: boolean;
  /** The parsed contents. A list is under the key "". */
  readonly value: Readonly<Record<string, unknown>>;
  /** Undefined for databases and YAML, whose remarks have no positions. */
  readonly text: string | undefined;
  /** Oddities of the text itself. */
  readonly oddities: readonly Required<Pick<Problem, "message" | "line" | "column">>[];
  /** The file's name without its ending. */
  readonly stem: string;
  /** Reads files beside this one, or in the zip archive that it comes from. */
  readonly readAttached: (name: string) => Promise<Uint8Array | undefined>;
}

const modules: ReadonlySet<string> = new Set([".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"]);

const moduleAdvice =
  "it is a module, and import runs none. Write what it has as JSON, with a list of rows under the name of each table, and " +
  "import that: backlot import db.json. Collections of @msw/data also serve as they are: createEmulator({ tables: { users } }).";

/** Reads the file, and guesses its kind unless given. Rejects with `ERR_FIXTURES_UNREADABLE`. */
export async function readImportSource(
  file: string,
  from: ImportKind | undefined,
  cwd: string,
): Promise<ImportSource> {
  const path = resolve(cwd, file);
  const ending = extname(path).toLowerCase();
  const isGuessed = from === undefined;
  const stem = basename(path, extname(path)).replace(/(?<=.)\.har$/i, "");
  const usual = { file, isGuessed, stem, readAttached: attachedFiles(path) };
  if (modules.has(ending)) throw unreadable(file, moduleAdvice);
  if (from === "sqlite" || (isGuessed && isDatabase(path))) {
    refuseNoDatabase(file, cwd);
    return { ...usual, kind: "sqlite", value: {}, text: undefined, oddities: [] };
  }
  const { value, text, problems, packed } = await readContent(file, cwd);
  if (from === undefined) refuseOther(file, value);
  const kind = from ?? guessKind(value, ending);
  const imported = asImported(value);
  if (kind === undefined || imported === undefined) {
    const kinds = importKinds.join("|");
    throw unreadable(
      file,
      `its format is unknown: ${describeContents(value)}. Name it: --from ${kinds}`,
    );
  }
  const own = isGuessed && kind === "json-server" ? ownFormat(imported) : undefined;
  const reason = own === undefined ? importFormat(kind).problem?.(imported) : ownAlready(own, file);
  if (reason !== undefined) throw unreadable(file, reason);
  const attached =
    packed === undefined ? {} : { readAttached: async (name: string) => packed.get(name) };
  return { ...usual, ...attached, kind, value: imported, ...placesOf({ text, problems, kind }) };
}

/**
 * The text for the positions of remarks, and the text's oddities. Most importers report lost digits of numbers
 * themselves, where they use them.
 */
function placesOf({
  text,
  problems,
  kind,
}: Pick<Content, "text" | "problems"> & Pick<ImportSource, "kind">): Pick<
  ImportSource,
  "text" | "oddities"
> {
  const oddities = problems
    .filter(({ kind: what }) => what === "key" || (what === "number" && kind === "aimock"))
    .map(({ line, column, message }) => ({ line, column, message: message.replace(/\. .*$/, "") }));
  const isDeep = problems.some(({ kind: what }) => what === "depth");
  return { text: isDeep ? undefined : text, oddities };
}

/** The contents of a file. */
interface Content {
  readonly value: unknown;
  /** Undefined: the file is not JSON, so remarks have no positions. */
  readonly text?: string | undefined;
  readonly problems: JsonText["problems"];
  /** The other files of the zip archive. */
  readonly packed?: ReadonlyMap<string, Uint8Array>;
}

async function readContent(file: string, cwd: string): Promise<Content> {
  const bytes = await readBytes(file, cwd);
  if (bytes.subarray(0, 4).equals(startOfZip)) return readArchive(file, bytes);
  return readFormat(file, textOf(bytes));
}

const startOfZip = Buffer.from("PK\u0003\u0004", "latin1");

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Reads the HTTP archive in a zip archive, in which Playwright puts the bodies beside it. */
async function readArchive(file: string, bytes: Uint8Array): Promise<Content> {
  const { readZip } = await import("./read-zip.ts");
  const files = await attempt(file, () => readZip(bytes));
  const name = [...files.keys()].find((one) => /\.har$/i.test(one));
  const har = name === undefined ? undefined : files.get(name);
  if (har === undefined) {
    throw unreadable(
      file,
      "it is a zip archive without a .har file. Unpack it, and import a file of it.",
    );
  }
  return { ...(await readFormat(`${file}/${name}`, textOf(har))), packed: files };
}

async function attempt<Value>(file: string, read: () => Value): Promise<Value> {
  try {
    return read();
  } catch (error) {
    throw unreadable(file, `${error instanceof Error ? error.message : String(error)}.`, {
      cause: error,
    });
  }
}

async function readFormat(file: string, text: string): Promise<Content> {
  const ending = extname(file).toLowerCase();
  if (ending === ".yaml" || ending === ".yml") return readYamlText(file, text);
  const value = parseJson(text);
  // Recordings of talkback have keys without quotes, which only JSON5 allows.
  if (
    value === undefined &&
    (ending === ".json5" || /^\s*\{\s*(?:\/\/.*\s*)*meta\s*:/.test(text))
  ) {
    const { default: json5 } = await import("json5");
    return { value: await attempt(file, () => json5.parse<unknown>(text)), problems: [] };
  }
  const { problems } = await readJson(text, false);
  const broken = value === undefined ? problems[0] : undefined;
  if (broken !== undefined) throw notJson(file, text, broken);
  return { value, text, problems };
}

async function readYamlText(file: string, text: string): Promise<Content> {
  const { readYaml } = await import("./read-yaml.ts");
  const read = readYaml(text);
  if ("line" in read) {
    const { line, column, message } = read;
    throw unreadable(file, `${file}:${line}:${column}: ${message}`);
  }
  return { value: read.value, problems: [] };
}

/** Throws if the file does not exist or, judged by its ending, is not a database. */
function refuseNoDatabase(file: string, cwd: string): void {
  if (!existsSync(resolve(cwd, file))) throw unreadable(file, notThere(file, cwd));
  if (isDatabase(file)) return;
  throw unreadable(file, "a database ends in .db, .sqlite or .sqlite3, and a dump in .sql.");
}

/** Throws for a file that is known to contain nothing for fixtures, such as a package.json. */
function refuseOther(file: string, value: unknown): void {
  const other = describeOtherFile(value, file);
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

async function readBytes(file: string, cwd: string): Promise<Buffer> {
  try {
    return await readFile(resolve(cwd, file));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reasons = new Map([
      ["ENOENT", notThere(file, cwd)],
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

export function unreadable(
  file: string,
  reason: string,
  more: ConstructorParameters<typeof EmulatorError>[2] = {},
): EmulatorError {
  const message = `Cannot import ${JSON.stringify(file)}: ${reason}`;
  return new EmulatorError("ERR_FIXTURES_UNREADABLE", message, more);
}
