import { useRef } from "preact/hooks";
import type { Failure } from "../api/failure.ts";
import type { TableEntry } from "../api/setup.ts";
import { useConsole } from "../parts/console-context.ts";
import { useKept } from "../parts/use-kept.ts";
import {
  addRow,
  type Change,
  changeCell,
  deleteRows,
  type ChangeOutcome,
  undoChange,
} from "./changes.ts";
import type { TableRow } from "./row.ts";

/** The most changes that can be undone. */
const keptChanges = 100;

/** Why a change was refused; undefined: it was not. */
type Refused = Promise<Failure | undefined>;

/** Writes to a table. */
export interface Writes {
  readonly add: (row: TableRow) => Refused;
  readonly change: (row: TableRow, column: string, value: unknown) => Refused;
  readonly remove: (rows: readonly TableRow[]) => Refused;
  readonly undo: () => Refused;
  /** What `undo` takes back. Undefined: there is nothing. */
  readonly last: string | undefined;
}

/** Changes of a table's rows, each a REST request. `onDone` is called after each. */
export function useWrites(table: TableEntry, onDone: () => void): Writes {
  const { client, setup, announce, reload } = useConsole();
  const [changes, setChanges] = useKept<readonly Change[]>(`changes ${table.name}`, []);
  const latest = useRef(changes);
  const turn = useRef<Promise<unknown>>(Promise.resolve());
  const target = { client, setup, table };
  // One after the other, however fast keys are pressed.
  const inTurn = (write: () => Refused): Refused => {
    const written = turn.current.then(write);
    turn.current = written;
    return written;
  };
  const keep = async (made: Promise<ChangeOutcome>): Refused => {
    const { refusal, change, told } = await made;
    announce(told);
    if (change !== undefined) latest.current = [...latest.current, change].slice(-keptChanges);
    setChanges(latest.current);
    onDone();
    // The count of rows is part of the set-up.
    reload();
    return refusal;
  };
  const undo = async (): Refused => {
    const last = latest.current.at(-1);
    if (last === undefined) return undefined;
    latest.current = latest.current.slice(0, -1);
    return keep(undoChange(target, last));
  };
  return {
    add: (row) => inTurn(() => keep(addRow(target, row))),
    change: (row, column, value) => inTurn(() => keep(changeCell(target, row, { column, value }))),
    remove: (rows) => inTurn(() => keep(deleteRows(target, rows))),
    undo: () => inTurn(undo),
    last: changes.at(-1)?.about,
  };
}
