import { didYouMean } from "../errors/nearest-name.ts";
import { isValid } from "../schema/schema.ts";
import { reservedKeys, settingKeys } from "./format/document-format.ts";
import { isObject } from "../schema/json.ts";
import { modelSchema } from "./models.ts";
import type { Origins } from "./origins.ts";

/**
 * Whether a document is nothing but tables by name, as json-server's `db.json`. A key that looks like a
 * reserved one misspelt, by its name and by its value, makes it a fixture document, so that the mistake shows.
 */
export function isTablesDocument(document: unknown): document is Readonly<Record<string, unknown>> {
  if (!isObject(document)) return false;
  const entries = tablesOf(document);
  if (entries.some(([key]) => reservedKeys.includes(key))) return false;
  if (entries.some(([key, value]) => isSetting(key, value) || isRecording(key, value)))
    return false;
  if (entries.some(([key, value]) => isMisspeltKey(key, value))) return false;
  return entries.some(([, value]) => typeof value === "object" && value !== null);
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

/** Whether it can only be a setting: a table may be called `port` or `host`. */
function isSetting(key: string, value: unknown): boolean {
  const couldBeRows = isObject(value) || (Array.isArray(value) && value.every(isObject));
  return settingKeys.includes(key) && !couldBeRows;
}

/** A table may be called that, too, and then has other columns. */
function isRecording(key: string, value: unknown): boolean {
  return key === "recording" && isObject(value) && Object.values(value).some(Array.isArray);
}

/**
 * What the values of reserved keys look like. `cats`, `charts` and `profile` are good names for tables, so
 * a near name alone proves nothing.
 */
const looksLike: Readonly<Record<string, (value: unknown) => boolean>> = {
  tables: (value) => isObject(value) && hasItems(Object.values(value), isTableLike),
  models: (value) => Array.isArray(value) && hasItems(value, isModelLike),
  chats: (value) => Array.isArray(value) && hasItems(value, isScriptLike),
  cassettes: (value) => Array.isArray(value) && hasItems(value, isCassetteLike),
  profiles: (value) => isObject(value) && hasItems(Object.keys(value), isOneOf(["rest", "chat"])),
  chat: (value) => isObject(value) && Object.hasOwn(value, "unmatched"),
};

/** Whether one of a document's keys has what only fixtures have there: a database may have tables of these names, too. */
export function looksLikeFixtures(document: Readonly<Record<string, unknown>>): boolean {
  return reservedKeys.some((key) => looksLike[key]?.(document[key]) === true);
}

function isMisspeltKey(key: string, value: unknown): boolean {
  const near = reservedKeys.filter((reserved) => didYouMean(key, [reserved]) !== "");
  if (near.length === 0) return false;
  if (typeof value !== "object" || value === null) return true;
  return near.some((reserved) => looksLike[reserved]?.(value) === true);
}

function hasItems<Item>(items: readonly Item[], test: (item: Item) => boolean): boolean {
  return items.length > 0 && items.every(test);
}

function isTableLike(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isObject);
  return (
    isObject(value) && ["rows", "columns", "generate"].some((key) => Object.hasOwn(value, key))
  );
}

function isModelLike(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length > 1 && isValid(modelSchema, value);
}

function isScriptLike(value: unknown): boolean {
  return isObject(value) && (Object.hasOwn(value, "reply") || Object.hasOwn(value, "replies"));
}

function isCassetteLike(value: unknown): boolean {
  return isObject(value) && Object.hasOwn(value, "recordings");
}

function isOneOf(names: readonly string[]): (name: string) => boolean {
  return (name) => names.includes(name);
}
