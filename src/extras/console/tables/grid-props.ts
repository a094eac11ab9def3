import type { RefObject } from "preact";
import type { Failure } from "../api/failure.ts";
import type { TableEntry } from "../api/setup.ts";
import type { VisibleRows } from "../parts/visible-rows.ts";
import type { TableQuery } from "./query.ts";
import type { TableRow } from "./row.ts";
import type { KnownRows } from "./use-rows.ts";

/** Rows that are picked out, by the path of their key. */
export type PickedRows = ReadonlyMap<string, TableRow>;

/** What a grid shows, and what it tells of. */
export interface GridProps {
  readonly table: TableEntry;
  readonly tables: readonly TableEntry[];
  /** What scrolls. */
  readonly region: RefObject<HTMLDivElement | null>;
  readonly visible: VisibleRows;
  readonly rows: KnownRows;
  readonly query: TableQuery;
  readonly onQuery: (part: Partial<TableQuery>) => void;
  readonly picked: PickedRows;
  readonly onPick: (picked: PickedRows) => void;
  readonly onEdit: (row: TableRow, column: string, value: unknown) => Promise<Failure | undefined>;
  readonly onUndo: () => void;
}
