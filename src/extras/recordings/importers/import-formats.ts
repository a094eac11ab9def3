import { counted, inNumber } from "../../../core/errors/show.ts";
import type { RecordingRules } from "../../../core/recordings/cassette.ts";
import { scriptSchema } from "../../../core/fixture-set/format/script-format.ts";
import { looksLikeFixtures } from "../../../core/fixture-set/tables-document.ts";
import { isValid } from "../../../core/schema/schema.ts";
import { defined, isObject } from "../../../core/schema/json.ts";
import type { Imported } from "./imported.ts";
import type { ReadOtherFile } from "./openapi-links.ts";
import type { ReadDatabase } from "./sqlite.ts";

type Json = Readonly<Record<string, unknown>>;

/** What an importer needs besides the file. */
export interface ImportContext {
  /** The file's name without its ending. */
  readonly stem: string;
  /** How many rows a table of an OpenAPI document gets that has no examples. Default: 20. */
  readonly rows?: number | undefined;
  /** The rules of the fixtures that are written into. */
  readonly recordingRules: () => Promise<RecordingRules>;
  /** Reads the files that an OpenAPI document refers to. Default: none is read. */
  readonly readOther?: ReadOtherFile;
  /** Reads the file where it is a SQLite database or dump. */
  readonly readDatabase: ReadDatabase;
}

/** A format that `import` reads. Another one is a row of this table, and a file that reads it. */
interface ImportFormat {
  /** In words, for messages: `it looks like …`. */
  readonly words: string;
  /** What the file is, and what becomes of it, for help and documentation. */
  readonly file: string;
  readonly becomes: string;
  /** Whether a JSON file is one, by what only files of this format have. The first format that says so is taken. */
  readonly looksLike: (value: Json, ending: string | undefined) => boolean;
  /** What is wrong with a file of this format; undefined: nothing that is known before it is read. */
  readonly problem?: (value: Json) => string | undefined;
  /** What was found in a file of which nothing could be taken over: `it has 2 fixtures, and none that …`. */
  readonly nothingUsable: (value: Json) => string;
  readonly read: (value: Json, context: ImportContext) => Promise<Imported>;
}

/** What `--from` takes. */
export const importKinds = ["har", "aimock", "json-server", "openapi", "sqlite"] as const;

export type ImportKind = (typeof importKinds)[number];

/** The formats of other tools, by what `--from` calls them. */
const importFormats: Readonly<Record<ImportKind, ImportFormat>> = {
  har: {
    words: "an HTTP archive",
    file: "an HTTP archive from a browser or a proxy",
    becomes: "cassettes, one per conversation or table",
    looksLike: ({ log }, ending) =>
      ending === ".har" ||
      (isObject(log) && (Array.isArray(log["entries"]) || isObject(log["creator"]))),
    problem: (value) =>
      archiveEntries(value) === undefined
        ? 'an HTTP archive has its requests in "log.entries", but this has no such list. Save the archive again.'
        : undefined,
    nothingUsable: (value) =>
      noneOf(
        archiveEntries(value)?.length ?? 0,
        "entry",
        "is a whole answer of chat (…/chat/completions, …/responses, …/models) or of tables (…/rest/<table>)",
      ),
    read: async (value, { recordingRules }) => {
      const { importHar } = await import("./har.ts");
      return importHar(value, await recordingRules());
    },
  },
  aimock: {
    words: "fixtures of aimock",
    file: "a JSON file of aimock's fixtures",
    becomes: "chat scripts",
    looksLike: ({ fixtures }) =>
      Array.isArray(fixtures) && fixtures.length > 0 && fixtures.every(isAimockEntry),
    nothingUsable: ({ fixtures }) =>
      noneOf(Array.isArray(fixtures) ? fixtures.length : 0, "fixture", "can be a script"),
    read: async (value, { stem }) => (await import("./aimock.ts")).importAimock(value, stem),
  },
  "json-server": {
    words: "a database of json-server",
    file: "`db.json`",
    becomes: "tables, with references such as `userId`",
    looksLike: (value) => !isOpenApi(value) && isOfTables(value),
    nothingUsable: (value) => noneOf(named(value).length, "key", "has rows"),
    read: async (value) => (await import("./json-server.ts")).importJsonServer(value),
  },
  openapi: {
    words: "an OpenAPI document",
    file: "an OpenAPI 3 or Swagger 2 document in JSON or YAML",
    becomes: "tables with its examples, or with made-up rows",
    looksLike: isOpenApi,
    nothingUsable: ({ paths }) =>
      noneOf(isObject(paths) ? named(paths).length : 0, "path", "lists objects"),
    read: async (value, { rows, readOther }) =>
      (await import("./openapi.ts")).importOpenApi(value, defined({ rows, readOther })),
  },
  sqlite: {
    words: "a SQLite database or dump",
    file: "a SQLite database (`.db`, `.sqlite`, `.sqlite3`) or dump (`.sql`)",
    becomes: "tables with their keys, defaults and references",
    looksLike: () => false,
    nothingUsable: () => "it has no table that fixtures can have",
    read: async (_, { readDatabase }) => (await import("./sqlite.ts")).importSqlite(readDatabase),
  },
};

/** The format of a kind. */
export function importFormat(kind: ImportKind): ImportFormat {
  return importFormats[kind];
}

/** What a JSON file is, by its content or by its ending; undefined: nothing that is known. */
export function guessKind(value: unknown, ending?: string): ImportKind | undefined {
  if (!isObject(value)) return undefined;
  return importKinds.find((kind) => importFormats[kind].looksLike(value, ending));
}

/** What a file is that is written as fixtures already: a document, or a file of a folder of fixtures. Undefined: neither. */
export function ownFormat(value: Json): "document" | "tables" | "chats" | "cassettes" | undefined {
  if (looksLikeFixtures(value)) return "document";
  const { columns, rows, generate, recordings } = value;
  if (isObject(columns) && (Array.isArray(rows) || isObject(generate))) return "tables";
  if (Array.isArray(recordings) && typeof value["interface"] === "string") return "cassettes";
  return isValid(scriptSchema, value) ? "chats" : undefined;
}

/** The entries of an HTTP archive; undefined where there is no list of them. */
function archiveEntries({ log }: Json): readonly unknown[] | undefined {
  const entries: unknown = isObject(log) ? log["entries"] : undefined;
  return Array.isArray(entries) ? entries : undefined;
}

function isOpenApi({ openapi, swagger }: Json): boolean {
  // In YAML without quotes it is a number.
  return [openapi, swagger].some((form) => typeof form === "string" || typeof form === "number");
}

/** Whether some value is a list of rows, or each is a single row. Others may stand beside lists. */
function isOfTables(value: Json): boolean {
  const items = named(value).map((key) => value[key]);
  return items.some(isRows) || (items.length > 0 && items.every(isObject));
}

function isRows(value: unknown): boolean {
  return Array.isArray(value) && value.every(isObject);
}

function isAimockEntry(entry: unknown): boolean {
  return isObject(entry) && isObject(entry["match"]) && isObject(entry["response"]);
}

function named(value: Json): readonly string[] {
  return Object.keys(value).filter((key) => key !== "$schema");
}

function noneOf(count: number, noun: string, what: string): string {
  if (count === 0) return `it has no ${inNumber(count, noun)}`;
  return `it has ${counted(count, noun)}, and none that ${what}`;
}
