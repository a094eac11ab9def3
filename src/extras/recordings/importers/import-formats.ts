import { counted, inNumber, showText, showValue } from "../../../core/errors/show.ts";
import type { RecordingRules } from "../../../core/recordings/cassette.ts";
import { scriptSchema } from "../../../core/fixture-set/format/script-format.ts";
import { looksLikeFixtures } from "../../../core/fixture-set/tables-document.ts";
import { isValid } from "../../../core/schema/schema.ts";
import { defined, isObject } from "../../../core/schema/json.ts";
import type { Imported } from "./imported.ts";
import type { ReadOtherFile } from "./openapi-links.ts";
import { importJsonServer } from "./json-server.ts";
import { importMockoon, isMockoon } from "./mockoon.ts";
import { isNock, nockEntries } from "./nock.ts";
import { importPostman, isPostman } from "./postman.ts";
import { isTalkback, talkbackEntries } from "./talkback.ts";
import { isVcr, vcrEntries } from "./vcr.ts";
import { importWireMock, isWireMock } from "./wiremock.ts";
import type { ReadAttached, RecordedEntry, Unpack } from "./recorded-entries.ts";
import type { ReadDatabase } from "./sqlite.ts";

type Json = Readonly<Record<string, unknown>>;

/** The values that an importer needs besides the file. */
export interface ImportContext {
  /** The file's name without its ending. */
  readonly stem: string;
  /** The number of made-up rows for each table of an OpenAPI document that has no examples. Default: 20. */
  readonly rows?: number | undefined;
  /** The recording rules of the fixtures to which the import adds. */
  readonly recordingRules: () => Promise<RecordingRules>;
  /** Reads the files that an OpenAPI document refers to. Default: none is read. */
  readonly readOther?: ReadOtherFile;
  /** Reads files beside the imported one, such as attached bodies. Default: none is read. */
  readonly readAttached?: ReadAttached;
  /** Unpacks recorded bodies. Default: they stay as they are. */
  readonly unpack?: Unpack;
  /** Reads the file if it is a SQLite database or dump. */
  readonly readDatabase: ReadDatabase;
}

/** A format that `import` reads. A new format needs a row in `importFormats`, and a file that reads it. */
interface ImportFormat {
  /** The format in words, as messages say after "it looks like". */
  readonly words: string;
  /** The files of the format, and what they become, in words, for help and documentation. */
  readonly file: string;
  readonly becomes: string;
  /** Whether a file has this format, judged by what only such files have. The first format that says so is taken. */
  readonly looksLike: (value: unknown, ending: string | undefined) => boolean;
  /** A problem of a file of this format that shows before the file is read. Undefined: none. */
  readonly problem?: (value: Json) => string | undefined;
  /** What a file has of which nothing could be imported: `it has 2 fixtures, and none that …`. */
  readonly nothingUsable: (value: Json) => string;
  readonly read: (value: Json, context: ImportContext) => Imported | Promise<Imported>;
  /** The exchanges of a file of recordings. The exchanges of several files go into the same cassettes. */
  readonly entries?: (value: Json) => readonly RecordedEntry[] | Promise<readonly RecordedEntry[]>;
}

/** Makes a format of recordings. `entries` reads the exchanges of a file. */
function ofRecordings(
  format: Pick<ImportFormat, "words" | "file" | "looksLike" | "problem"> &
    Required<Pick<ImportFormat, "entries">>,
): ImportFormat {
  return {
    ...format,
    becomes: "cassettes, one per conversation or table",
    nothingUsable: (value) =>
      noneOf(
        archiveEntries(value)?.length ?? listOf(value).length,
        "entry",
        "is a whole answer of chat (…/chat/completions, …/responses, …/models) or of tables (…/rest/<table>)",
      ),
    read: async (value, context) => readRecordings(await format.entries(value), context),
  };
}

/** The cassettes of the exchanges of one file or of several. */
export async function readRecordings(
  entries: readonly RecordedEntry[],
  { recordingRules, readAttached = async () => undefined, unpack }: ImportContext,
): Promise<Imported> {
  const { importEntries } = await import("./har.ts");
  const { withAttached } = await import("./recorded-entries.ts");
  const whole = await withAttached(entries, readAttached);
  return importEntries(whole, await recordingRules(), unpack);
}

/** The values of `--from`. */
export const importKinds = [
  "har",
  "vcr",
  "nock",
  "talkback",
  "aimock",
  "mockoon",
  "wiremock",
  "postman",
  "openapi",
  "json-server",
  "sqlite",
] as const;

export type ImportKind = (typeof importKinds)[number];

/** The formats of other tools, by their value of `--from`. */
const importFormats: Readonly<Record<ImportKind, ImportFormat>> = {
  har: ofRecordings({
    words: "an HTTP archive",
    file: "an HTTP archive (`.har`, `.har.yaml`, `.zip`) from a browser, a proxy, Playwright or Polly",
    looksLike: ofObject(
      ({ log }, ending) =>
        ending === ".har" ||
        (isObject(log) && (Array.isArray(log["entries"]) || isObject(log["creator"]))),
    ),
    problem: (value) =>
      archiveEntries(value) === undefined
        ? 'an HTTP archive has its requests in "log.entries", but this has no such list. Save the archive again.'
        : undefined,
    entries: async (value) => (await import("./har.ts")).harEntries(value),
  }),
  vcr: ofRecordings({
    words: "a cassette of VCR",
    file: "a cassette of VCR for Ruby or Python, in YAML or JSON",
    looksLike: ofObject(isVcr),
    entries: (value) => vcrEntries(value),
  }),
  nock: ofRecordings({
    words: "recordings of nock",
    file: "a JSON list that nock recorded",
    looksLike: isNock,
    entries: (value) => nockEntries(value[""]),
  }),
  talkback: ofRecordings({
    words: "a tape of talkback",
    file: "a tape of talkback (`.json5`)",
    looksLike: ofObject(isTalkback),
    entries: (value) => talkbackEntries(value),
  }),
  aimock: {
    words: "fixtures of aimock",
    file: "a JSON file of aimock's fixtures",
    becomes: "chat scripts",
    looksLike: ofObject(
      ({ fixtures }) =>
        Array.isArray(fixtures) && fixtures.length > 0 && fixtures.every(isAimockEntry),
    ),
    nothingUsable: ({ fixtures }) =>
      noneOf(Array.isArray(fixtures) ? fixtures.length : 0, "fixture", "can be a script"),
    read: async (value, { stem }) => (await import("./aimock.ts")).importAimock(value, stem),
  },
  mockoon: {
    words: "an environment of Mockoon",
    file: "an environment of Mockoon",
    becomes: "tables of its data buckets and of the lists that its routes answer",
    looksLike: ofObject(isMockoon),
    nothingUsable: () => "it has no data and no answer that is a list of objects",
    read: (value) => importMockoon(value),
  },
  wiremock: {
    words: "mappings of WireMock",
    file: "a mapping of WireMock, a list of them, or a folder with `mappings` and `__files`",
    becomes: "tables of the lists and rows that they answer",
    looksLike: ofObject(isWireMock),
    nothingUsable: () => "it has no answer that is a list of objects, or a row of one",
    read: (value, { readAttached = async () => undefined }) => importWireMock(value, readAttached),
  },
  postman: {
    words: "a collection of Postman",
    file: "a collection of Postman with saved answers",
    becomes: "tables of the lists in its saved answers",
    looksLike: ofObject(isPostman),
    nothingUsable: () => "it has no saved answer that is a list of objects, or a row of one",
    read: (value) => importPostman(value),
  },
  "json-server": {
    words: "a database of json-server",
    file: "`db.json`",
    becomes: "tables, with references such as `userId`",
    looksLike: ofObject(isOfTables),
    nothingUsable: (value) => noneOf(named(value).length, "key", "has rows"),
    read: (value) => importJsonServer(value),
  },
  openapi: {
    words: "an OpenAPI document",
    file: "an OpenAPI 3 or Swagger 2 document in JSON or YAML",
    becomes: "tables with its examples, or with made-up rows",
    looksLike: ofObject(isOpenApi),
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

/** The format of a file, by its content or its ending. Undefined: it has no known format. */
export function guessKind(value: unknown, ending?: string): ImportKind | undefined {
  return importKinds.find((kind) => importFormats[kind].looksLike(value, ending));
}

/** A file's value as an object, since formats read objects. A list is put under the empty name. */
export function asImported(value: unknown): Json | undefined {
  if (isObject(value)) return value;
  return Array.isArray(value) ? { "": value } : undefined;
}

/**
 * The contents of a file of unknown format, in words: `not all of its values are lists of objects: "name" is a text`.
 */
export function describeContents(value: unknown): string {
  if (Array.isArray(value)) {
    return `it is a list${value.every(isObject) ? ' of objects. Name the table: { "things": [ … ] }' : ""}`;
  }
  if (!isObject(value)) return `it is ${showValue(value)}`;
  const seen = Object.entries(value).slice(0, mostShown);
  const parts = seen.map(([key, item]) => `${showText(key)} is ${inWords(item)}`);
  const more = Object.keys(value).length > mostShown ? ", …" : "";
  return parts.length === 0
    ? "it is empty"
    : `not all of its values are lists of objects: ${parts.join(", ")}${more}`;
}

const mostShown = 4;

function inWords(value: unknown): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return "an empty list";
    return value.every(isObject) ? "a list of objects" : "a list";
  }
  return showValue(value);
}

function ofObject(
  test: (value: Json, ending: string | undefined) => boolean,
): ImportFormat["looksLike"] {
  return (value, ending) => isObject(value) && test(value, ending);
}

function listOf(value: Json): readonly unknown[] {
  const list = Object.values(value).find((item) => Array.isArray(item));
  return Array.isArray(list) ? list : [];
}

/**
 * The kind of a file that is already written as fixtures: a document, or a file of a fixtures folder. Undefined:
 * neither.
 */
export function ownFormat(value: Json): "document" | "tables" | "chats" | "cassettes" | undefined {
  if (looksLikeFixtures(value)) return "document";
  const { columns, rows, generate, recordings } = value;
  if (isObject(columns) && (Array.isArray(rows) || isObject(generate))) return "tables";
  if (Array.isArray(recordings) && typeof value["interface"] === "string") return "cassettes";
  return isValid(scriptSchema, value) ? "chats" : undefined;
}

/** The entries of an HTTP archive; undefined if it has no list of them. */
function archiveEntries({ log }: Json): readonly unknown[] | undefined {
  const entries: unknown = isObject(log) ? log["entries"] : undefined;
  return Array.isArray(entries) ? entries : undefined;
}

function isOpenApi({ openapi, swagger }: Json): boolean {
  // In YAML, a version without quotes is a number.
  return [openapi, swagger].some((form) => typeof form === "string" || typeof form === "number");
}

/**
 * Whether a file has tables: each value is a single row, or at least one is a list of rows and no more than half of the
 * values are neither lists nor objects. With more of those, the file is a configuration.
 */
function isOfTables(value: Json): boolean {
  const items = named(value).map((key) => value[key]);
  const tables = items.filter((item) => isRows(item) || isObject(item));
  if (items.length > 0 && items.every(isRow)) return true;
  return tables.some(isRows) && tables.length * 2 >= items.length;
}

/**
 * Whether a value can be a row. An object whose members are all objects is a map of rows, such as Stripe's examples by
 * resource.
 */
function isRow(value: unknown): boolean {
  if (!isObject(value)) return false;
  const members = Object.values(value);
  return members.length === 0 || !members.every(isObject);
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
