import type { ImportFormats, ImportKind } from "../extras.ts";
import { EmulatorError, type Problem } from "../../../core/errors/emulator-error.ts";
import { isDatabase } from "../../../core/fixture-set/assemble.ts";
import { readJson } from "../../../core/fixture-set/json/read-json.ts";
import { isObject } from "../../../core/schema/json.ts";
import { nearestFile } from "../../node/fixture-place.ts";
import { shellQuote } from "../terminal.ts";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** A source file of an import. */
export interface ImportSource {
  readonly kind: ImportKind;
  /** Whether the kind was guessed. */
  readonly isGuessed: boolean;
  readonly value: Readonly<Record<string, unknown>>;
  /** Undefined: a module or a database, whose remarks have no places. */
  readonly text: string | undefined;
  /** The file's name without its ending. */
  readonly stem: string;
}

const modules: ReadonlySet<string> = new Set([".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"]);

/** How a file is read. */
interface SourceOptions {
  /** The kind, if given. */
  readonly from: ImportKind | undefined;
  readonly cwd: string;
  readonly formats: ImportFormats;
}

/** Reads the file, and guesses its kind unless given. Rejects with `ERR_FIXTURES_UNREADABLE`. */
export async function readImportSource(
  file: string,
  { from, cwd, formats }: SourceOptions,
): Promise<ImportSource> {
  const path = resolve(cwd, file);
  const ending = extname(path).toLowerCase();
  const stem = basename(path, extname(path));
  const isGuessed = from === undefined;
  const isModule = modules.has(ending);
  if (from === "data" || (isGuessed && isModule)) {
    if (!isModule) throw unreadable(file, "collections are exported by a module, such as db.mjs.");
    const value = await loadModule(file, path);
    return { kind: "data", isGuessed, value, text: undefined, stem };
  }
  if (from === "sqlite" || (isGuessed && isDatabase(path))) {
    refuseNoDatabase(file, cwd);
    return { kind: "sqlite", isGuessed, value: {}, text: undefined, stem };
  }
  const read = await readJsonSource(file, ending, { from, cwd, formats });
  return { ...read, isGuessed, stem };
}

type JsonSource = Pick<ImportSource, "kind" | "value" | "text">;

// oxlint-disable-next-line max-params -- a file, and what is known of it
async function readJsonSource(
  file: string,
  ending: string,
  { from, cwd, formats }: SourceOptions,
): Promise<JsonSource> {
  const text = await readText(file, cwd);
  if (ending === ".yaml" || ending === ".yml") {
    throw unreadable(
      file,
      `it is YAML. Convert it to JSON first: npx js-yaml ${file} > ${basename(file, ending)}.json`,
    );
  }
  const { value, problems } = await readJson(text, false);
  const kind = from ?? formats.guessKind(value, ending);
  // Archives contain numbers with too many digits, of which none is used here.
  const [problem] = kind === "har" && value !== undefined ? [] : problems;
  if (problem !== undefined) throw notJson(file, text, problem);
  if (kind === undefined || !isObject(value)) {
    throw unreadable(
      file,
      `its format is unknown. Name it: --from ${formats.importKinds.join("|")}`,
    );
  }
  const own = from === undefined && kind === "json-server" ? formats.ownFormat(value) : undefined;
  const reason =
    own === undefined ? formats.importFormat(kind).problem?.(value) : ownAlready(own, file);
  if (reason !== undefined) throw unreadable(file, reason);
  return { kind, value, text };
}

/** Throws where there is no file, or none that is read as a database: its ending says how it is read. */
function refuseNoDatabase(file: string, cwd: string): void {
  if (!existsSync(resolve(cwd, file))) throw unreadable(file, notThere(file, cwd));
  if (isDatabase(file)) return;
  throw unreadable(file, "a database ends in .db, .sqlite or .sqlite3, and a dump in .sql.");
}

function ownAlready(own: string, file: string): string {
  const use =
    own === "document"
      ? `Serve it: backlot start ${/^[\w./-]+$/.test(file) ? file : shellQuote(file)}.`
      : `Put it into the folder "${own}" of your fixtures.`;
  return `it is a fixture file and needs no import. ${use} If each key is a table, add --from json-server`;
}

async function loadModule(file: string, path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const exported: unknown = await import(pathToFileURL(path).href);
    return isObject(exported) ? { ...exported } : {};
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isUnknown = code === "ERR_UNKNOWN_FILE_EXTENSION";
    const reason = isUnknown
      ? "this Node does not load TypeScript. Build it first, or write it as .mjs."
      : `its module cannot be loaded: ${message}`;
    throw unreadable(file, reason, error);
  }
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
    throw unreadable(file, reasons.get(code ?? "") ?? `${message}.`, error);
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
  return new EmulatorError(
    "ERR_FIXTURES_UNREADABLE",
    `Cannot import ${JSON.stringify(file)}: ${file}:${line}:${column}: ${message}${hint}`,
    { problems: [{ message, file, line, column }] },
  );
}

function unreadable(file: string, reason: string, cause?: unknown): EmulatorError {
  return new EmulatorError(
    "ERR_FIXTURES_UNREADABLE",
    `Cannot import ${JSON.stringify(file)}: ${reason}`,
    { cause },
  );
}
