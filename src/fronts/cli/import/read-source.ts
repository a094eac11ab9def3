import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, extname, resolve } from "node:path";
import { EmulatorError, type Problem } from "../../../core/errors/emulator-error.ts";
import { isDatabase } from "../../../core/fixture-set/assemble.ts";
import { readJson } from "../../../core/fixture-set/json/read-json.ts";
import { isObject, parseJson } from "../../../core/schema/json.ts";
import { nearestFile } from "../../node/fixture-place.ts";
import {
  guessKind,
  importFormat,
  type ImportKind,
  importKinds,
  otherFile,
  ownFormat,
} from "../extras.ts";
import { shellQuote } from "../io.ts";

/** A source file of an import. */
export interface ImportSource {
  readonly kind: ImportKind;
  /** Whether the kind was guessed. */
  readonly isGuessed: boolean;
  readonly value: Readonly<Record<string, unknown>>;
  /** Undefined for databases and YAML, whose remarks have no positions. */
  readonly text: string | undefined;
  /** Oddities of the text itself. */
  readonly oddities: readonly Required<Pick<Problem, "message" | "line" | "column">>[];
  /** The file's name without its ending. */
  readonly stem: string;
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
  const stem = basename(path, extname(path));
  const isGuessed = from === undefined;
  if (modules.has(extname(path).toLowerCase())) throw unreadable(file, moduleAdvice);
  if (from === "sqlite" || (isGuessed && isDatabase(path))) {
    refuseNoDatabase(file, cwd);
    return { kind: "sqlite", isGuessed, value: {}, text: undefined, oddities: [], stem };
  }
  const read = await readJsonSource(file, from, cwd);
  return { ...read, isGuessed, stem };
}

type JsonSource = Pick<ImportSource, "kind" | "value" | "text" | "oddities">;

async function readJsonSource(
  file: string,
  from: ImportKind | undefined,
  cwd: string,
): Promise<JsonSource> {
  const ending = extname(file).toLowerCase();
  const text = await readText(file, cwd);
  if (ending === ".yaml" || ending === ".yml") return readYamlSource(file, text, from);
  const value = parseJson(text);
  const { problems } = await readJson(text, false);
  const broken = value === undefined ? problems[0] : undefined;
  if (broken !== undefined) throw notJson(file, text, broken);
  if (from === undefined) refuseOther(file, value);
  const kind = from ?? guessKind(value, ending);
  if (kind === undefined || !isObject(value)) {
    throw unreadable(file, `its format is unknown. Name it: --from ${importKinds.join("|")}`);
  }
  const own = from === undefined && kind === "json-server" ? ownFormat(value) : undefined;
  const reason = own === undefined ? importFormat(kind).problem?.(value) : ownAlready(own, file);
  if (reason !== undefined) throw unreadable(file, reason);
  // Other importers report lost digits of numbers themselves, where they use them.
  const oddities = problems
    .filter(({ kind: what }) => what === "key" || (what === "number" && kind === "aimock"))
    .map(({ line, column, message }) => ({ line, column, message: message.replace(/\. .*$/, "") }));
  const isDeep = problems.some(({ kind: what }) => what === "depth");
  return { kind, value, text: isDeep ? undefined : text, oddities };
}

/** Reads a YAML file, which only OpenAPI documents are. Remarks about it have no line numbers. */
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
    return { kind: "openapi", value, text: undefined, oddities: [] };
  }
  throw unreadable(file, "it is YAML, but no OpenAPI document. Other kinds are read as JSON.");
}

/** Throws if the file does not exist or, judged by its ending, is not a database. */
function refuseNoDatabase(file: string, cwd: string): void {
  if (!existsSync(resolve(cwd, file))) throw unreadable(file, notThere(file, cwd));
  if (isDatabase(file)) return;
  throw unreadable(file, "a database ends in .db, .sqlite or .sqlite3, and a dump in .sql.");
}

/** Throws for a file that is known to contain nothing for fixtures, such as a package.json. */
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

export function unreadable(
  file: string,
  reason: string,
  more: ConstructorParameters<typeof EmulatorError>[2] = {},
): EmulatorError {
  const message = `Cannot import ${JSON.stringify(file)}: ${reason}`;
  return new EmulatorError("ERR_FIXTURES_UNREADABLE", message, more);
}
