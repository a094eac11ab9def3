import { didYouMean } from "../errors/show.ts";
import { isValid } from "../schema/schema.ts";
import { documentEntries, reservedKeys, settingKeys } from "./format/document-format.ts";
import { isObject } from "../schema/json.ts";
import { isScripts } from "./read-config.ts";
import type { Origins } from "./origins.ts";

/**
 * Whether a document is only tables by name, like json-server's `db.json`. A key that looks like a misspelt reserved
 * one, by name and by value, makes it a fixture document, so that the mistake is reported.
 */
export function isTablesDocument(document: unknown): document is Readonly<Record<string, unknown>> {
  if (!isObject(document)) return false;
  const entries = tablesOf(document);
  const isOfFixtures = entries.some(
    ([key, value]) => isReserved(key, value) || isMisspelt(key, value) || isScripts(key, value),
  );
  return !isOfFixtures && entries.some(([, value]) => typeof value === "object" && value !== null);
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
  if (reservedKeys.includes(key)) return true;
  if (key === "embeddings") return isEmbeddings(value);
  if (key === "recording") return isObject(value) && Object.values(value).some(Array.isArray);
  if (!settingKeys.includes(key)) return false;
  return !isObject(value) && !(Array.isArray(value) && value.every(isObject));
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

/** Whether an object or a list is a valid value of a fixture key. An empty list may be anything. */
function fitsKey(value: unknown, key: string): boolean {
  const schema = documentEntries[key]?.schema;
  const isEmptyList = Array.isArray(value) && value.length === 0;
  if (schema === undefined || typeof value !== "object" || value === null) return false;
  return !isEmptyList && isValid(schema, value);
}
