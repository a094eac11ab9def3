import { showText, didYouMean, nearestName } from "../errors/show.ts";
import { isObject, type JsonPath } from "../schema/json.ts";
import { readJson } from "./json/read-json.ts";
import type { OnProgress } from "./tables/generate-rows.ts";
import { fileSource, Origins, type Source } from "./origins.ts";
import type { Problem } from "../errors/emulator-error.ts";

/** A fixture file's name and contents. */
export interface FixtureFile {
  /** The path in messages, such as `fixtures/config.json`. */
  readonly path: string;
  /**
   * Path relative to the folder, with `/`: `config.json`, `chats/weather.json`. The base name of a single document.
   */
  readonly name: string;
  /** Empty for a database file. */
  readonly text: string;
  /** The contents of a database file. */
  readonly bytes?: Uint8Array;
}

/** A document's value and where its parts come from. Filled file by file. */
export class Assembled {
  /** Undefined when no file could be parsed. */
  document: unknown = undefined;
  /**
   * Whether a file could not be read. References that lead nowhere are then not reported: that file may have the
   * target.
   */
  isPartial: boolean = false;
  readonly origins: Origins = new Origins();
  /** SQL dumps and database files that add tables to the document, in reading order. */
  readonly databases: FixtureFile[] = [];
  /** Whether several files make up the document. */
  isFolder: boolean = false;
  /** Names for scripts without one, by their index in `chats`. */
  readonly scriptNames: string[] = [];
  /** Names of the cassettes that have a file of their own, by their index in `cassettes`. */
  readonly cassetteNames: (string | undefined)[] = [];
  /** Problems with the files themselves: names and syntax. */
  readonly problems: Problem[] = [];
  /** Files that editors and systems leave behind, which are not read. */
  readonly leftOut: Problem[] = [];
}

interface ReadFile {
  readonly value: unknown;
  readonly source: Source;
}

/** Progress is only reported for fixtures larger than this, in characters and bytes. */
const longToRead = 20_000_000;

function megabytes(size: number): number {
  return Math.round(size / 1e6);
}

/** Makes the function that reports, before each file, how much has been read. */
function readingProgress(
  files: readonly FixtureFile[],
  onProgress: OnProgress | undefined,
): (next: FixtureFile) => Promise<void> {
  const sizeOf = ({ text, bytes }: FixtureFile): number => text.length + (bytes?.length ?? 0);
  const total = files.reduce((sum, file) => sum + sizeOf(file), 0);
  let read = 0;
  return async (next) => {
    const done = megabytes(read);
    read += sizeOf(next);
    if (total < longToRead) return;
    const progress = { table: "reading fixtures", done, total: megabytes(total) };
    await onProgress?.({ ...progress, unit: "MB", blocks: true });
  };
}

/** Reads one file as a whole document. */
export async function assembleDocument(
  file: FixtureFile,
  onProgress?: OnProgress,
): Promise<Assembled> {
  await readingProgress([file], onProgress)(file);
  const assembled = new Assembled();
  if (isDatabase(file.name)) {
    assembled.document = {};
    assembled.databases.push(file);
    return assembled;
  }
  const read = await readFile(file, assembled.problems);
  assembled.document = read?.value;
  assembled.isPartial = read === undefined;
  if (read !== undefined) assembled.origins.add([], read.source);
  return assembled;
}

/** Reads the files of a folder as one document. */
export async function assembleFolder(
  files: readonly FixtureFile[],
  onProgress?: OnProgress,
): Promise<Assembled> {
  const report = readingProgress(files, onProgress);
  const folder = new Folder();
  // The same order on every machine. "config.json" comes first, so its scripts do too.
  const sorted = files.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  const first = sorted.filter((file) => placeOf(file.name).kind === "config");
  for (const file of [...first, ...sorted.filter((other) => !first.includes(other))]) {
    await report(file);
    await folder.add(file);
  }
  return folder.finish();
}

/** The document of a folder, filled file by file. */
class Folder {
  readonly #assembled = new Assembled();
  /** The settings, the models and the embeddings. Undefined: no file has any. */
  #config: Readonly<Record<string, unknown>> | undefined;
  readonly #chats: unknown[] = [];
  /** Without a prototype: a table may be called `__proto__`. */
  readonly #tables: Record<string, unknown> = Object.create(null);
  readonly #cassettes: unknown[] = [];
  /** The parts that several files make up. */
  readonly #parts = { chats: this.#chats, tables: this.#tables, cassettes: this.#cassettes };

  async add(file: FixtureFile): Promise<void> {
    const place = placeOf(file.name);
    if (place.kind === "ignored") return;
    if (place.kind === "rest") {
      this.#assembled.leftOut.push({ message: place.message, file: file.path });
      return;
    }
    if (place.kind === "refused") {
      this.#assembled.problems.push({ message: place.message, file: file.path });
      return;
    }
    if (place.kind === "database") {
      this.#assembled.databases.push(file);
      return;
    }
    const read = await readFile(file, this.#assembled.problems);
    if (read === undefined) {
      this.#assembled.isPartial = true;
      return;
    }
    switch (place.kind) {
      case "config":
        return this.#addConfig(read);
      case "part":
        return this.#addPart(read, place.name);
      case "chats":
        return this.#addChats(read, place.name);
      case "table":
        return this.#addTable(read, place.name);
      case "cassette":
        return this.#addCassette(read, place.name);
    }
  }

  finish(): Assembled {
    const parts = Object.entries(this.#parts).filter(([, part]) => Object.keys(part).length > 0);
    this.#assembled.isFolder = true;
    this.#assembled.document = { ...this.#config, ...Object.fromEntries(parts) };
    return this.#assembled;
  }

  async #addConfig({ value, source }: ReadFile): Promise<void> {
    if (this.#config !== undefined) {
      return this.#refuse(source, "There is a second config file. Remove one of the two.");
    }
    this.#config = {};
    this.#assembled.origins.add([], source);
    if (!isObject(value)) {
      return this.#refuse(source, `Expected an object with settings, such as { "seed": 1 }.`);
    }
    this.#config = { ...value, chats: undefined, tables: undefined, cassettes: undefined };
    for (const [name, part] of Object.entries(this.#parts)) {
      const { [name]: given = part } = value;
      const [isFitting, what] = Array.isArray(part)
        ? [Array.isArray(given), "an array"]
        : [isObject(given), "an object"];
      if (isFitting) Object.assign(part, given);
      // A value of the wrong type would hide the tables and scripts of other files.
      else await this.#refuse(source, `"${name}" must be ${what}.`, [name]);
    }
  }

  async #addPart({ value, source }: ReadFile, name: string): Promise<void> {
    if (this.#config?.[name] !== undefined) {
      return this.#refuse(
        source,
        `The ${name} are already there, in "config.json" or another ${name} file. Remove one of the two.`,
      );
    }
    this.#assembled.origins.add([name], source);
    this.#config = { ...this.#config, [name]: value };
  }

  #addChats({ value, source }: ReadFile, name: string): void {
    const scripts: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const [index, script] of scripts.entries()) {
      const place = this.#chats.push(script) - 1;
      this.#assembled.origins.add(["chats", place], source, Array.isArray(value) ? [index] : []);
      this.#assembled.scriptNames[place] = Array.isArray(value) ? `${name}-${index + 1}` : name;
    }
  }

  #addCassette({ value, source }: ReadFile, name: string): void {
    const place = this.#cassettes.push(value) - 1;
    this.#assembled.origins.add(["cassettes", place], source);
    this.#assembled.cassetteNames[place] = name;
  }

  async #addTable({ value, source }: ReadFile, name: string): Promise<void> {
    if (Object.hasOwn(this.#tables, name)) {
      const message = `The table ${showText(name)} is already defined, in another file of that name or in "config.json". Remove one of the two.`;
      return this.#refuse(source, message);
    }
    this.#assembled.origins.add(["tables", name], source);
    this.#tables[name] = value;
  }

  async #refuse(source: Source, message: string, path: JsonPath = []): Promise<void> {
    this.#assembled.problems.push(await source.locate({ path, at: "value", message }));
  }
}

async function readFile(file: FixtureFile, problems: Problem[]): Promise<ReadFile | undefined> {
  const { path } = file;
  const jsonc = file.name.toLowerCase().endsWith(".jsonc");
  // Editors on Windows write a byte order mark. It is not part of the JSON or of the first line.
  const text = file.text.startsWith("\uFEFF") ? file.text.slice(1) : file.text;
  const source = fileSource(path, text);
  const { value, problems: wrong } = await readJson(text, jsonc);
  problems.push(
    ...wrong.map(({ message, line, column }) => ({ message, line, column, file: path })),
  );
  return value === undefined ? undefined : { value, source };
}

/** What a file of a fixtures folder is, judged by its name. */
export type FilePlace =
  | { readonly kind: "config" }
  /** A file with the models or the embeddings; `name` says which. */
  | { readonly kind: "part"; readonly name: string }
  /** Scripts, a table or a cassette, called `name`. */
  | { readonly kind: "chats" | "table" | "cassette"; readonly name: string }
  /** A SQL dump or a SQLite database. Its tables bring their own names. */
  | { readonly kind: "database" }
  /** Files that are ignored, such as notes for people. */
  | { readonly kind: "ignored" }
  /** What an editor or a system leaves behind. It is not read. */
  | { readonly kind: "rest"; readonly message: string }
  | { readonly kind: "refused"; readonly message: string };

/** The parts of the document that can have a file of their own in the folder. */
const topParts: readonly string[] = ["models", "embeddings"];

const folders = ["chats", "tables", "cassettes"] as const;
const layout = `A fixtures folder has "config.json", "models.json", "embeddings.json", "chats/<name>.json", "tables/<name>.json", "tables/<any>.sql", "tables/<any>.db" and "cassettes/<name>.json".`;

const kinds = { chats: "chats", tables: "table", cassettes: "cassette" } as const;

/** Decides what a file is by its path relative to the folder. */
export function placeOf(name: string): FilePlace {
  const steps = name.split("/");
  const base = steps.at(-1) ?? "";
  if (isForPeople(steps, base)) return { kind: "ignored" };
  if (leftBehind.test(base)) {
    return {
      kind: "rest",
      message: `${showText(base)} is left out: it is not a fixture, but a leftover of an editor or of the system.`,
    };
  }
  const [folder = "", ...rest] = steps;
  if (rest.length === 0) return placeOfTopFile(base);
  const known = folders.find((one) => one === folder);
  if (known === undefined) {
    return refused(
      `Unknown folder ${showText(folder)}.${didYouMean(folder, folders) || ` ${layout}`}`,
    );
  }
  if (rest.length > 1) return refused(`Folders inside "${folder}" are not read. Move the file up.`);
  if (folder === "tables" && isDatabase(base)) return { kind: "database" };
  if (folder === "tables" && besideDatabase.test(base)) return { kind: "ignored" };
  const stem = stemOf(base);
  if (stem === undefined || stem === "") return refused(wrongKind(base, folder));
  return { kind: kinds[known], name: stem };
}

/** Whether a file name is that of a SQL dump or a SQLite database. */
export function isDatabase(name: string): boolean {
  return isDatabaseFile(name) || name.toLowerCase().endsWith(".sql");
}

/** Whether a file name is that of a binary SQLite database. */
export function isDatabaseFile(name: string): boolean {
  return /\.(?:db|sqlite3?)$/i.test(name);
}

/** The files that SQLite keeps beside an open database. They are left to the database reader. */
const besideDatabase = /\.(?:db|sqlite3?)-(?:wal|shm|journal)$/i;

function placeOfTopFile(base: string): FilePlace {
  const stem = stemOf(base);
  if (stem === "config") return { kind: "config" };
  if (stem !== undefined && topParts.includes(stem)) return { kind: "part", name: stem };
  if (isDatabase(base)) {
    const what = isDatabaseFile(base) ? "database" : "SQL dump";
    return refused(`${showText(base)} is a ${what}. Move it into "tables".`);
  }
  const nearest = nearestName(stem ?? base, ["config", ...topParts]);
  const advice = nearest === undefined ? layout : `Did you mean "${nearest}.json"?`;
  return refused(`Unknown file ${showText(base)}. ${advice}`);
}

function refused(message: string): FilePlace {
  return { kind: "refused", message };
}

function stemOf(base: string): string | undefined {
  return /^(.*)\.jsonc?$/is.exec(base)?.[1];
}

function wrongKind(base: string, folder: string): string {
  const names = folder === "tables" ? ".json, .jsonc, .sql or .db" : ".json or .jsonc";
  return `${showText(base)} is not a fixture file. Name it ${names}, or move it elsewhere.`;
}

/** Backups and half-written files of editors and of merges, and what systems put into every folder. */
const leftBehind =
  /~$|^#.*#$|\.(?:orig|bak|backup|old|rej|save|sw[a-p]|tmp|part)$|^(?:thumbs|ehthumbs)\.db$|^desktop\.ini$|^Icon\r$/i;

/** Hidden files, notes, and the JSON Schema for editors. */
function isForPeople(steps: readonly string[], base: string): boolean {
  if (steps.some((step) => step.startsWith("."))) return true;
  return /^readme/i.test(base) || /\.md$/i.test(base) || base === "fixtures.schema.json";
}
