import { useRef } from "preact/hooks";
import type { Result } from "../../../core/errors/result.ts";
import type { Failure, Client, ConsoleSetup, TableEntry } from "../api/client.ts";
import { useConsole, useKept } from "../parts/use-console.ts";
import { canPutBack, exactRows, keyPath, type TableRow, valueIn } from "./row.ts";

/** A request that writes one row. */
interface Write {
  readonly method: "POST" | "PATCH" | "DELETE";
  /** The row to add, or the row before the change. */
  readonly row: TableRow;
  /** The changed values. */
  readonly body?: TableRow;
  /** The row as the user saw it. If the values to change have changed since, the write is refused. */
  readonly seen?: TableRow;
}

/** Why a write was refused. */
export interface Refusal extends Failure {
  /** The row as somebody else has written it since the user saw it. */
  readonly now?: TableRow;
}

/** A change: its description, and the writes that undo it, the last one first. */
interface Change {
  readonly about: string;
  readonly back: readonly Write[];
}

/** The most changes that can be undone. */
const keptChanges = 100;

/** Why a change was refused; undefined: it was accepted. */
type Refused = Promise<Refusal | undefined>;

/** Functions that write to a table. */
export interface RowChanges {
  /** Writes rows one by one, and stops at the first refusal. `about` describes the change, such as `city of row 7`. */
  readonly make: (about: string, writes: readonly Write[]) => Refused;
  /** Undoes the last change, except for values that somebody else has changed since. */
  readonly undo: () => Refused;
  /** The description of the change that `undo` would undo. Undefined: there is none. */
  readonly last: string | undefined;
}

/** The table to write to, and the client. */
interface Place {
  readonly client: Client;
  readonly setup: ConsoleSetup;
  readonly table: TableEntry;
  /** The rows as this page wrote them last, by path. The grid may not show them yet. */
  readonly written: Map<string, TableRow>;
}

/** Makes functions that change rows, each by a REST request. `onDone` is called after each change. */
export function useChanges(table: TableEntry, onDone: () => void): RowChanges {
  const { client, setup, announce, reload } = useConsole();
  const [changes, setChanges] = useKept<readonly Change[]>(`changes ${table.name}`, []);
  const latest = useRef(changes);
  const turn = useRef<Promise<unknown>>(Promise.resolve());
  const { current: written } = useRef<Map<string, TableRow>>(new Map());
  const place = { client, setup, table, written };
  // Writes are sent one after the other, however fast keys are pressed.
  const inTurn = (write: () => Refused): Refused => {
    const mine = turn.current.then(write);
    turn.current = mine;
    return mine;
  };
  const keep = (told: string, before: readonly Change[], { about, back }: Change): void => {
    announce(`${told}: ${about}.`);
    latest.current = back.length === 0 ? before : [...before, { about, back }].slice(-keptChanges);
    setChanges(latest.current);
    onDone();
    // The setup contains the number of rows.
    reload();
  };
  const make = async (about: string, writes: readonly Write[]): Refused => {
    const back: Write[] = [];
    let refusal: Refusal | undefined;
    for (const write of writes) refusal ??= await send(place, write, back);
    keep(refusal === undefined ? "Done" : "Refused", latest.current, { about, back });
    return refusal;
  };
  const undo = async (): Refused => {
    const last = latest.current.at(-1);
    if (last === undefined) return undefined;
    const left = [...last.back];
    let refusal: Failure | undefined;
    while (left[0] !== undefined && refusal === undefined) {
      const change = await changeSince(place, left[0]);
      refusal = change ?? (await send(place, left[0]));
      // A write is dropped if somebody else has changed the row since.
      if (refusal === change) left.shift();
    }
    const told = refusal === undefined ? "Undone" : "Not undone";
    keep(told, latest.current.slice(0, -1), { ...last, back: left });
    return refusal;
  };
  return {
    make: (about, writes) => inTurn(() => make(about, writes)),
    undo: () => inTurn(undo),
    last: changes.at(-1)?.about,
  };
}

/** Writes a row, and puts the write that undoes it at the beginning of `back`. */
async function send(place: Place, write: Write, back: Write[] = []): Refused {
  const { method, row, body, seen } = write;
  const { client, setup, table } = place;
  const isNew = method === "POST";
  const sent = isNew ? row : body;
  const asked = sent === undefined ? { method } : { method, body: sent };
  const path = isNew ? encodeURIComponent(table.name) : rowPath(place, row);
  const was = isNew ? row : await rowBefore(place, row);
  const known = seen && ([seen, place.written.get(path) ?? seen] as const);
  const conflict = known && conflictBetween(known, was, body);
  if (conflict !== undefined) return conflict;
  const answer = await client.rows<{ readonly data?: TableRow }>(setup, path, asked);
  if (!answer.ok) return answer.error;
  const now = { ...was, ...body, ...answer.value.data };
  place.written.set(rowPath(place, now), now);
  back.unshift(...writesBack(table, write, { was, now }));
  return undefined;
}

/**
 * The row before a write. It is read again, since the grid may not show the last write yet. The grid's numbers are used
 * where the reply rounds them.
 */
async function rowBefore(place: Place, row: TableRow): Promise<TableRow> {
  const read = await readRow(place, row);
  const [exact = row] = read.ok ? exactRows([read.value], [row]) : [];
  return exact;
}

/** The write that undoes another, if there is one. */
function writesBack(
  table: TableEntry,
  { method, body }: Write,
  { was, now }: { readonly was: TableRow; readonly now: TableRow },
): readonly Write[] {
  const names = Object.keys(body ?? {});
  const before = Object.fromEntries(names.map((name) => [name, valueIn(was, name)]));
  const backs: Readonly<Record<Write["method"], Write | undefined>> = {
    // The answer may not contain a generated key, without which the row cannot be deleted.
    POST: keyPath(table, now) === undefined ? undefined : { method: "DELETE", row: now },
    DELETE: canPutBack(table, was) ? { method: "POST", row: was } : undefined,
    PATCH: canPutBack(table, before) ? { method, row: now, body: before } : undefined,
  };
  return [backs[method] ?? []].flat();
}

/**
 * The refusal of a write that would replace a value that somebody else has written since. `known` are the row as the
 * user saw it, and the row as this page last wrote it.
 */
function conflictBetween(
  known: readonly [seen: TableRow, written: TableRow],
  now: TableRow,
  body: TableRow = {},
): Refusal | undefined {
  const [seen] = known;
  const name = Object.keys(body).find((column) =>
    known.every((row) => textOf(row, column) !== textOf(now, column)),
  );
  if (name === undefined) return undefined;
  const told = `Somebody has changed "${name}" meanwhile, from ${textOf(seen, name)} to ${textOf(now, name)}`;
  return {
    status: 409,
    message: `${told}. Nothing is written yet. Save again to replace it.`,
    now,
  };
}

/** The current row; empty if it no longer exists. */
async function readRow(place: Place, row: TableRow): Promise<Result<TableRow, Failure>> {
  const path = rowPath(place, row);
  const found = await place.client.rows<readonly TableRow[]>(place.setup, path);
  return found.ok ? { ok: true, value: found.value[0] ?? {} } : found;
}

/** Why a change cannot be undone: somebody else has changed the row since. */
async function changeSince(place: Place, { method, row, body = row }: Write): Refused {
  if (method === "POST") return undefined;
  const found = await readRow(place, row);
  if (!found.ok) return found.error;
  const now = found.value;
  const other = Object.keys(body).find((name) => textOf(now, name) !== textOf(row, name));
  if (other === undefined) return undefined;
  const told = `somebody has changed "${other}" since, to ${textOf(now, other)}`;
  return { status: 409, message: `It is left as it is: ${told}.` };
}

function rowPath({ table }: Place, row: TableRow): string {
  return `${encodeURIComponent(table.name)}/${keyPath(table, row) ?? ""}`;
}

function textOf(row: TableRow, column: string): string {
  return JSON.stringify(valueIn(row, column)) ?? "nothing";
}
