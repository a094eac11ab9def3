import { readTableFilesBy } from "../../src/extras/sqlite/read-table-files.ts";
import { loadSqlite } from "../../src/extras/sqlite/sqlite.ts";
import {
  Database,
  type DatabaseSnapshot,
  type TableContents,
} from "../../src/core/store/database.ts";
import type { Row } from "../../src/core/store/value.ts";
import type { TableSchema } from "../../src/core/store/schema.ts";
import { sqliteStorage } from "../../src/core/store/storage-rules.ts";
import type { Table, WriteResult, Written } from "../../src/core/store/table.ts";
import {
  areSameGroups,
  areSameRows,
  CellReader,
  contentLines,
  isSameOutcome,
  judgedLines,
} from "./compare.ts";
import {
  type FuzzCase,
  type FuzzQuery,
  type GivenCells,
  schemaFor,
  schemasOf,
  type Step,
  type WriteStep,
} from "./fuzz-case.ts";
import { type SqlCell, storeValue } from "./sql-cell.ts";
import { createSql, ranksSql, selectSql, writeSql } from "./sql-text.ts";
import { storeQuery } from "./store-query.ts";
import type { SqliteJudge } from "./sqlite-judge.ts";

const sqlite = await loadSqlite();

/** Where the two sides differ. */
export interface Disagreement {
  /** The step after which they do; -1: they do as soon as the table is loaded. */
  readonly step: number;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Does everything in a case on both sides, up to the first difference. */
export function runCase(fuzzCase: FuzzCase, judge: SqliteJudge): Disagreement | undefined {
  judge.begin(schemasOf(fuzzCase).flatMap(createSql));
  try {
    return new CaseRun(fuzzCase, judge).run();
  } finally {
    judge.end();
  }
}

/** A version that one can come back to. */
type Version =
  | { readonly kind: "save"; readonly snapshot: DatabaseSnapshot }
  | { readonly kind: "fork"; readonly original: Database };

class CaseRun {
  readonly #case: FuzzCase;
  readonly #judge: SqliteJudge;
  readonly #readers: ReadonlyMap<string, CellReader>;
  readonly #versions: Version[] = [];
  #database: Database;

  constructor(fuzzCase: FuzzCase, judge: SqliteJudge) {
    this.#case = fuzzCase;
    this.#judge = judge;
    this.#readers = new Map(
      schemasOf(fuzzCase).map((schema) => [schema.name, new CellReader(schema)]),
    );
    this.#database = new Database(new Map());
  }

  get #schema(): TableSchema {
    return this.#case.schema;
  }

  #table({ name }: TableSchema = this.#schema): Table {
    const table = this.#database.table(name);
    if (table === undefined) throw new Error("The table is gone.");
    return table;
  }

  #cells({ name }: TableSchema, rows: readonly Row[]): readonly (readonly SqlCell[])[] {
    return rows.map((row) => this.#readers.get(name)?.cellsOf(row) ?? []);
  }

  run(): Disagreement | undefined {
    const failed = this.#load() ?? this.#differingContents(-1);
    if (failed !== undefined) return failed;
    for (const [at, step] of this.#case.steps.entries()) {
      const found = this.#attempt(step, at);
      if (found !== undefined) return found;
    }
    return this.#differingContents(this.#case.steps.length - 1);
  }

  /** Fills both sides with the rows that SQLite takes. */
  #load(): Disagreement | undefined {
    const taken = this.#case.rows.filter(
      (given) => this.#judge.write(writeSql(this.#schema, { kind: "insert", given })).ok,
    );
    try {
      this.#database = Database.load(this.#contents(taken), { storage: sqliteStorage });
      return undefined;
    } catch (error) {
      return { step: -1, expected: "the rows are taken", actual: String(error) };
    }
  }

  #contents(rows: readonly GivenCells[]): readonly TableContents[] {
    const schema = this.#schema;
    const [, ...others] = schemasOf(this.#case);
    if (this.#case.load === "as values") {
      const empty = others.map((other) => ({ schema: other, rows: [] }));
      return [{ schema, rows: rows.map(rowOf) }, ...empty];
    }
    const text = [...schemasOf(this.#case).flatMap(createSql), ...this.#judge.inserts(schema)]
      .map((sql) => `${sql};`)
      .join("\n");
    const file = { path: "fuzz.sql", name: "fuzz.sql", text };
    const { tables, problems } = readTableFilesBy(sqlite, [file], {
      skipUnsupported: false,
      others: [],
      now: 0,
      storage: sqliteStorage,
    });
    if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join("\n"));
    return tables;
  }

  #attempt(step: Step, at: number): Disagreement | undefined {
    try {
      return this.#take(step, at);
    } catch (error) {
      const actual = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return { step: at, expected: "no exception", actual };
    }
  }

  #take(step: Step, at: number): Disagreement | undefined {
    switch (step.kind) {
      case "select":
        return this.#select(step.query, at);
      case "save":
      case "fork":
        this.#keepVersion(step.kind);
        return undefined;
      case "back":
        return this.#goBack() ? this.#differingContents(at) : undefined;
      case "keep":
        if (this.#versions.pop() !== undefined) this.#judge.run("RELEASE version");
        return undefined;
      default:
        return this.#write(step, at);
    }
  }

  #select(query: FuzzQuery, step: number): Disagreement | undefined {
    const rows = this.#table().select(storeQuery(this.#schema, query));
    const actual = this.#cells(this.#schema, rows);
    const inAnyOrder = query.ties === "any";
    const toSql = inAnyOrder ? ranksSql : selectSql;
    const expected = this.#judge.select(toSql(this.#schema, query));
    const isSame = inAnyOrder
      ? areSameGroups(expected, actual, query)
      : areSameRows(expected, actual);
    return isSame ? undefined : { step, expected, actual };
  }

  #write(step: WriteStep, at: number): Disagreement | undefined {
    const schema = schemaFor(this.#case, step);
    const expected = this.#judge.write(writeSql(schema, step));
    const actual = this.#writeOurs(step);
    return isSameOutcome(expected, actual, schema) ? undefined : { step: at, expected, actual };
  }

  #writeOurs(step: WriteStep): WriteResult {
    const written = takeWrite(this.#table(schemaFor(this.#case, step)), step);
    if (written instanceof Promise) throw new TypeError("The store takes its time.");
    return written;
  }

  #keepVersion(kind: "save" | "fork"): void {
    this.#judge.run("SAVEPOINT version");
    if (kind === "save") {
      this.#versions.push({ kind, snapshot: this.#database.snapshot() });
    } else {
      this.#versions.push({ kind, original: this.#database });
      this.#database = this.#database.fork();
    }
  }

  #goBack(): boolean {
    const version = this.#versions.pop();
    if (version === undefined) return false;
    this.#judge.run("ROLLBACK TO version");
    this.#judge.run("RELEASE version");
    if (version.kind === "save") this.#database.restore(version.snapshot);
    else this.#database = version.original;
    return true;
  }

  #differingContents(step: number): Disagreement | undefined {
    for (const schema of schemasOf(this.#case)) {
      const names = schema.columns.map((column) => column.name);
      const expected = judgedLines(this.#judge.contents(schema.name, names));
      const actual = contentLines(this.#cells(schema, this.#table(schema).rows()));
      const isSame =
        expected.length === actual.length && expected.every((line, at) => line === actual[at]);
      if (!isSame) return { step, expected, actual };
    }
    return undefined;
  }
}

function takeWrite(table: Table, step: WriteStep): Written {
  switch (step.kind) {
    case "insert":
      return table.insert(rowOf(step.given));
    case "update":
      return table.update(step.key.map(storeValue), rowOf(step.given));
    case "replace":
      return table.replace(step.key.map(storeValue), rowOf(step.given));
    case "delete":
      return table.delete(step.key.map(storeValue));
  }
}

function rowOf(given: GivenCells): Row {
  return Object.fromEntries(
    Object.entries(given).map(([name, cell]: readonly [string, SqlCell]) => [
      name,
      storeValue(cell),
    ]),
  );
}
