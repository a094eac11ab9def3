/** better-sqlite3 in memory: prepared statements, rows as objects, and an index that fits each query. */
import { type Item, itemTypes, type NewItem } from "../items.ts";
import { pageSize, type ReadName, type ReadParameters } from "../operations.ts";
import type { Contender, ItemChanges } from "./contender.ts";
import { importPackage } from "./package.ts";

interface Statement {
  readonly get: (...values: readonly unknown[]) => object | undefined;
  readonly all: (...values: readonly unknown[]) => object[];
  readonly run: (...values: readonly unknown[]) => { readonly changes: number };
}

/** What is used here of a better-sqlite3 database. */
export interface SqliteDatabase {
  readonly prepare: (sql: string) => Statement;
  readonly exec: (sql: string) => unknown;
  readonly serialize: () => Uint8Array;
  readonly close: () => void;
}

interface SqlitePackage {
  readonly default: new (source: string | Uint8Array) => SqliteDatabase;
}

/** Opens a database: one in memory, or what `serialize` gave. */
export async function sqliteOpener(): Promise<(source?: Uint8Array) => SqliteDatabase> {
  const { default: Sqlite } = await importPackage<SqlitePackage>("better-sqlite3");
  return (source) => new Sqlite(source ?? ":memory:");
}

export const sqliteIndexes = `
  CREATE INDEX items_category ON items (category);
  CREATE INDEX items_price ON items (price);
  CREATE INDEX items_email ON items (email);
  CREATE INDEX items_created ON items (created);
  ANALYZE;`;

/** Makes the table and fills it in one transaction. */
export function fillSqlite(database: SqliteDatabase, items: readonly Item[]): void {
  const columns = [...itemTypes].map(([name, type]) => `${name} ${type}`);
  database.exec(
    `CREATE TABLE items (${columns.join(", ").replace("id INTEGER", "$& PRIMARY KEY")})`,
  );
  const insert = database.prepare("INSERT INTO items VALUES (?, ?, ?, ?, ?, ?, ?)");
  database.exec("BEGIN");
  for (const { id, name, email, category, price, stock, created } of items) {
    insert.run(id, name, email, category, price, stock, created);
  }
  database.exec("COMMIT");
}

const inRange = "SELECT * FROM items WHERE price >= ? AND price < ?";

/** The SQL of each read. */
const queries: Readonly<Record<ReadName, string>> = {
  get: "SELECT * FROM items WHERE id = ?",
  equal: "SELECT * FROM items WHERE category = ? LIMIT ?",
  range: `${inRange} ORDER BY price LIMIT ? OFFSET ?`,
  resorted: `${inRange} ORDER BY created LIMIT ? OFFSET ?`,
  like: "SELECT * FROM items WHERE name LIKE ?",
  in: "SELECT * FROM items WHERE email IN (?, ?, ?, ?, ?)",
  top: "SELECT * FROM items ORDER BY created DESC LIMIT ?",
  fullSort: "SELECT * FROM items ORDER BY price",
};

/** A table of items in SQLite, filled before. */
export class Sqlite implements Contender {
  readonly #reads: Readonly<Record<ReadName, Statement>>;
  readonly #insert: Statement;
  readonly #update: Statement;
  readonly #delete: Statement;

  constructor(database: SqliteDatabase) {
    const prepare = (name: ReadName) => database.prepare(queries[name]);
    this.#reads = {
      get: prepare("get"),
      equal: prepare("equal"),
      range: prepare("range"),
      resorted: prepare("resorted"),
      like: prepare("like"),
      in: prepare("in"),
      top: prepare("top"),
      fullSort: prepare("fullSort"),
    };
    this.#insert = database.prepare(
      "INSERT INTO items (name, email, category, price, stock, created) VALUES (?, ?, ?, ?, ?, ?)",
    );
    this.#update = database.prepare("UPDATE items SET price = ?, stock = ? WHERE id = ?");
    this.#delete = database.prepare("DELETE FROM items WHERE id = ?");
  }

  get({ id }: ReadParameters["get"]): readonly object[] {
    const row = this.#reads.get.get(id);
    return row === undefined ? [] : [row];
  }

  equal({ category }: ReadParameters["equal"]): readonly object[] {
    return this.#reads.equal.all(category, pageSize);
  }

  range({ from, to, offset }: ReadParameters["range"]): readonly object[] {
    return this.#reads.range.all(from, to, pageSize, offset);
  }

  resorted({ from, to, offset }: ReadParameters["range"]): readonly object[] {
    return this.#reads.resorted.all(from, to, pageSize, offset);
  }

  like({ part }: ReadParameters["like"]): readonly object[] {
    return this.#reads.like.all(`%${part}%`);
  }

  in({ emails }: ReadParameters["in"]): readonly object[] {
    return this.#reads.in.all(...emails);
  }

  top(): readonly object[] {
    return this.#reads.top.all(pageSize);
  }

  fullSort(): readonly object[] {
    return this.#reads.fullSort.all();
  }

  insert({ name, email, category, price, stock, created }: NewItem): void {
    this.#insert.run(name, email, category, price, stock, created);
  }

  update(id: number, { price, stock }: ItemChanges): void {
    checkOne(this.#update.run(price, stock, id));
  }

  delete(id: number): void {
    checkOne(this.#delete.run(id));
  }
}

function checkOne({ changes }: ReturnType<Statement["run"]>): void {
  if (changes !== 1) throw new Error(`SQLite changed ${changes} rows instead of one.`);
}
