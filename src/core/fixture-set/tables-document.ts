import { didYouMean, nearestName } from "../errors/show.ts";
import { isValid } from "../schema/schema.ts";
import { documentEntries, reservedKeys, settingKeys } from "./format/document-format.ts";
import { isObject, type JsonObject } from "../schema/json.ts";
import { isScripts } from "./read-config.ts";
import type { Origins } from "./origins.ts";

/**
 * Whether a document is only tables by name, like json-server's `db.json`. A key that looks like a misspelt reserved
 * one, by name and by value, makes it a fixture document, so that the mistake is reported.
 */
export function isTablesDocument(document: unknown): document is Readonly<Record<string, unknown>> {
  if (!isObject(document)) return false;
  const entries = tablesOf(document);
  if (!entries.some(([, value]) => typeof value === "object" && value !== null)) return false;
  const isOfFixtures = entries.some(
    ([key, value]) => isReserved(key, value) || isMisspelt(key, value) || isScripts(key, value),
  );
  if (isOfFixtures) return false;
  // An empty value fits both kinds of documents, so the other keys decide.
  return entries.some(([key, value]) => !isUndecided(key, value));
}

/** Whether a key is a reserved one, or like one, and its value is empty. */
function isUndecided(key: string, value: unknown): boolean {
  if (typeof value !== "object" || value === null || Object.keys(value).length > 0) return false;
  const isNear = !Array.isArray(value) && didYouMean(key, reservedKeys) !== "";
  return reservedKeys.includes(key) || isNear;
}

function tablesOf(document: Readonly<Record<string, unknown>>): readonly [string, unknown][] {
  return Object.entries(document).filter(([name]) => name !== "$schema");
}

/** The fixture document that a document of tables stands for. An object is a table of one row. */
export function tablesToFixtures(
  document: Readonly<Record<string, unknown>>,
  origins: Origins,
): { readonly tables: unknown } {
  origins.alias(["tables"], []);
  const tables = tablesOf(document).map(([name, value]): [string, unknown] => {
    if (!isObject(value)) return [name, value];
    origins.alias(["tables", name, 0], [name]);
    return [name, [value]];
  });
  return { tables: Object.fromEntries(tables) };
}

/** Whether a key can only belong to the format. A table may be called `port`, `host` or `recording`. */
function isReserved(key: string, value: unknown): boolean {
  if (reservedKeys.includes(key)) return !holdsRows(key, value);
  if (key === "embeddings") return isEmbeddings(value);
  if (key === "recording") return isObject(value) && Object.values(value).some(Array.isArray);
  if (!settingKeys.includes(key)) return false;
  if (isObject(value)) return fitsKey(value, key);
  return !(Array.isArray(value) && value.every(isObject));
}

/** Whether a reserved key has rows, as it has where a database has a table of that name. An empty value counts. */
function holdsRows(key: string, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (Object.keys(value).length === 0) return true;
  if (!items.every(isObject)) return false;
  const marks = entryMarks[key];
  if (marks !== undefined) return items.every((item) => isRowBeside(marks, item));
  // No other key of fixtures has a list of objects.
  return Array.isArray(value) || !isSection(key, value);
}

/** Whether an object is what fixtures have under a key, as a whole or in part. */
function isSection(key: string, value: object): boolean {
  return sections[key]?.(value) === true;
}

function hasAny(...marks: readonly string[]): (value: object) => boolean {
  return (value) => Object.keys(value).some((name) => isLike(name, marks));
}

/** What tells sections of fixtures from rows of a database: keys that such rows hardly have. */
const sections: Readonly<Record<string, (value: object) => boolean>> = {
  cors: () => true,
  tables: (value) => Object.values(value).some((one) => typeof one === "object" && one !== null),
  profiles: hasAny("tables", "chat"),
  chat: hasAny("unmatched", "unknownModels", "pace", "load"),
  state: hasAny("clock", "seed", "random", "matches", "played", "keys", "limits", "faults"),
};

const entryMarks: Readonly<Record<string, readonly string[]>> = {
  models: ["variant", "owned_by", "created", "contextLength", "kind", "dimensions"],
  chats: ["name", "when", "times", "reply", "replies", "after", "count"],
  cassettes: ["name", "interface", "upstream", "recordedAt", "recordings"],
};

/** Whether an object is a row: its id is a number, or many of its keys are unknown to entries of fixtures. */
function isRowBeside(marks: readonly string[], { id, ...others }: JsonObject): boolean {
  if (typeof id === "number") return true;
  const names = Object.keys(others);
  const known = names.filter((name) => isLike(name, marks)).length;
  const isNamed = id !== undefined && names.some((name) => /^(?:name|title|text)$/.test(name));
  return isNamed ? known * 2 <= names.length : known * 2 < names.length && names.length > 1;
}

function isLike(name: string, marks: readonly string[]): boolean {
  return nearestName(name, marks) !== undefined;
}

/** Whether a value is a list of vectors for texts, and not of rows, which would have an id. */
function isEmbeddings(value: unknown): boolean {
  return Array.isArray(value) && value.some(isEmbedding);
}

function isEmbedding(item: unknown): boolean {
  return isObject(item) && !("id" in item) && ("vector" in item || "near" in item);
}

/**
 * Whether a key of the document has a value that only fixtures have there. A database may have tables of these names,
 * too.
 */
export function looksLikeFixtures(document: Readonly<Record<string, unknown>>): boolean {
  return reservedKeys.some((key) => fitsKey(document[key], key));
}

/**
 * Whether a key can only be a misspelt reserved one. `cats`, `charts` and `profile` are good names for tables, so a
 * similar name alone proves nothing.
 */
function isMisspelt(key: string, value: unknown): boolean {
  const near = reservedKeys.filter((reserved) => didYouMean(key, [reserved]) !== "");
  const couldBeRows = typeof value === "object" && value !== null;
  return near.length > 0 && (!couldBeRows || near.some((reserved) => fitsKey(value, reserved)));
}

/** Whether an object or a list is a valid value of a fixture key. An empty list or object may be anything. */
function fitsKey(value: unknown, key: string): boolean {
  const schema = documentEntries[key]?.schema;
  if (schema === undefined || typeof value !== "object" || value === null) return false;
  return Object.keys(value).length > 0 && isValid(schema, value);
}
