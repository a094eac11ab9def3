import { readFile } from "node:fs/promises";
import { basename, extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { EmulatorError } from "../errors/emulator-error.ts";
import { isObject } from "../fixtures/format/is-object.ts";
import { readJson } from "../fixtures/json/read-json.ts";
import { positionOf } from "../fixtures/json/text-position.ts";
import { guessKind, type ImportKind, importKinds } from "../importers/import-kind.ts";

/** A file that is imported, read. */
export interface ImportSource {
  readonly kind: ImportKind;
  /** Whether the kind was found out, and not told. */
  readonly isGuessed: boolean;
  readonly value: Readonly<Record<string, unknown>>;
  /** Undefined: a module, which has no places. */
  readonly text: string | undefined;
  /** The file's name without its ending. */
  readonly stem: string;
}

const modules: ReadonlySet<string> = new Set([".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"]);

/** Reads the file, and finds out what it is where nobody says so. Rejects with `ERR_FIXTURES_UNREADABLE`. */
export async function readImportSource(
  file: string,
  from: ImportKind | undefined,
  cwd: string,
): Promise<ImportSource> {
  const path = resolve(cwd, file);
  const ending = extname(path).toLowerCase();
  const stem = basename(path, extname(path));
  const isModule = modules.has(ending);
  if (from === "data" || (from === undefined && isModule)) {
    if (!isModule) throw unreadable(file, "collections are exported by a module, such as db.mjs.");
    const value = await loadModule(file, path);
    return { kind: "data", isGuessed: from === undefined, value, text: undefined, stem };
  }
  const text = await readText(file, path);
  if (ending === ".yaml" || ending === ".yml") {
    throw unreadable(
      file,
      `it is YAML, and JSON is read. Convert it first: npx js-yaml ${file} > ${stem}.json`,
    );
  }
  const value = parse(file, text, from);
  const kind = from ?? guessKind(value);
  if (kind === undefined || !isObject(value)) {
    throw unreadable(
      file,
      `nothing that is known looks like this. Say what it is: --from ${importKinds.join("|")}`,
    );
  }
  return { kind, isGuessed: from === undefined, value, text, stem };
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

async function readText(file: string, path: string): Promise<string> {
  try {
    const text = await readFile(path, "utf8");
    return text.startsWith("\uFEFF") ? text.slice(1) : text;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reasons = new Map([
      ["ENOENT", "there is no such file."],
      ["EISDIR", "it is a folder. Name a file in it."],
      ["EACCES", "access is denied. Check its permissions."],
    ]);
    throw unreadable(file, reasons.get(code ?? "") ?? `${message}.`, error);
  }
}

function parse(file: string, text: string, from: ImportKind | undefined): unknown {
  const { value, problems } = readJson(text, false);
  const [first] = problems;
  if (first === undefined) return value;
  // Archives have all sorts of extra numbers, of which none is used here.
  const isArchive = from === "har" || (from === undefined && guessKind(value) === "har");
  if (isArchive && value !== undefined) return value;
  const { line, column } = positionOf(text, first.offset);
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
