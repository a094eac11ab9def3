import { showText } from "../errors/show.ts";
import { isObject, type JsonPath } from "../schema/json.ts";
import { readJson } from "./json/read-json.ts";
import { fileSource, Origins, type Source } from "./origins.ts";
import type { Problem } from "../errors/emulator-error.ts";
import { didYouMean, nearestName } from "../errors/nearest-name.ts";

/** A fixture file as it was read. */
export interface FixtureFile {
  /** As messages show it, such as `fixtures/config.json`. */
  readonly path: string;
  /** Relative to the folder, with `/`: `config.json`, `chats/weather.json`. Of a single document its base name. */
  readonly name: string;
  /** Empty for a database file. */
  readonly text: string;
  /** What a database file has instead of a text. */
  readonly bytes?: Uint8Array;
}

/** A document's value and where its parts came from. */
export interface Assembled {
  /** Undefined when there is none that can be read. */
  readonly document: unknown;
  /** Whether a file could not be read, so that what others refer to may be missing. */
  readonly isPartial: boolean;
  readonly origins: Origins;
  /** SQL dumps and database files, whose tables belong to the document's. They are read in this order. */
  readonly databases: readonly FixtureFile[];
  /** Whether it was made of several files. */
  readonly isFolder: boolean;
  /** Names for the scripts that have none, by their place in `chats`. */
  readonly scriptNames: readonly string[];
  /** Names of the cassettes that are files of their own, by their place in `cassettes`. */
  readonly cassetteNames: readonly (string | undefined)[];
  /** What is wrong with files as such: their names, their syntax. */
  readonly problems: Problem[];
}

interface ReadFile {
  readonly value: unknown;
  readonly source: Source;
}

/** Reads one file as a whole document. */
export async function assembleDocument(file: FixtureFile): Promise<Assembled> {
  const problems: Problem[] = [];
  const origins = new Origins();
  const parts = { origins, isFolder: false, scriptNames: [], cassetteNames: [], problems };
  if (isDatabase(file.name)) {
    return { ...parts, document: {}, isPartial: false, databases: [file] };
  }
  const read = await readFile(file, problems);
  if (read !== undefined) origins.add([], read.source);
  return { ...parts, document: read?.value, isPartial: read === undefined, databases: [] };
}

/** Reads the files of a folder as the one document that they are parts of. */
export async function assembleFolder(files: readonly FixtureFile[]): Promise<Assembled> {
  const folder = new Folder();
  // In the same order on every machine. "config.json" first, since its scripts come first.
  const sorted = files.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  const first = sorted.filter((file) => placeOf(file.name).kind === "config");
  for (const file of [...first, ...sorted.filter((other) => !first.includes(other))]) {
    await folder.add(file);
  }
  return folder.assembled();
}

/** The document of a folder, as its files are added. */
class Folder {
  readonly #origins = new Origins();
  readonly #problems: Problem[] = [];
  readonly #scriptNames: string[] = [];
  readonly #cassetteNames: (string | undefined)[] = [];
  /** Without a prototype: a table may be called `__proto__`. */
  readonly #tables: Record<string, unknown> = Object.create(null);
  readonly #databases: FixtureFile[] = [];
  #config: Readonly<Record<string, unknown>> = {};
  #models: unknown;
  #chats: unknown[] = [];
  #cassettes: unknown[] = [];
  #hasConfig = false;
  #isPartial = false;

  async add(file: FixtureFile): Promise<void> {
    const place = placeOf(file.name);
    if (place.kind === "ignored") return;
    if (place.kind === "refused") {
      this.#problems.push({ message: place.message, file: file.path });
      return;
    }
    if (place.kind === "database") {
      this.#databases.push(file);
      return;
    }
    const read = await readFile(file, this.#problems);
    if (read === undefined) {
      this.#isPartial = true;
      return;
    }
    switch (place.kind) {
      case "config":
        return this.#addConfig(read);
      case "models":
        return this.#addModels(read);
      case "chats":
        return this.#addChats(read, place.name);
      case "table":
        return this.#addTable(read, place.name);
      case "cassette":
        return this.#addCassette(read, place.name);
    }
  }

  assembled(): Assembled {
    const document = {
      ...this.#config,
      ...(this.#models === undefined ? {} : { models: this.#models }),
      ...(Object.keys(this.#tables).length === 0 ? {} : { tables: this.#tables }),
      ...(this.#chats.length === 0 ? {} : { chats: this.#chats }),
      ...(this.#cassettes.length === 0 ? {} : { cassettes: this.#cassettes }),
    };
    return {
      document,
      isPartial: this.#isPartial,
      isFolder: true,
      origins: this.#origins,
      databases: this.#databases,
      scriptNames: this.#scriptNames,
      cassetteNames: this.#cassetteNames,
      problems: this.#problems,
    };
  }

  async #addConfig({ value, source }: ReadFile): Promise<void> {
    if (this.#hasConfig) {
      return this.#refuse(source, "There is another config file. Remove one of the two.");
    }
    this.#hasConfig = true;
    this.#origins.add([], source);
    if (!isObject(value)) {
      return this.#refuse(source, `Expected an object with settings, such as { "seed": 1 }.`);
    }
    const { models, chats = [], tables = {}, cassettes = [] } = value;
    this.#models = models;
    // What is neither would hide behind the other files' tables and scripts.
    if (Array.isArray(chats)) this.#chats = [...chats];
    else await this.#refuse(source, `"chats" must be an array.`, ["chats"]);
    if (isObject(tables)) Object.assign(this.#tables, tables);
    else await this.#refuse(source, `"tables" must be an object.`, ["tables"]);
    if (Array.isArray(cassettes)) this.#cassettes = [...cassettes];
    else await this.#refuse(source, `"cassettes" must be an array.`, ["cassettes"]);
    this.#config = { ...value, chats: undefined, tables: undefined, cassettes: undefined };
  }

  async #addModels({ value, source }: ReadFile): Promise<void> {
    if (this.#models !== undefined) {
      return this.#refuse(
        source,
        `There are other models, in "config.json" or in a file like this. Remove one of the two.`,
      );
    }
    this.#origins.add(["models"], source);
    this.#models = value;
  }

  #addChats({ value, source }: ReadFile, name: string): void {
    const scripts: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const [index, script] of scripts.entries()) {
      const place = this.#chats.push(script) - 1;
      this.#origins.add(["chats", place], source, Array.isArray(value) ? [index] : []);
      this.#scriptNames[place] = Array.isArray(value) ? `${name}-${index + 1}` : name;
    }
  }

  #addCassette({ value, source }: ReadFile, name: string): void {
    const place = this.#cassettes.push(value) - 1;
    this.#origins.add(["cassettes", place], source);
    this.#cassetteNames[place] = name;
  }

  async #addTable({ value, source }: ReadFile, name: string): Promise<void> {
    if (Object.hasOwn(this.#tables, name)) {
      const message = `There is another table ${showText(name)}, in a file of that name or in "config.json". Remove one of the two.`;
      return this.#refuse(source, message);
    }
    this.#origins.add(["tables", name], source);
    this.#tables[name] = value;
  }

  async #refuse(source: Source, message: string, path: JsonPath = []): Promise<void> {
    this.#problems.push(await source.locate({ path, at: "value", message }));
  }
}

async function readFile(file: FixtureFile, problems: Problem[]): Promise<ReadFile | undefined> {
  const { path } = file;
  const jsonc = file.name.toLowerCase().endsWith(".jsonc");
  // Editors on Windows write a byte order mark; it is no part of the JSON, nor of the first line.
  const text = file.text.startsWith("\uFEFF") ? file.text.slice(1) : file.text;
  const source = fileSource(path, text);
  const { value, problems: wrong } = await readJson(text, jsonc);
  problems.push(...wrong.map((problem) => ({ ...problem, file: path })));
  return value === undefined ? undefined : { value, source };
}

/** What a file of a fixtures folder is, by its name. */
export type FilePlace =
  | { readonly kind: "config" | "models" }
  /** Scripts, a table or a cassette, called `name`. */
  | { readonly kind: "chats" | "table" | "cassette"; readonly name: string }
  /** A SQL dump or a SQLite database, whose tables have names of their own. */
  | { readonly kind: "database" }
  /** Notes for people. */
  | { readonly kind: "ignored" }
  | { readonly kind: "refused"; readonly message: string };

const folders = ["chats", "tables", "cassettes"] as const;
const layout = `A fixtures folder has "config.json", "models.json", "chats/<name>.json", "tables/<name>.json", "tables/<any>.sql", "tables/<any>.db" and "cassettes/<name>.json".`;

const kinds = { chats: "chats", tables: "table", cassettes: "cassette" } as const;

/** Decides by a file's name, relative to the folder, what it is. */
export function placeOf(name: string): FilePlace {
  const steps = name.split("/");
  const base = steps.at(-1) ?? "";
  if (isForPeople(steps, base)) return { kind: "ignored" };
  const [folder = "", ...rest] = steps;
  if (rest.length === 0) return placeOfTopFile(base);
  const known = folders.find((one) => one === folder);
  if (known === undefined) {
    return refused(
      `Unknown folder ${showText(folder)}.${didYouMean(folder, folders) || ` ${layout}`}`,
    );
  }
  if (rest.length > 1) return refused(`Folders within "${folder}" are not read. Move the file up.`);
  if (folder === "tables" && isDatabase(base)) return { kind: "database" };
  if (folder === "tables" && besideDatabase.test(base)) return { kind: "ignored" };
  const stem = stemOf(base);
  if (stem === undefined || stem === "") return refused(wrongKind(base, folder));
  return { kind: kinds[known], name: stem };
}

/** Whether a file is a SQL dump or a SQLite database, by its name. */
export function isDatabase(name: string): boolean {
  return isDatabaseFile(name) || name.toLowerCase().endsWith(".sql");
}

/** Whether a file is a SQLite database and no text, by its name. */
export function isDatabaseFile(name: string): boolean {
  return /\.(?:db|sqlite3?)$/i.test(name);
}

/** What SQLite keeps beside a database that a program has open. Whoever reads the database looks at it. */
const besideDatabase = /\.(?:db|sqlite3?)-(?:wal|shm|journal)$/i;

function placeOfTopFile(base: string): FilePlace {
  const stem = stemOf(base);
  if (stem === "config" || stem === "models") return { kind: stem };
  if (isDatabase(base)) {
    const what = isDatabaseFile(base) ? "database" : "SQL dump";
    return refused(`${showText(base)} is a ${what}. Move it into "tables".`);
  }
  const nearest = nearestName(stem ?? base, ["config", "models"]);
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

/** Hidden files, notes and the schema for editors. */
function isForPeople(steps: readonly string[], base: string): boolean {
  if (steps.some((step) => step.startsWith("."))) return true;
  return /^readme/i.test(base) || /\.md$/i.test(base) || base === "fixtures.schema.json";
}
