import { useRef } from "preact/hooks";
import type { Result } from "../../../core/errors/result.ts";
import type { Failure, Client, ConsoleSetup, TableEntry } from "../api/client.ts";
import { useConsole, useKept } from "../parts/use-console.ts";
import { canPutBack, exactRows, keyPath, type TableRow, valueIn } from "./row.ts";

/** A request that writes one row. */
interface Write {
  readonly method: "POST" | "PATCH" | "DELETE";
  /** The row as it is added, or as it was before. */
  readonly row: TableRow;
  /** The changed values. */
  readonly body?: TableRow;
}

/** What was done, in words, and what takes it back, the last write first. */
interface Change {
  readonly about: string;
  readonly back: readonly Write[];
}

/** The most changes that can be undone. */
const keptChanges = 100;

/** Why a change was refused; undefined: it was not. */
type Refused = Promise<Failure | undefined>;

/** Writes to a table. */
export interface RowChanges {
  /** Writes rows one by one, up to the first that is refused. `about` is such as `city of row 7`. */
  readonly make: (about: string, writes: readonly Write[]) => Refused;
  /** Takes back the last change, but nothing that somebody else has changed since. */
  readonly undo: () => Refused;
  /** What `undo` takes back. Undefined: there is nothing. */
  readonly last: string | undefined;
}

/** The table that is written to, and by whom. */
interface Place {
  readonly client: Client;
  readonly setup: ConsoleSetup;
  readonly table: TableEntry;
}

/** RowChanges of a table's rows, each a REST request. `onDone` is called after each. */
export function useChanges(table: TableEntry, onDone: () => void): RowChanges {
  const { client, setup, announce, reload } = useConsole();
  const [changes, setChanges] = useKept<readonly Change[]>(`changes ${table.name}`, []);
  const latest = useRef(changes);
  const turn = useRef<Promise<unknown>>(Promise.resolve());
  const place = { client, setup, table };
  // One after the other, however fast keys are pressed.
  const inTurn = (write: () => Refused): Refused => {
    const written = turn.current.then(write);
    turn.current = written;
    return written;
  };
  const keep = (told: string, before: readonly Change[], { about, back }: Change): void => {
    announce(`${told}: ${about}.`);
    latest.current = back.length === 0 ? before : [...before, { about, back }].slice(-keptChanges);
    setChanges(latest.current);
    onDone();
    // The count of rows is part of the set-up.
    reload();
  };
  const make = async (about: string, writes: readonly Write[]): Refused => {
    const back: Write[] = [];
    let refusal: Failure | undefined;
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
      // What somebody else has changed is not tried again.
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

/** Writes a row, and puts what takes it back before what there is. */
async function send(place: Place, { method, row, body }: Write, back: Write[] = []): Refused {
  const { client, setup, table } = place;
  const isNew = method === "POST";
  const sent = isNew ? row : body;
  const asked = sent === undefined ? { method } : { method, body: sent };
  const path = isNew ? encodeURIComponent(table.name) : rowPath(place, row);
  // The grid may not show the last write yet, but it has digits that a reply rounds.
  const read = isNew ? undefined : await readRow(place, row);
  const [was = row] = read?.ok ? exactRows([read.value], [row]) : [];
  const answer = await client.rows<{ readonly data?: TableRow }>(setup, path, asked);
  if (!answer.ok) return answer.error;
  const written = { ...was, ...body, ...answer.value.data };
  const names = Object.keys(body ?? {});
  const before = Object.fromEntries(names.map((name) => [name, valueIn(was, name)]));
  const backs: Readonly<Record<Write["method"], Write | undefined>> = {
    // The answer may not tell a generated key, and without it the row cannot be deleted.
    POST: keyPath(table, written) === undefined ? undefined : { method: "DELETE", row: written },
    DELETE: canPutBack(table, was) ? { method: "POST", row: was } : undefined,
    PATCH: canPutBack(table, before) ? { method, row: written, body: before } : undefined,
  };
  back.unshift(...[backs[method] ?? []].flat());
  return undefined;
}

/** A row as it is now. A row that is gone has no columns. */
async function readRow(place: Place, row: TableRow): Promise<Result<TableRow, Failure>> {
  const path = rowPath(place, row);
  const found = await place.client.rows<readonly TableRow[]>(place.setup, path);
  return found.ok ? { ok: true, value: found.value[0] ?? {} } : found;
}

/** Why a row cannot be taken back: somebody else has written over it. */
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
