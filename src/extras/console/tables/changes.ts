import { counted } from "../../../core/errors/show.ts";
import type { Result } from "../../../core/errors/result.ts";
import type { Client, RequestOptions } from "../api/client.ts";
import type { Failure } from "../api/failure.ts";
import type { ConsoleSetup, TableEntry } from "../api/setup.ts";
import { canPutBack, keyPath, type TableRow, valueIn } from "./row.ts";

/** A request that writes one row. */
interface Write {
  readonly method: "POST" | "PATCH" | "DELETE";
  /** Its path after the table's name; empty for a new row. */
  readonly key: string;
  readonly body?: TableRow;
  /** The values of the row if nobody has changed it since, where that has to be so. */
  readonly expected?: TableRow;
}

/** A change of one's own that can be undone. */
export interface Change {
  /** Such as `city of row 7`. */
  readonly about: string;
  /** The requests that take it back. */
  readonly back: readonly Write[];
}

/** What came of a change. */
export interface ChangeOutcome {
  /** Undefined: it was accepted. */
  readonly refusal?: Failure | undefined;
  /** What can be undone now. Undefined: nothing. */
  readonly change?: Change | undefined;
  /** What was done, in words. */
  readonly told: string;
}

/** The table that is changed, and by whom. */
export interface ChangedTable {
  readonly client: Client;
  readonly setup: ConsoleSetup;
  readonly table: TableEntry;
}

/** Adds a row. */
export async function addRow(target: ChangedTable, row: TableRow): Promise<ChangeOutcome> {
  const answer = await send(target, { method: "POST", key: "", body: row });
  if (!answer.ok) return { refusal: answer.error, told: "No row added." };
  const expected = { ...row, ...answer.value.data };
  const key = pathKey(target, expected);
  const back = [{ method: "DELETE", key, expected }] as const;
  const told = "Row added.";
  // The answer may not tell a generated key, and without it the row cannot be deleted.
  return key === "" ? { told } : { told, change: { about: `added row ${shownKey(key)}`, back } };
}

/** Changes one value of a row. */
export async function changeCell(
  target: ChangedTable,
  row: TableRow,
  { column, value }: { readonly column: string; readonly value: unknown },
): Promise<ChangeOutcome> {
  const key = pathKey(target, row);
  const sent = { [column]: value };
  const answer = await send(target, { method: "PATCH", key, body: sent });
  if (!answer.ok) return { refusal: answer.error, told: "Nothing changed." };
  const body = { [column]: valueIn(row, column) };
  const expected = { [column]: valueIn({ ...sent, ...answer.value.data }, column) };
  const told = "Cell changed.";
  if (!canPutBack(target.table, body)) return { told };
  const about = `${column} of row ${shownKey(key)}`;
  return { told, change: { about, back: [{ method: "PATCH", key, body, expected }] } };
}

/** Deletes rows one by one. Stops at the first that is refused. */
export async function deleteRows(
  target: ChangedTable,
  rows: readonly TableRow[],
): Promise<ChangeOutcome> {
  const back: Write[] = [];
  let deleted = 0;
  let refusal: Failure | undefined;
  for (const row of rows) {
    const answer = await send(target, { method: "DELETE", key: pathKey(target, row) });
    refusal = answer.ok ? undefined : answer.error;
    if (refusal !== undefined) break;
    deleted++;
    // The last to go comes first: the others may refer to it.
    if (canPutBack(target.table, row)) back.unshift({ method: "POST", key: "", body: row });
  }
  const change =
    back.length === 0 ? undefined : { about: counted(back.length, "deleted row"), back };
  return { refusal, change, told: `${counted(deleted, "row")} deleted.` };
}

/** Takes a change back. What is left of it can be taken back later, unless somebody else has changed the row since. */
export async function undoChange(
  target: ChangedTable,
  { about, back }: Change,
): Promise<ChangeOutcome> {
  const left = [...back];
  for (let write = left[0]; write !== undefined; write = left[0]) {
    const refusal = await takeBack(target, write);
    const isOver = refusal?.code === changedSince;
    if (refusal !== undefined) {
      return { refusal, change: isOver ? undefined : { about, back: left }, told: "Not undone." };
    }
    left.shift();
  }
  return { told: `Undone: ${about}.` };
}

async function takeBack(
  target: ChangedTable,
  { expected = {}, ...write }: Write,
): Promise<Failure | undefined> {
  const columns = Object.keys(expected);
  if (columns.length > 0) {
    const found = await ask<readonly TableRow[]>(target, write.key);
    if (!found.ok) return found.error;
    const [row = {}] = found.value;
    const other = columns.find((name) => !isSame(valueIn(row, name), valueIn(expected, name)));
    if (other !== undefined) return writtenOver(other, valueIn(row, other));
  }
  const answer = await send(target, write);
  return answer.ok ? undefined : answer.error;
}

const changedSince = "changed_since";

function writtenOver(column: string, value: unknown): Failure {
  const now = JSON.stringify(value) ?? "gone";
  const message = `It is left as it is: somebody has changed "${column}" since, to ${now}.`;
  return { status: 409, code: changedSince, message };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function send(
  target: ChangedTable,
  { method, key, body }: Write,
): Promise<Result<{ readonly data?: TableRow }, Failure>> {
  return ask(target, key, body === undefined ? { method } : { method, body });
}

function ask<Value>(
  { client, setup, table }: ChangedTable,
  key: string,
  asked: RequestOptions = {},
): Promise<Result<Value, Failure>> {
  return client.rows<Value>(setup, encodeURIComponent(table.name) + key, asked);
}

/** The path of a row after its table's name; empty if it has none. */
function pathKey({ table }: ChangedTable, row: TableRow): string {
  const key = keyPath(table, row);
  return key === undefined ? "" : `/${key}`;
}

function shownKey(key: string): string {
  return decodeURIComponent(key.slice(1));
}
