import { type JsonObject, isObject } from "../../core/schema/json.ts";
import { collectionSource } from "./collection.ts";
import { CollectionTable } from "./collection-table.ts";
import type { TableDeclaration } from "./table-shape.ts";
import { EmulatorError, isEmulatorError, type Problem } from "../../core/errors/emulator-error.ts";
import { didYouMean, showText, showValue } from "../../core/errors/show.ts";
import { readFixtureDocument } from "../../core/fixture-set/read-fixtures.ts";

/** Makes tables from the option `tables`. Rejects with `ERR_OPTION_INVALID` if it is invalid. */
export async function readCollections(
  option: unknown,
): Promise<ReadonlyMap<string, CollectionTable>> {
  if (!isObject(option)) {
    throw invalid("use the option tables", `it is ${showValue(option)}. ${advice}`);
  }
  const tables = new Map<string, CollectionTable>();
  for (const [name, given] of Object.entries(option))
    tables.set(name, await readTable(name, given));
  return tables;
}

const advice =
  "Give collections of @msw/data by name, or for each an object with " +
  '"collection", and with "primaryKey" or "columns" as in fixtures.';

async function readTable(name: string, given: unknown): Promise<CollectionTable> {
  const what = `serve a collection as the table ${showText(name)}`;
  if (name === "") throw invalid(what, "a table's name must not be empty.");
  const bare = collectionSource(given);
  const declared = bare === undefined ? readDeclared(what, given) : {};
  const source = bare ?? collectionSource(declared["collection"]);
  if (source === undefined) {
    throw invalid(what, `its "collection" is not a Collection of @msw/data 1.1. ${advice}`);
  }
  const declaration = await readDeclaration(what, name, declared);
  const table = new CollectionTable(source, declaration);
  refuseUnseenKey(what, table, declaration);
  return table;
}

const knownKeys = ["collection", "primaryKey", "columns"];

/** An object with a collection and its declaration. */
function readDeclared(what: string, given: unknown): JsonObject {
  if (!isObject(given) || !Object.hasOwn(given, "collection")) {
    throw invalid(what, `${showValue(given)} is not a Collection of @msw/data 1.1. ${advice}`);
  }
  const unknown = Object.keys(given).find((key) => !knownKeys.includes(key));
  if (unknown === undefined) return given;
  const nearest = didYouMean(unknown, knownKeys);
  const keys = knownKeys.join(", ");
  throw invalid(what, `there is no key ${showText(unknown)}.${nearest} Use: ${keys}.`);
}

async function readDeclaration(
  what: string,
  name: string,
  given: JsonObject,
): Promise<TableDeclaration> {
  const { primaryKey, columns } = given;
  if (columns === undefined) {
    return { name, primaryKey: readKey(what, primaryKey), columns: undefined };
  }
  refuseReferences(what, columns);
  // A declaration has the form of a fixture table, and is checked like one.
  const table = primaryKey === undefined ? { columns } : { primaryKey, columns };
  try {
    const { tables } = await readFixtureDocument({ tables: { [name]: table } });
    const [read] = tables;
    return { name, primaryKey: read?.schema.primaryKey, columns: read?.schema.columns };
  } catch (error) {
    if (!isEmulatorError(error)) throw error;
    const { problems } = error;
    const listed = problems.map(({ path = "", message }) => `${path}: ${message}`).join(" ");
    throw invalid(what, listed, problems);
  }
}

function readKey(what: string, key: unknown): readonly string[] | undefined {
  if (key === undefined) return undefined;
  const names: readonly unknown[] = Array.isArray(key) ? key : [key];
  const texts = names.flatMap((name) => (typeof name === "string" && name !== "" ? [name] : []));
  if (texts.length === names.length && texts.length > 0) return texts;
  const wrong = `its "primaryKey" is ${showValue(key)}.`;
  throw invalid(what, `${wrong} Give the name of a column, or an array of them.`);
}

function refuseReferences(what: string, columns: unknown): void {
  for (const [name, column] of isObject(columns) ? Object.entries(columns) : []) {
    if (!isObject(column) || !Object.hasOwn(column, "references")) continue;
    const message = `the column ${showText(name)} has "references", which collections do not support.`;
    throw invalid(what, `${message} Remove it.`);
  }
}

/** Throws for a misspelt key, with which no row would ever be found. */
function refuseUnseenKey(
  what: string,
  table: CollectionTable,
  { primaryKey, columns }: TableDeclaration,
): void {
  if (primaryKey === undefined || columns !== undefined) return;
  const seen = table.knownColumns();
  const missing = primaryKey.find((name) => !seen.includes(name));
  if (missing === undefined || seen.length === 0) return;
  const nearest = didYouMean(missing, seen);
  const columnNames = seen.join(", ");
  throw invalid(
    what,
    `there is no column ${showText(missing)} for its "primaryKey".${nearest} Columns: ${columnNames}.`,
  );
}

function invalid(what: string, problem: string, problems: readonly Problem[] = []): EmulatorError {
  return new EmulatorError("ERR_OPTION_INVALID", `Cannot ${what}: ${problem}`, { problems });
}
