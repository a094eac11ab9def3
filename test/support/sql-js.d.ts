declare module "sql.js" {
  /** What can be bound, and what a row has. A whole number of at most 32 bits is bound as INTEGER, others as REAL. */
  export type SqlValue = null | number | string | Uint8Array;

  export interface Statement {
    bind(values: readonly SqlValue[]): boolean;
    step(): boolean;
    getColumnNames(): string[];
    /** Texts end at the first NUL, and integers beyond 2^53 are rounded. */
    get(): SqlValue[];
    /** The same, with every integer exact. */
    get(
      values: readonly SqlValue[] | null,
      config: { readonly useBigInt: true },
    ): (SqlValue | bigint)[];
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
    getRowsModified(): number;
    close(): void;
  }

  export default function initSqlJs(): Promise<{ Database: new () => SqlDatabase }>;
}

/** The newest one, whose SQLite writes dumps in the newest form. */
declare module "sql.js-current" {
  export * from "sql.js";
  export { default } from "sql.js";
}
