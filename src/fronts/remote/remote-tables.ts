import type { EmulatorSession } from "../../core/emulator/emulator.ts";
import type { TableHandle } from "../../core/emulator/tables.ts";
import { type AskControl, nameInPath } from "./control-client.ts";

/** A value as JSON has it: integers that no number holds are the text of their digits. */
type AsJson<Value> = Value extends bigint ? string : Value extends Uint8Array ? never : Value;

/** A row as JSON has it. */
export type RowAsJson<R> = { readonly [Column in keyof R]: AsJson<R[Column]> };

/** The rows of one table of a server, all at a time. */
export interface RemoteTable<R extends object> {
  readonly name: string;
  /** All rows in row id order. Rejects with `ERR_TABLE_UNKNOWN`. */
  readonly rows: () => Promise<readonly R[]>;
  /** Puts rows in the place of all that there are; keys and defaults are generated. Rejects with `ERR_ROW_REFUSED`. */
  readonly replaceRows: (rows: readonly Partial<R>[]) => Promise<void>;
}

/** The tables of a fixture document, with the rows' types where it tells them. */
export type RemoteTables<Fixtures> = {
  readonly [
    Name in keyof EmulatorSession<Fixtures>["tables"]
  ]: EmulatorSession<Fixtures>["tables"][Name] extends TableHandle<infer R>
    ? RemoteTable<RowAsJson<R>>
    : never;
};

/** Names that languages and test runners ask of any object. */
const askedOfAnyObject = new Set(["then", "toJSON", "asymmetricMatch", "$$typeof", "nodeType"]);

/** Tables by name, of whatever name: which there are only the server knows. */
export function remoteTables<Fixtures>(ask: AskControl): RemoteTables<Fixtures> {
  const tables: unknown = new Proxy(Object.create(null), {
    get: (_, name) =>
      typeof name === "string" && !askedOfAnyObject.has(name) ? remoteTable(ask, name) : undefined,
  });
  // The one place where a document's static type meets a server's tables.
  return tables as RemoteTables<Fixtures>;
}

function remoteTable(ask: AskControl, name: string): RemoteTable<object> {
  const path = (): string => `/tables/${nameInPath(name)}`;
  return {
    name,
    rows: async () => {
      const what = `read the table ${JSON.stringify(name)}`;
      // What the control API answers; it is our own.
      return (await ask({ method: "GET", path: path(), what })) as readonly object[];
    },
    replaceRows: async (rows) => {
      const what = `replace the rows of ${JSON.stringify(name)}`;
      await ask({ method: "PUT", path: path(), body: rows, mistake: "ERR_ROW_REFUSED", what });
    },
  };
}
