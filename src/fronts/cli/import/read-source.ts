import { type ImportFormats, type ImportKind, loadOwnFormat } from "../extras.ts";
import { EmulatorError } from "../../../core/errors/emulator-error.ts";
import { isDatabase } from "../../../core/fixture-set/assemble.ts";
import { readJson } from "../../../core/fixture-set/json/read-json.ts";
import { isObject } from "../../../core/schema/json.ts";
import { nearestFile } from "../../node/fixture-place.ts";
import { shellQuote } from "../terminal.ts";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** A file that is imported, read. */
export interface ImportSource {
  readonly kind: ImportKind;
  /** Whether the kind was found out, and not told. */
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
  /** What it is, where somebody says so. */
  readonly from: ImportKind | undefined;
  readonly cwd: string;
  readonly formats: ImportFormats;
}

/** Reads the file, and finds out what it is where nobody says so. Rejects with `ERR_FIXTURES_UNREADABLE`. */
export async function readImportSource(
  file: string,
  options: SourceOptions,
): Promise<ImportSource> {
  const { from, cwd } = options;
  const path = resolve(cwd, file);
  const ending = extname(path).toLowerCase();
  const stem = basename(path, extname(path));
  const isModule = modules.has(ending);
  if (from === "data" || (from === undefined && isModule)) {
    if (!isModule) throw unreadable(file, "collections are exported by a module, such as db.mjs.");
    const value = await loadModule(file, path);
    return { kind: "data", isGuessed: from === undefined, value, text: undefined, stem };
  }
  if (from === "sqlite" || (from === undefined && isDatabase(path))) {
    refuseNoDatabase(file, cwd);
    return { kind: "sqlite", isGuessed: from === undefined, value: {}, text: undefined, stem };
  }
  return readJsonSource(file, { ...options, ending, stem });
}

type JsonSourceOptions = SourceOptions & { readonly ending: string; readonly stem: string };

async function readJsonSource(
  file: string,
  { from, cwd, formats, ending, stem }: JsonSourceOptions,
): Promise<ImportSource> {
  const text = await readText(file, cwd);
  if (ending === ".yaml" || ending === ".yml") {
    throw unreadable(
      file,
      `it is YAML, and JSON is read. Convert it first: npx js-yaml ${file} > ${stem}.json`,
    );
  }
  const value = await parse(text, { file, from, ending, formats });
  const kind = from ?? formats.guessKind(value, ending);
  if (kind === undefined || !isObject(value)) {
    throw unreadable(
      file,
      `nothing that is known looks like this. Say what it is: --from ${formats.importKinds.join("|")}`,
    );
  }
  const { ownFormat } = await loadOwnFormat();
  const own = from === undefined && kind === "json-server" ? ownFormat(value) : undefined;
  if (own !== undefined) throw unreadable(file, ownAlready(own, file));
  const problem = formats.importFormat(kind).problem?.(value);
  if (problem !== undefined) throw unreadable(file, problem);
  return { kind, isGuessed: from === undefined, value, text, stem };
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
  return `it is written as fixtures already, and needs no import. ${use} Where each key is a table, say so: --from json-server`;
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
    ? "there is no such file. Give the path of one: it starts from this folder."
    : `there is no such file. Did you mean ${JSON.stringify(nearest)}?`;
}

interface FileFacts {
  readonly file: string;
  readonly from: ImportKind | undefined;
  readonly ending: string;
  readonly formats: ImportFormats;
}

async function parse(text: string, { file, from, ending, formats }: FileFacts): Promise<unknown> {
  const { value, problems } = await readJson(text, false);
  const [first] = problems;
  if (first === undefined) return value;
  // Archives have all sorts of extra numbers, of which none is used here.
  const isArchive =
    from === "har" || (from === undefined && formats.guessKind(value, ending) === "har");
  if (isArchive && value !== undefined) return value;
  const { line, column } = first;
  const hint = /^\s*[[{"]/.test(text) ? "" : " JSON is read, and no YAML.";
  throw new EmulatorError(
    "ERR_FIXTURES_UNREADABLE",
    `Cannot import ${JSON.stringify(file)}: ${file}:${line}:${column}: ${first.message}${hint}`,
    { problems: [{ message: first.message, file, line, column }] },
  );
}

function unreadable(file: string, reason: string, cause?: unknown): EmulatorError {
  return new EmulatorError(
    "ERR_FIXTURES_UNREADABLE",
    `Cannot import ${JSON.stringify(file)}: ${reason}`,
    { cause },
  );
}
