import { useState } from "preact/hooks";
import type { Failure } from "../api/failure.ts";
import type { TableEntry } from "../api/setup.ts";
import { useConsole } from "../parts/console-context.ts";
import { keyPath, type TableRow } from "./row.ts";

/** Changes of a table's rows, each a REST request that gives whether it was accepted. */
export interface TableWrites {
  /** Why the last one was refused. */
  readonly refusal: Failure | undefined;
  readonly add: (row: TableRow) => Promise<boolean>;
  readonly change: (row: TableRow, column: string, value: unknown) => Promise<boolean>;
  readonly remove: (row: TableRow) => Promise<boolean>;
}

const told = { POST: "Row added.", PATCH: "Cell changed.", DELETE: "Row deleted." } as const;

/** Writes to a table; `onDone` is called after each change. */
export function useWrites(table: TableEntry, onDone: () => void): TableWrites {
  const { client, setup, announce, reload } = useConsole();
  const [refusal, setRefusal] = useState<Failure>();
  const write = async (
    method: keyof typeof told,
    row?: TableRow,
    body?: TableRow,
  ): Promise<boolean> => {
    const key = row === undefined ? "" : `/${keyPath(table, row) ?? ""}`;
    const asked = body === undefined ? { method } : { method, body };
    const answer = await client.rows(setup, encodeURIComponent(table.name) + key, asked);
    setRefusal(answer.ok ? undefined : answer.error);
    if (!answer.ok) return false;
    announce(told[method]);
    onDone();
    // The count of rows is part of the set-up.
    if (method !== "PATCH") reload();
    return true;
  };
  return {
    refusal,
    add: (row) => write("POST", undefined, row),
    change: (row, column, value) => write("PATCH", row, { [column]: value }),
    remove: (row) => write("DELETE", row),
  };
}
