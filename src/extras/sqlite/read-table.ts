import { showText } from "../../core/errors/show.ts";
import {
  type Collation,
  type Column,
  CurrentTime,
  type DeclaredIndex,
  type ReferenceActions,
  referenceActions,
  type TableSchema,
} from "../../core/store/schema.ts";
import type { TextPlace } from "../../core/fixture-set/tables/table-files.ts";
import { readChecks } from "./read-checks.ts";
import type { WrittenForeignKey } from "./foreign-keys.ts";
import { type DefaultContext, readDefault } from "./read-default.ts";
import { foldAscii } from "../../core/store/text-order.ts";
import { tokensOf, unquoteName } from "./sql-text.ts";
import {
  messageOf,
  quoted,
  select,
  type SqlCell,
  type SqlDatabase,
  type SqlRow,
} from "./sqlite.ts";
import type { TableFileProblems } from "./table-file-problems.ts";

/** An entry of `sqlite_schema`. */
export interface SchemaEntry {
  readonly name: string;
  /** The statement as SQLite keeps it. */
  readonly sql: string;
  /** The entry's number among those of all databases. */
  readonly serial: number;
  readonly place: TextPlace;
}

/** The values that reading a table needs. */
export interface TableContext extends DefaultContext {
  readonly entry: SchemaEntry;
  /** All indexes from CREATE INDEX, by folded name. */
  readonly made: ReadonlyMap<string, SchemaEntry>;
  readonly database: SqlDatabase;
  readonly problems: TableFileProblems;
}

/** A table's schema before its foreign keys are checked. */
export interface ReadTable {
  readonly schema: TableSchema;
  readonly foreignKeys: readonly WrittenForeignKey[];
}

/** Reads a table's schema. Parts that are not supported are reported and left out. */
export function readTable(context: TableContext): ReadTable {
  const { entry, database, problems } = context;
  const { name, sql, place } = entry;
  const info = select(database, `PRAGMA main.table_xinfo(${quoted(name)})`);
  const own = info.filter(({ hidden }) => hidden === 0n);
  const generated = new Set(
    info.flatMap((column) => (own.includes(column) ? [] : [String(column["name"])])),
  );
  for (const column of generated) {
    problems.unsupported(placeOfWord(place, column), `The generated column ${showText(column)}`);
  }
  const [listed] = select(database, `PRAGMA main.table_list(${quoted(name)})`);
  if (listed?.["strict"] === 1n) {
    const what = `STRICT of the table ${showText(name)}`;
    const consequence = "its columns accept what the tables' profile allows";
    problems.unsupported(placeOfWord(place, "STRICT"), what, consequence);
  }
  refuseClauses(entry, problems);
  const names = own.map((column) => String(column["name"]));
  const collates = collationNames(name, names, database);
  const columns = own.map((column, at) => readColumn(column, collates[at] ?? "", context));
  const found = listIndexes(name, database);
  const indexes = readIndexes(found, { ...context, columns, generated });
  const constraintOrder = found
    .filter(({ index }) => index["origin"] !== "c")
    .map(({ parts }) => parts.map((part) => String(part["name"])));
  const primaryKey = info
    .filter(({ pk }) => pk !== 0n)
    .toSorted((left, right) => Number(left["pk"]) - Number(right["pk"]))
    .map((column) => String(column["name"]));
  const isCounting = tokensOf(sql).some(({ text }) => text.toUpperCase() === "AUTOINCREMENT");
  const isOfNone = (index: DeclaredIndex): boolean =>
    !columns.some((column) => isOfColumn(index, column));
  const declared = indexes.filter(isOfNone);
  const checks = readChecks(sql, columns, (at, what) =>
    problems.unsupported(placeOfWord(place, "CHECK", at), `${what} of the table ${showText(name)}`),
  );
  const schema: TableSchema = {
    name,
    columns: columns.map((column) => ({
      ...column,
      unique: indexes.some((index) => isOfColumn(index, column)),
    })),
    primaryKey: primaryKey.some((part) => generated.has(part)) ? [] : primaryKey,
    ...(declared.length > 0 ? { indexes: declared } : {}),
    ...(constraintOrder.length > 1 ? { constraintOrder } : {}),
    ...(checks.length > 0 ? { checks } : {}),
    ...(isCounting ? { autoIncrement: true } : {}),
    ...(listed?.["wr"] === 1n ? { withoutRowId: true } : {}),
    sql,
  };
  return { schema, foreignKeys: readForeignKeys(context, generated) };
}

/**
 * The first place of a word or name in the statement that begins at `place`; `place` itself if the word is not there.
 */
export function placeOfWord(place: TextPlace, word: string, skip = 0): TextPlace {
  const { file, offset } = place;
  const folded = foldAscii(word);
  const found = tokensOf(file.text, offset).filter(
    ({ text }) => foldAscii(unquoteName(text)) === folded,
  );
  return { file, offset: found[skip]?.offset ?? offset };
}

/**
 * Reports clauses that no pragma shows. They are found in the statement's text: outside quotes their words have no
 * other meaning.
 */
function refuseClauses({ name, sql, place }: SchemaEntry, problems: TableFileProblems): void {
  const words = tokensOf(sql).map(({ text }) => text.toUpperCase());
  const owner = `the table ${showText(name)}`;
  for (const [at, word] of words.entries()) {
    const action = words[at + 1] ?? "";
    if (word === "CONFLICT" && words[at - 1] === "ON" && action !== "ABORT") {
      const what = `ON CONFLICT ${action} of ${owner}`;
      problems.unsupported(placeOfWord(place, word), what, "a conflict is an error");
    }
  }
}

function readColumn(info: SqlRow, collate: string, context: TableContext): Column {
  const name = String(info["name"]);
  const type = String(info["type"]);
  const { entry, problems } = context;
  const place = (): TextPlace => placeOfWord(entry.place, name);
  if (/\b(?:(?:BIG|SMALL)?SERIAL|AUTO_INCREMENT)\b/i.test(type)) {
    const message = `The type ${showText(type)} generates no keys, since SQLite does not know it. Write INTEGER PRIMARY KEY to generate them.`;
    problems.warn(place(), message);
  }
  const expression = info["dflt_value"];
  const fallback =
    typeof expression === "string" ? readDefault(expression, type, context) : undefined;
  if (typeof expression === "string" && fallback === undefined) {
    const what = `The default of the column ${showText(name)}, which is not a constant,`;
    problems.unsupported(place(), what, "the column has no default");
  }
  if (fallback !== undefined && !isTaken(fallback, type, context)) {
    const message = `The default of the column ${showText(name)}, ${String(expression)}, does not fit its type ${showText(type)}: rows that leave the column out get NULL.`;
    problems.warn(place(), message);
  }
  return {
    name,
    type,
    notNull: info["notnull"] === 1n,
    unique: false,
    default: fallback,
    references: undefined,
    collate: readCollation(collate, place, problems),
  };
}

/** Whether rows can have a default: some profiles accept only values of the column's own type. */
function isTaken(
  fallback: Column["default"],
  type: string,
  { storage }: Pick<TableContext, "storage">,
): boolean {
  if (fallback === undefined || fallback === null || fallback instanceof CurrentTime) return true;
  return storage.fit(fallback, storage.kindOf(type)).ok;
}

/** SQLite shows a column's collation only for an index on it, so an index that is never filled is created. */
function collationNames(
  table: string,
  columns: readonly string[],
  database: SqlDatabase,
): readonly string[] {
  const index = quoted("backlot: collations");
  try {
    const list = columns.map(quoted).join(", ");
    database.run(`CREATE INDEX main.${index} ON ${quoted(table)} (${list}) WHERE 0`);
  } catch (error) {
    // The message names unknown collations, one at a time.
    if (columns.length > 1) return columns.flatMap((one) => collationNames(table, [one], database));
    const [, name] = /^no such collation sequence: (.*)$/s.exec(messageOf(error)) ?? [];
    if (name === undefined) throw error;
    return [name];
  }
  const parts = select(database, `PRAGMA main.index_xinfo(${index})`);
  database.run(`DROP INDEX main.${index}`);
  return parts.slice(0, columns.length).map((part) => String(part["coll"]));
}

const collations: readonly Collation[] = ["BINARY", "NOCASE", "RTRIM"];

function readCollation(
  name: string,
  place: () => TextPlace,
  problems: TableFileProblems,
): Collation {
  const collation = collations.find((known) => known === name.toUpperCase());
  if (collation !== undefined) return collation;
  problems.unsupported(place(), `The collation ${showText(name)}`, "BINARY takes its place");
  return "BINARY";
}

/** The columns that keys and indexes may name, and those that were left out. */
interface KeyContext extends TableContext {
  readonly columns: readonly Column[];
  readonly generated: ReadonlySet<string>;
}

/** The indexes of a table, oldest first. */
function listIndexes(table: string, database: SqlDatabase): readonly ListedIndex[] {
  const list = select(database, `PRAGMA main.index_list(${quoted(table)})`);
  return list.toReversed().map((index) => {
    const name = String(index["name"]);
    const columns = select(database, `PRAGMA main.index_xinfo(${quoted(name)})`);
    return { index, name, parts: columns.filter(({ key }) => key === 1n) };
  });
}

interface ListedIndex {
  readonly index: SqlRow;
  readonly name: string;
  readonly parts: readonly SqlRow[];
}

/** The part of an index that is not supported, in words; undefined if there is none. */
function refusedIndex(
  { index, name, parts }: ListedIndex,
  generated: ReadonlySet<string>,
): string | undefined {
  if (index["partial"] === 1n) return `The partial index ${showText(name)}`;
  if (parts.some(({ cid }) => Number(cid) < 0)) {
    return `The index ${showText(name)} on an expression`;
  }
  const leftOut = parts.map((part) => String(part["name"])).find((part) => generated.has(part));
  if (leftOut === undefined) return undefined;
  return `A key or an index with the generated column ${showText(leftOut)}`;
}

/** The indexes of a table besides that of its key, oldest first. */
function readIndexes(
  listed: readonly ListedIndex[],
  context: KeyContext,
): readonly DeclaredIndex[] {
  const { entry, made, generated, problems } = context;
  return listed.flatMap(({ index, name, parts }): readonly DeclaredIndex[] => {
    if (index["origin"] === "pk") {
      refuseKeyParts(parts, context);
      return [];
    }
    const statement = made.get(foldAscii(name));
    const place = statement?.place ?? entry.place;
    const names = parts.map((part) => String(part["name"]));
    const refusal = refusedIndex({ index, name, parts }, generated);
    if (refusal !== undefined) {
      problems.unsupported(place, refusal);
      return [];
    }
    const columns = parts.map((part, at) => ({
      name: names[at] ?? "",
      collate: readCollation(String(part["coll"]), () => place, problems),
      descending: part["desc"] === 1n,
    }));
    const unique = index["unique"] === 1n;
    if (statement === undefined) return [{ columns, unique }];
    const { sql, serial: position } = statement;
    return [{ columns, unique, made: { name: statement.name, sql, position } }];
  });
}

/**
 * Reports parts of a primary key that the store ignores: it orders keys ascending, by the collations of their columns.
 */
function refuseKeyParts(
  parts: readonly SqlRow[],
  { entry: { name: table, place }, columns, problems }: KeyContext,
): void {
  if (parts.some(({ desc }) => desc === 1n)) {
    const what = `DESC in the primary key of the table ${showText(table)}`;
    problems.unsupported(placeOfWord(place, "DESC"), what, "the key is ascending");
  }
  for (const { name, coll } of parts) {
    const column = columns.find((one) => one.name === name);
    if (column === undefined || column.collate === String(coll).toUpperCase()) continue;
    const what = `Another collation for the column ${showText(column.name)} in the primary key`;
    problems.unsupported(place, what, "the column's own counts");
  }
}

/** Whether a constraint only makes one column unique. */
function isOfColumn({ columns, unique, made }: DeclaredIndex, column: Column): boolean {
  const [sole, ...others] = columns;
  return (
    unique &&
    made === undefined &&
    others.length === 0 &&
    sole?.name === column.name &&
    sole.collate === column.collate &&
    !sole.descending
  );
}

function readForeignKeys(
  { entry, database }: TableContext,
  generated: ReadonlySet<string>,
): readonly WrittenForeignKey[] {
  const parts = select(database, `PRAGMA main.foreign_key_list(${quoted(entry.name)})`);
  // The newest key comes first, with a row for each of its columns.
  const ids = [...new Set(parts.map(({ id }) => id))].toReversed();
  return ids.flatMap((id): readonly WrittenForeignKey[] => {
    const own = parts.filter((part) => part["id"] === id);
    const columns = own.map(({ from }) => String(from));
    const table = String(own[0]?.["table"]);
    const isOwn = foldAscii(table) === foldAscii(entry.name);
    const place = (): TextPlace => placeOfWord(entry.place, table, isOwn ? 1 : 0);
    if (columns.some((name) => generated.has(name))) return [];
    const to = own.flatMap((part) => (part["to"] === null ? [] : [String(part["to"])]));
    const actions = {
      ...namedAction("onDelete", own[0]?.["on_delete"]),
      ...namedAction("onUpdate", own[0]?.["on_update"]),
    };
    return [{ columns, table, to: to.length === 0 ? undefined : to, place, ...actions }];
  });
}

/** An action by its event, unless it is the usual one. */
function namedAction(event: keyof ReferenceActions, word: SqlCell | undefined): ReferenceActions {
  const action = referenceActions.find((known) => known.toUpperCase() === word);
  return action === undefined || action === "no action" ? {} : { [event]: action };
}
