declare module "sql.js" {
  export type SqlValue = null | number | string;

  export interface Statement {
    bind(values: readonly SqlValue[]): boolean;
    step(): boolean;
    get(): SqlValue[];
    free(): void;
  }

  export interface SqlDatabase {
    run(sql: string, values?: readonly SqlValue[]): void;
    prepare(sql: string): Statement;
    close(): void;
  }

  export default function initSqlJs(): Promise<{ Database: new () => SqlDatabase }>;
}
