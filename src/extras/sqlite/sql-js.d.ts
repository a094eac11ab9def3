declare module "sql.js" {
  /**
   * A value that can be bound, or that a row has. A whole number of at most 32 bits is bound as INTEGER, other numbers
   * as REAL.
   */
  export type SqlValue = null | number | string | Uint8Array;

  export interface Statement {
    bind(values: readonly SqlValue[]): boolean;
    step(): boolean;
    getColumnNames(): string[];
    /** The values of the current row. Integers beyond 2^53 are rounded. */
    get(): SqlValue[];
    /** The values of the current row, in which every INTEGER is a bigint and every number a REAL. */
    get(
      values: readonly SqlValue[] | null,
      config: { readonly useBigInt: true },
    ): (SqlValue | bigint)[];
    /** The text of the statement, from the end of the one before it. */
    getSQL(): string;
    reset(): void;
    free(): boolean;
  }

  export interface SqlDatabase {
    run(sql: string, values?: readonly SqlValue[]): void;
    exec(
      sql: string,
      values?: readonly SqlValue[],
    ): { readonly columns: string[]; readonly values: SqlValue[][] }[];
    prepare(sql: string): Statement;
    /** Prepares one statement after the other, and frees the one before. */
    iterateStatements(sql: string): Iterable<Statement>;
    /** The bytes of a database file. */
    export(): Uint8Array;
    getRowsModified(): number;
    close(): void;
  }

  export default function initSqlJs(): Promise<{
    /** In memory: empty, or a copy of these bytes of a database file. */
    Database: new (bytes?: Uint8Array) => SqlDatabase;
  }>;
}
