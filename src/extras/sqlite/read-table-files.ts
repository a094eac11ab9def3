import type { FixtureFile } from "../../core/fixture-set/assemble.ts";
import type {
  FileTable,
  FileTables,
  TableFileOptions,
} from "../../core/fixture-set/tables/table-files.ts";
import { showText } from "../../core/errors/show.ts";
import type { RowId, Row, Value } from "../../core/store/value.ts";
import { rowIdOf, freeRowIdName, tableLayout } from "../../core/store/table-layout.ts";
import { withForeignKeys } from "./foreign-keys.ts";
import { cellValue } from "./read-default.ts";
import { placeOfWord, type ReadTable, readTable, type SchemaEntry } from "./read-table.ts";
import { type DumpedDatabase, Dumps, firstToken, type Statements } from "./read-dumps.ts";
import { type DumpRun, dumpRunner, type RunDumps } from "./run-dumps.ts";
import { atTime } from "./at-time.ts";
import { foldAscii } from "../../core/store/text-order.ts";
import {
  loadSqlite,
  messageOf,
  select,
  type SqlDatabase,
  type Sqlite,
  quoted,
  type SqlCell,
} from "./sqlite.ts";
import { TableFileProblems } from "./table-file-problems.ts";
import { affinity } from "../../core/store/column-kinds.ts";
import type { TableSchema } from "../../core/store/schema.ts";
import { sqliteStorage, type StorageRules } from "../../core/store/storage-rules.ts";

/**
 * Reads SQL dumps into one database, one after the other, and each database file into its own. `run` runs dumps.
 * Default: synchronously, so that nothing else happens until all of their statements have run.
 */
export async function readSqlTables(
  files: readonly FixtureFile[],
  options: TableFileOptions,
  run?: RunDumps,
): Promise<FileTables> {
  const sqlite = await loadSqlite();
  const dumps = dumpsOf(files);
  if (run === undefined || dumps === undefined) return readTableFilesBy(sqlite, files, options);
  return readTables(sqlite, options, { files, dumps, ran: await run(dumps.texts, options.now) });
}

/** Like `readSqlTables`, but synchronous, with a SQLite that is already loaded. */
export function readTableFilesBy(
  sqlite: Sqlite,
  files: readonly FixtureFile[],
  options: TableFileOptions,
): FileTables {
  const dumps = dumpsOf(files);
  const ran = dumps && dumpRunner(sqlite)(dumps.texts, options.now);
  return readTables(sqlite, options, { files, dumps, ran });
}

function dumpsOf(files: readonly FixtureFile[]): Dumps | undefined {
  const dumps = files.filter(({ bytes }) => bytes === undefined);
  return dumps.length === 0 ? undefined : new Dumps(dumps);
}

/** Files, and the result of running the dumps among them. */
interface RanFiles {
  readonly files: readonly FixtureFile[];
  readonly dumps: Dumps | undefined;
  readonly ran: DumpRun | undefined;
}

function readTables(sqlite: Sqlite, options: TableFileOptions, files: RanFiles): FileTables {
  return atTime(options.now, () => new TableFiles(sqlite, options).read(files));
}

/** A database in memory, made from files. */
interface Source {
  readonly database: SqlDatabase;
  readonly files: readonly FixtureFile[];
  /** The statements that made the database's entries. Empty for a database file. */
  readonly statements: Statements;
  /** The entries that dumps made outside of the database. */
  readonly beside: DumpedDatabase["beside"];
}

/** The most views that are named; the rest are counted. */
const mostViewsNamed = 5;

/** A table read from a database. */
interface FoundTable extends ReadTable, Pick<FileTable, "rows" | "lastGeneratedKey" | "placeOf"> {
  readonly serial: number;
}

/** Reads the tables of databases. */
class TableFiles {
  readonly #sqlite: Sqlite;
  readonly #options: TableFileOptions;
  readonly #problems: TableFileProblems;
  readonly #scratch: SqlDatabase;
  readonly #tables: FoundTable[] = [];
  /** The folded names of the databases' tables that were left out. */
  readonly #leftOut = new Set<string>();
  #serial = 0;

  constructor(sqlite: Sqlite, options: TableFileOptions) {
    this.#sqlite = sqlite;
    this.#options = options;
    this.#problems = new TableFileProblems(options.skipUnsupported);
    this.#scratch = sqlite.empty();
    this.#scratch.run("CREATE TABLE one_row (one); INSERT INTO one_row VALUES (1)");
  }

  read({ files, dumps, ran }: RanFiles): FileTables {
    if (dumps !== undefined && ran !== undefined) {
      const dumped = dumps.read(ran, this.#problems);
      this.#readSource({ ...dumped, database: this.#sqlite.copyOf(dumped.bytes) });
    }
    for (const file of files) if (file.bytes !== undefined) this.#readDatabase(file, file.bytes);
    this.#scratch.close();
    const tables = this.#linkedTables();
    const { problems, more, warnings } = this.#problems;
    return { tables, problems, more, warnings };
  }

  #readDatabase(file: FixtureFile, bytes: Uint8Array): void {
    const place = { file, offset: 0 };
    try {
      const database = this.#sqlite.copyOf(bytes);
      this.#readSource({ database, files: [file], statements: new Map(), beside: [] });
    } catch (error) {
      this.#problems.report(place, `SQLite cannot read this file: ${messageOf(error)}.`);
    }
  }

  #readSource(source: Source): void {
    const { database, files, statements, beside } = source;
    const [file] = files;
    if (file === undefined) return;
    const entries = select(
      database,
      "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY rowid",
    ).map((row) => {
      const name = String(row["name"]);
      const statement = statements.get(foldAscii(name));
      const place = statement === undefined ? { file, offset: 0 } : firstToken(statement);
      const entry = { name, sql: String(row["sql"]), serial: this.#serial++, place };
      return { type: String(row["type"]), ...entry };
    });
    for (const [kind, name] of beside) {
      // Reads only the main database.
      this.#problems.unsupported({ file, offset: 0 }, `The ${kind} ${showText(name)}`);
    }
    const isEmptyFile = file.bytes?.length === 0;
    if (entries.length === 0 && this.#problems.none && !isEmptyFile)
      this.#problems.warn({ file, offset: 0 }, empty);
    const virtual = entries.flatMap(({ name, sql }) => (isVirtual.test(sql) ? [name] : []));
    const indexes = new Map(
      entries.flatMap((entry) => (entry.type === "index" ? [[foldAscii(entry.name), entry]] : [])),
    );
    for (const { type, ...entry } of entries) {
      if (type === "table" && !isVirtual.test(entry.sql)) {
        if (isShadow(entry.name, virtual)) this.#leftOut.add(foldAscii(entry.name));
        else this.#readTable(entry, indexes, source);
      } else if (type !== "index") {
        this.#leftOut.add(foldAscii(entry.name));
        if (type === "view") continue;
        const kind = type === "table" ? "virtual table" : type;
        this.#problems.unsupported(entry.place, `The ${kind} ${showText(entry.name)}`);
      }
    }
    this.#warnOfViews(entries.filter(({ type }) => type === "view"));
    database.close();
  }

  /** Warns of views that were left out. They are no problem, since tables work without them. */
  #warnOfViews(views: readonly SchemaEntry[]): void {
    const [first] = views;
    if (first === undefined) return;
    const names = views.slice(0, mostViewsNamed).map(({ name }) => showText(name));
    const more = views.length - names.length;
    const [subject, verb] = views.length === 1 ? ["view", "is"] : ["views", "are"];
    const list = more === 0 ? names.join(", ") : `${names.join(", ")} and ${more} more`;
    this.#problems.warn(
      first.place,
      `The ${subject} ${list} ${verb} left out: only tables are served.`,
    );
  }

  #readTable(entry: SchemaEntry, made: ReadonlyMap<string, SchemaEntry>, source: Source): void {
    const place = placeOfWord(entry.place, entry.name);
    const refusal = this.#nameRefusal(entry.name);
    if (refusal !== undefined) return this.#problems.report(place, refusal);
    const { storage } = this.#options;
    try {
      const table = readTable({
        entry: { ...entry, place },
        made,
        database: source.database,
        scratch: this.#scratch,
        problems: this.#problems,
        storage,
      });
      const rows = readRows(source.database, table.schema, storage);
      this.#tables.push({
        ...table,
        rows,
        serial: entry.serial,
        lastGeneratedKey: this.#sequenceOf(entry.name, source.database),
        placeOf: ([part, step]) => (part === "columns" ? placeOfWord(place, String(step)) : place),
      });
    } catch (error) {
      this.#leftOut.add(foldAscii(entry.name));
      const message = `SQLite cannot read the table ${showText(entry.name)}: ${messageOf(error)}.`;
      this.#problems.report(place, message);
    }
  }

  #nameRefusal(name: string): string | undefined {
    if (name === "") return "A table's name must not be empty.";
    const schemas = [...this.#options.others, ...this.#tables.map(({ schema }) => schema)];
    const other = schemas.find((schema) => foldAscii(schema.name) === foldAscii(name))?.name;
    if (other === undefined) return undefined;
    const theSame = other === name ? "" : ", and SQLite ignores case";
    return `There is another table ${showText(other)}${theSame}. Remove one of the two.`;
  }

  /** The last key of a table with AUTOINCREMENT, which never reuses a key. */
  #sequenceOf(table: string, database: SqlDatabase): RowId | undefined {
    const exists = "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'";
    if (select(database, exists).length === 0) return undefined;
    const sequence =
      "SELECT max(seq) AS seq FROM sqlite_sequence WHERE name = ? AND typeof(seq) = 'integer'";
    const [row] = select(database, sequence, [table]);
    return rowIdOf(cellValue(row?.["seq"] ?? null, this.#options.storage));
  }

  /** The tables with their foreign keys. */
  #linkedTables(): readonly FileTable[] {
    const serials = this.#tables
      .flatMap(({ serial, schema: { indexes = [] } }) => [
        serial,
        ...indexes.flatMap(({ made }) => made?.position ?? []),
      ])
      .toSorted((left, right) => left - right);
    const positions = new Map(serials.map((serial, position) => [serial, position]));
    const schemas = [...this.#tables.map(({ schema }) => schema), ...this.#options.others];
    const context = { schemas, leftOut: this.#leftOut, problems: this.#problems };
    return this.#tables.map((table): FileTable => {
      const { rows, lastGeneratedKey, placeOf } = table;
      const schema = withForeignKeys(table.schema, table.foreignKeys, context);
      const indexes = schema.indexes?.map(({ made, ...index }) => ({
        ...index,
        made: made && { ...made, position: positions.get(made.position) ?? 0 },
      }));
      return {
        schema: indexes === undefined ? schema : { ...schema, indexes },
        rows,
        asStored: true,
        lastGeneratedKey,
        placeOf,
      };
    });
  }
}

const empty =
  "There is no table in this database. Write the dump again: sqlite3 app.db .dump > app.sql";

const isVirtual = /^CREATE VIRTUAL/i;

/**
 * The endings of the names of hidden tables that virtual tables use: full-text search, R*Trees, spellfix and vectors.
 */
const shadowNames =
  /^(?:data|idx|content|docsize|config|segments|segdir|stat|node|rowid|parent|vocab|info|chunks|rowids|auxiliary|(?:vector_chunks|metadatachunks|metadatatext)\d+)$/i;

/** Whether a table holds the data of a virtual table. */
function isShadow(name: string, virtual: readonly string[]): boolean {
  return virtual.some(
    (owner) =>
      foldAscii(name).startsWith(`${foldAscii(owner)}_`) &&
      shadowNames.test(name.slice(owner.length + 1)),
  );
}

/**
 * Reads all rows of a table in stored form, by row id. If the row ids are not simply 1, 2, 3 … and no column holds
 * them, each row gets its id as a hidden value.
 */
function readRows(
  database: SqlDatabase,
  schema: TableSchema,
  storage: StorageRules,
): readonly Row[] {
  const names = schema.columns.map(({ name }) => name);
  const rowIdColumn = freeRowIdName(schema);
  const hasRowIds = schema.withoutRowId !== true && rowIdColumn !== undefined;
  const list = [...names.map(quoted), hasRowIds ? rowIdColumn : "NULL"].join(", ");
  const order = hasRowIds ? ` ORDER BY ${rowIdColumn}` : "";
  const statement = database.prepare(`SELECT ${list} FROM main.${quoted(schema.name)}${order}`);
  const kinds = schema.columns.map(({ type }) => [affinity(type), storage.kindOf(type)] as const);
  const rows: Row[] = [];
  const rowIds: bigint[] = [];
  while (statement.step()) {
    const cells = statement.get(null, { useBigInt: true });
    const rowId = cells.at(-1);
    if (typeof rowId === "bigint") rowIds.push(rowId);
    // Assignment would lose a column named `__proto__`.
    rows.push(
      Object.fromEntries(
        names.map((name, at) => {
          const [stored, kind] = kinds[at] ?? ["NONE", "NONE"];
          return [name, storage.ofDatabase(storedValue(cells[at] ?? null, stored, storage), kind)];
        }),
      ),
    );
  }
  statement.free();
  const isCounted = rowIds.every((id, at) => id === BigInt(at + 1));
  const { hiddenRowId } = tableLayout(schema, sqliteStorage);
  if (isCounted || hiddenRowId === undefined) return rows;
  return rows.map((row, at) => ({
    ...row,
    [hiddenRowId]: cellValue(rowIds[at] ?? null, storage),
  }));
}

/** SQLite has already converted the cell for its column; in most columns that determines a number's class. */
function storedValue(cell: SqlCell, kind: string, storage: StorageRules): Value {
  return typeof cell === "number" && kind !== "NONE" ? cell + 0 : cellValue(cell, storage);
}
