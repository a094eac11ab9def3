import initSqlJs, { type SqlDatabase, type Statement } from "sql.js-period";
import type { TableSchema } from "../../src/core/store/schema.ts";
import { quoted, type SqlCell } from "./sql-cell.ts";
import type { SelectSql } from "./sql-text.ts";

/** What became of a write: how many rows it changed, or what SQLite says against it. */
export type Judgement =
  | { readonly ok: true; readonly changed: number }
  | { readonly ok: false; readonly message: string };

/** A database of SQLite for one table at a time, of which nothing is left when the next one comes. */
export class SqliteJudge {
  readonly #database: SqlDatabase;
  readonly #statements = new Map<string, Statement>();

  private constructor(database: SqlDatabase) {
    this.#database = database;
  }

  static async open(): Promise<SqliteJudge> {
    const { Database } = await initSqlJs();
    const judge = new SqliteJudge(new Database());
    judge.run("PRAGMA foreign_keys = ON");
    const [[digits] = []] = judge.select({ sql: "SELECT (0.1 + 0.2) || ''", values: [] });
    if (digits === "0.3") return judge;
    throw new Error(
      `Cannot judge the tables: SQLite ${judge.version} writes numbers with 17 digits, and the service with 15. Install sql.js 1.12.0.`,
    );
  }

  get version(): string {
    return String(this.#database.exec("SELECT sqlite_version()")[0]?.values[0]?.[0]);
  }

  begin(statements: readonly string[]): void {
    this.#database.run("BEGIN");
    for (const sql of statements) this.#database.run(sql);
  }

  end(): void {
    for (const statement of this.#statements.values()) statement.free();
    this.#statements.clear();
    this.#database.run("ROLLBACK");
  }

  close(): void {
    this.#database.close();
  }

  run(sql: string): void {
    this.#database.run(sql);
  }

  write(sql: string): Judgement {
    try {
      this.#database.run(sql);
      return { ok: true, changed: this.#database.getRowsModified() };
    } catch (error) {
      return { ok: false, message: error instanceof Error ? error.message : String(error) };
    }
  }

  /** The rows of a query. Texts end at their first NUL. */
  select({ sql, values }: SelectSql): SqlCell[][] {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    statement.bind(values);
    const rows: SqlCell[][] = [];
    while (statement.step()) rows.push(statement.get(null, { useBigInt: true }));
    statement.reset();
    return rows;
  }

  /** The rows of a table as a dump of it has them. */
  inserts({ name: table, columns, withoutRowId = false }: TableSchema): readonly string[] {
    const names = columns.map(({ name }) => name);
    if (!withoutRowId && !names.some((name) => name.toLowerCase() === "rowid")) names.push("rowid");
    const literals = names.map((name) => {
      const cell = quoted(name);
      return `CASE typeof(${cell}) WHEN 'text' THEN 'CAST(x''' || hex(${cell}) || ''' AS TEXT)' ELSE quote(${cell}) END`;
    });
    const sql = `SELECT ${literals.join(" || ',' || ")} FROM ${quoted(table)}`;
    const into = names.map(quoted).join(", ");
    return this.select({ sql, values: [] }).map(
      ([row]) => `INSERT INTO ${quoted(table)} (${into}) VALUES (${String(row)})`,
    );
  }

  /** All rows of a table, in any order, with texts as their bytes. */
  contents(table: string, columns: readonly string[]): SqlCell[][] {
    const list = columns.map((name) => {
      const cell = quoted(name);
      return `CASE typeof(${cell}) WHEN 'text' THEN 't' || lower(hex(${cell})) WHEN 'blob' THEN 'b' || lower(hex(${cell})) ELSE ${cell} END`;
    });
    return this.select({ sql: `SELECT ${list.join(", ")} FROM ${quoted(table)}`, values: [] });
  }
}
