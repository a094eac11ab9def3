import { isValid } from "../../../core/schema/schema.ts";
import { documentKeys } from "../../../core/fixture-set/format/document-format.ts";
import { isObject } from "../../../core/schema/json.ts";
import { modelSchema } from "../../../core/fixture-set/models.ts";
import { scriptSchema } from "../../../core/fixture-set/format/script-format.ts";

/** What a file of our own is: a whole document, or a file of one of the folders of a fixtures folder. */
export type OwnFormat = "document" | "tables" | "chats" | "cassettes";

/** What a JSON file is that is written as fixtures already; undefined: nothing that looks like it. */
export function ownFormat(value: unknown): OwnFormat | undefined {
  if (!isObject(value)) return undefined;
  if (isDocument(value)) return "document";
  const { columns, rows, generate, recordings } = value;
  if (isObject(columns) && (Array.isArray(rows) || isObject(generate))) return "tables";
  if (Array.isArray(recordings) && typeof value["interface"] === "string") return "cassettes";
  const answers = isObject(value["reply"]) || Array.isArray(value["replies"]);
  return answers && isValid(scriptSchema, value) ? "chats" : undefined;
}

/** A database may have tables of these names, too: their rows have other keys. */
function isDocument(value: Readonly<Record<string, unknown>>): boolean {
  const { tables, chats, cassettes, models } = value;
  if (isObject(tables) && Object.values(tables).every(isTable)) return true;
  if (hasItem(chats, (item) => Object.hasOwn(item, "reply") || Object.hasOwn(item, "replies"))) {
    return true;
  }
  if (hasItem(cassettes, (item) => Array.isArray(item["recordings"]))) return true;
  const isOfOwnKeys = Object.keys(value).every((key) => documentKeys.includes(key));
  return isOfOwnKeys && hasItem(models, (item) => isValid(modelSchema, item));
}

function isTable(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isObject);
  const parts = ["rows", "columns", "generate"];
  return isObject(value) && parts.some((part) => Object.hasOwn(value, part));
}

function hasItem(
  items: unknown,
  test: (item: Readonly<Record<string, unknown>>) => boolean,
): boolean {
  return Array.isArray(items) && items.some((item) => isObject(item) && test(item));
}
