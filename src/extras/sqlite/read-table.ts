import { showText } from "../../core/errors/show.ts";
import type { Collation, Column, DeclaredIndex, TableSchema } from "../../core/store/schema.ts";
import type { TextPlace } from "../../core/fixture-set/tables/table-files.ts";
import type { WrittenForeignKey } from "./foreign-keys.ts";
import { type DefaultContext, readDefault } from "./read-default.ts";
import { foldName, tokensOf, unquoteName } from "./sql-text.ts";
import { messageOf, quoted, select, type SqlDatabase, type SqlRow } from "./sqlite.ts";
import type { TableFileProblems } from "./table-file-problems.ts";

/** An entry of `sqlite_schema`. */
export interface SchemaEntry {
  readonly name: string;
  /** The statement as SQLite keeps it. */
  readonly sql: string;
  /** Counts the entries of all databases. */
  readonly serial: number;
  readonly place: TextPlace;
}

/** An index from CREATE INDEX. */
export interface MadeIndex extends DeclaredIndex {
  readonly name: string;
  readonly sql: string;
  /** Its position among all tables and such indexes. */
  readonly position: number;
}

/** Whether an index comes from CREATE INDEX. */
export function isMade(index: DeclaredIndex): index is MadeIndex {
  return "position" in index;
}

/** A table to read. */
export interface TableSchemaEntry extends SchemaEntry {
  /** The indexes from CREATE INDEX, by folded name. */
  readonly indexes: ReadonlyMap<string, SchemaEntry>;
}

/** What reading a table needs. */
export interface TableContext extends DefaultContext {
  readonly database: SqlDatabase;
  readonly problems: TableFileProblems;
}

/** A table's schema before its foreign keys are checked. */
export interface ReadTable {
  readonly schema: TableSchema;
  readonly foreignKeys: readonly WrittenForeignKey[];
}

/** Reads a table's schema. Reports what is not supported, and leaves it out. */
export function readTable(entry: TableSchemaEntry, context: TableContext): ReadTable {
  const { name, sql, place } = entry;
  const { database, problems } = context;
  const info = select(database, `PRAGMA main.table_xinfo(${quoted(name)})`);
  const generated = new Set<string>();
  const own = info.filter((column) => {
    if (column["hidden"] === 0n) return true;
    const generatedName = String(column["name"]);
    generated.add(generatedName);
    const at = placeOfWord(place, generatedName);
    problems.unsupported(at, `The generated column ${showText(generatedName)}`);
    return false;
  });
  const [listed] = select(database, `PRAGMA main.table_list(${quoted(name)})`);
  const withoutRowId = listed?.["wr"] === 1n;
  if (listed?.["strict"] === 1n) {
    const consequence = "its columns accept what the tables' profile allows";
    problems.unsupported(
      placeOfWord(place, "STRICT"),
      `STRICT of the table ${showText(name)}`,
      consequence,
    );
  }
  refuseClauses(entry, problems);
  const names = own.map((column) => String(column["name"]));
  const collates = collationNames(name, names, database);
  const columns = own.map((column, at) => ({
    ...readColumn(column, entry, context),
    collate: readCollation(collates[at] ?? "", () => placeOfWord(place, names[at] ?? ""), problems),
  }));
  const table: KeyContext = { entry, columns, generated, context };
  const found = listIndexes(name, database);
  const indexes = readIndexes(found, table);
  const constraintOrder = found
    .filter(({ index }) => index["origin"] !== "c")
    .map(({ parts }) => parts.map((part) => String(part["name"])));
  const primaryKey = info
    .filter(({ pk }) => pk !== 0n)
    .toSorted((left, right) => Number(left["pk"]) - Number(right["pk"]))
    .map((column) => String(column["name"]));
  const isCounting = tokensOf(sql).some(({ text }) => text.toUpperCase() === "AUTOINCREMENT");
  const schema: TableSchema = {
    name,
    columns: columns.map((column) => ({
      ...column,
      unique: indexes.some((index) => isOfColumn(index, column)),
    })),
    primaryKey: primaryKey.some((part) => generated.has(part)) ? [] : primaryKey,
    ...declaredIndexes(indexes, columns),
    ...(constraintOrder.length > 1 ? { constraintOrder } : {}),
    ...(isCounting ? { autoIncrement: true } : {}),
    ...(withoutRowId ? { withoutRowId: true } : {}),
    sql,
  };
  return { schema, foreignKeys: readForeignKeys(table) };
}

/** The first place of a word or name in the statement that begins at a place; that place if there is none. */
export function placeOfWord(place: TextPlace, word: string, skip = 0): TextPlace {
  const { file, offset } = place;
  const folded = foldName(word);
  const found = tokensOf(file.text, offset).filter(
    ({ text }) => foldName(unquoteName(text)) === folded,
  );
  return { file, offset: found[skip]?.offset ?? offset };
}

/** What no pragma shows. Outside quotes these words have no other meaning. */
function refuseClauses({ name, sql, place }: TableSchemaEntry, problems: TableFileProblems): void {
  const words = tokensOf(sql).map(({ text }) => text.toUpperCase());
  const owner = `the table ${showText(name)}`;
  let checks = 0;
  for (const [at, word] of words.entries()) {
    const action = words[at + 1] ?? "";
    if (word === "CHECK") {
      problems.unsupported(placeOfWord(place, word, checks++), `A CHECK constraint of ${owner}`);
    } else if (word === "CONFLICT" && words[at - 1] === "ON" && action !== "ABORT") {
      const what = `ON CONFLICT ${action} of ${owner}`;
      problems.unsupported(placeOfWord(place, word), what, "a conflict is an error");
    }
  }
}

function readColumn(
  info: SqlRow,
  entry: TableSchemaEntry,
  context: TableContext,
): Omit<Column, "collate"> {
  const name = String(info["name"]);
  const type = String(info["type"]);
  const { problems } = context;
  if (/\b(?:(?:BIG|SMALL)?SERIAL|AUTO_INCREMENT)\b/i.test(type)) {
    const message = `The type ${showText(type)} generates no keys, since SQLite does not know it. Write INTEGER PRIMARY KEY to generate them.`;
    problems.warn(placeOfWord(entry.place, name), message);
  }
  const expression = info["dflt_value"];
  const fallback =
    typeof expression === "string" ? readDefault(expression, type, context) : undefined;
  if (typeof expression === "string" && fallback === undefined) {
    const what = `The default of the column ${showText(name)}, which is not a constant,`;
    const place = placeOfWord(entry.place, name);
    problems.unsupported(place, what, "the column has no default");
  }
  return {
    name,
    type,
    notNull: info["notnull"] === 1n,
    unique: false,
    default: fallback,
    references: undefined,
  };
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

interface KeyContext {
  readonly entry: TableSchemaEntry;
  readonly columns: readonly Column[];
  readonly generated: ReadonlySet<string>;
  readonly context: TableContext;
}

/** An index besides that of the primary key. */
interface ReadIndex extends DeclaredIndex {
  /** The statement that created it; undefined for a constraint. */
  readonly made: SchemaEntry | undefined;
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

/** The indexes of a table besides that of its key, oldest first. */
function readIndexes(
  listed: readonly ListedIndex[],
  { entry, columns, generated, context }: KeyContext,
): readonly ReadIndex[] {
  const { problems } = context;
  return listed.flatMap(({ index, name, parts }): readonly ReadIndex[] => {
    if (index["origin"] === "pk") {
      refuseKeyParts(parts, { entry, columns, problems });
      return [];
    }
    const made = entry.indexes.get(foldName(name));
    const place = made?.place ?? entry.place;
    const names = parts.map((part) => String(part["name"]));
    const refusal =
      index["partial"] === 1n
        ? `The partial index ${showText(name)}`
        : parts.some(({ cid }) => Number(cid) < 0)
          ? `The index ${showText(name)} on an expression`
          : names.some((part) => generated.has(part))
            ? `A key or an index with the generated column ${showText(names.find((part) => generated.has(part)) ?? "")}`
            : undefined;
    if (refusal !== undefined) {
      problems.unsupported(place, refusal);
      return [];
    }
    const own = parts.map((part, at) => ({
      name: names[at] ?? "",
      collate: readCollation(String(part["coll"]), () => place, problems),
      descending: part["desc"] === 1n,
    }));
    return [{ columns: own, unique: index["unique"] === 1n, made }];
  });
}

/** The store orders primary keys ascending, by the collations of their columns. */
function refuseKeyParts(
  parts: readonly SqlRow[],
  {
    entry: { name: table, place },
    columns,
    problems,
  }: Pick<KeyContext, "entry" | "columns"> & { readonly problems: TableFileProblems },
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
function isOfColumn({ columns, unique, made }: ReadIndex, column: Column): boolean {
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

function declaredIndexes(
  indexes: readonly ReadIndex[],
  columns: readonly Column[],
): Pick<TableSchema, "indexes"> {
  const declared = indexes
    .filter((index) => !columns.some((column) => isOfColumn(index, column)))
    .map(({ columns: own, unique, made }): DeclaredIndex => {
      const index = { columns: own, unique };
      if (made === undefined) return index;
      const entry: MadeIndex = { ...index, name: made.name, sql: made.sql, position: made.serial };
      return entry;
    });
  return declared.length === 0 ? {} : { indexes: declared };
}

function readForeignKeys({ entry, generated, context }: KeyContext): readonly WrittenForeignKey[] {
  const { database, problems } = context;
  const parts = select(database, `PRAGMA main.foreign_key_list(${quoted(entry.name)})`);
  // The newest key comes first, with a row for each of its columns.
  const ids = [...new Set(parts.map(({ id }) => id))].toReversed();
  return ids.flatMap((id): readonly WrittenForeignKey[] => {
    const own = parts.filter((part) => part["id"] === id);
    const columns = own.map(({ from }) => String(from));
    const table = String(own[0]?.["table"]);
    const isOwn = foldName(table) === foldName(entry.name);
    const place = (): TextPlace => placeOfWord(entry.place, table, isOwn ? 1 : 0);
    for (const [event, key] of [
      ["DELETE", "on_delete"],
      ["UPDATE", "on_update"],
    ] as const) {
      const action = String(own[0]?.[key]);
      if (action === "NO ACTION" || action === "RESTRICT") continue;
      const what = `ON ${event} ${action} of the foreign key to ${showText(table)}`;
      const consequence = "referenced rows cannot be deleted or get another key";
      problems.unsupported(place(), what, consequence);
    }
    if (columns.some((name) => generated.has(name))) return [];
    const to = own.flatMap((part) => (part["to"] === null ? [] : [String(part["to"])]));
    return [{ columns, table, to: to.length === 0 ? undefined : to, place }];
  });
}
