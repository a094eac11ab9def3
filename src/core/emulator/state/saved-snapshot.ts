import type { Level, LimitKind } from "../../chat/rate-limiter.ts";
import { MatchCounts } from "../../chat/scripts/script-book.ts";
import type { Script } from "../../chat/scripts/script.ts";
import type { StoredAnswersSnapshot } from "../../chat/stored-answers.ts";
import { PlayCounts } from "../../recordings/play-counts.ts";
import type { JsonValue } from "../../schema/json.ts";
import type { TableSchema } from "../../store/schema.ts";
import type { StorageRules } from "../../store/storage-rules.ts";
import { makeRow, type TableLayout } from "../../store/table-layout.ts";
import { emptyState, TableState } from "../../store/table-state.ts";
import {
  BlobValue,
  ExactInteger,
  type Row,
  type RowId,
  type Value,
  WholeReal,
} from "../../store/value.ts";
import type { FaultBookSnapshot } from "../faults/fault-book.ts";
import type { Session } from "../session.ts";
import type { Snapshot } from "../state.ts";

/** A snapshot as its difference from the fixtures: plain data, which can be cloned and outlives the process. */
export interface SavedSnapshot {
  readonly random: readonly number[];
  readonly seed: number;
  readonly limiter: readonly (readonly [LimitKind, Level])[];
  readonly faults: FaultBookSnapshot;
  readonly clock: number | undefined;
  /** For each script its index in the fixtures, or the script as JSON. Undefined: the scripts of the fixtures. */
  readonly scripts: readonly (number | string)[] | undefined;
  readonly matches: readonly (readonly [name: string, count: number])[];
  /** Stored answers as JSON, oldest first. */
  readonly answers: readonly (readonly [id: string, answer: string])[];
  readonly played: readonly (readonly [cassette: string, counts: readonly number[]])[];
  /** Tables that differ from the fixtures. */
  readonly tables: readonly SavedTable[];
  /** An imported state's document, which replaces tables, scripts, models and cassettes. */
  readonly document: object | undefined;
}

/** Converts a snapshot to its difference from the initial state `pristine`. */
export async function saveSnapshot(snapshot: Snapshot, pristine: Snapshot): Promise<SavedSnapshot> {
  const { random, seed, limiter, faults, clock, chats, answers, plays, tables } = snapshot;
  return {
    random: [...random],
    seed,
    limiter: [...limiter],
    faults,
    clock,
    scripts: savedScripts(snapshot, pristine),
    matches: chats.scripts.flatMap(({ name }) => {
      const count = chats.matches.of(name);
      return count === 0 ? [] : [[name, count] as const];
    }),
    answers: [...answers].map(([id, answer]) => [id, JSON.stringify(answer)] as const),
    played: plays.entries(),
    tables: snapshot.imported === undefined ? savedTables(tables.tables, pristine) : [],
    document: await documentOf(snapshot),
  };
}

/** The export is loaded on demand: few import a state. */
async function documentOf(snapshot: Snapshot): Promise<object | undefined> {
  const { imported } = snapshot;
  if (imported === undefined) return undefined;
  const state = imported.state.fork();
  state.restore(snapshot);
  const { exportState } = await import("./export-state.ts");
  return exportState({ ...imported, state });
}

function savedScripts({ chats }: Snapshot, pristine: Snapshot): SavedSnapshot["scripts"] {
  const own = pristine.chats.scripts;
  const all = chats.scripts;
  if (all === own) return undefined;
  return all.map((script) => {
    const place = own.indexOf(script);
    return place === -1 ? JSON.stringify(script) : place;
  });
}

/** Loads a saved snapshot into a session of an emulator with the same fixtures. */
export async function loadSnapshot(
  session: Session,
  saved: SavedSnapshot,
  { pristine, storage }: { readonly pristine: Snapshot; readonly storage: StorageRules },
): Promise<void> {
  if (saved.document !== undefined) {
    const { importState } = await import("./import-state.ts");
    await importState(session, { ...saved.document }, { storage });
    session.state.answers.restore(answersOf(saved));
    // The document has the faults, but not the ids that are in use.
    return session.state.faults.restore(saved.faults);
  }
  const scripts = await restoredScripts(pristine, saved.scripts);
  session.restore({
    tables: { tables: restoredTables(pristine, saved.tables) },
    guestTables: new Map(),
    chats: { scripts, matches: new MatchCounts(saved.matches) },
    answers: answersOf(saved),
    random: saved.random,
    seed: saved.seed,
    limiter: new Map(saved.limiter),
    faults: saved.faults,
    plays: new PlayCounts(saved.played),
    clock: saved.clock,
  });
}

function answersOf({ answers }: SavedSnapshot): StoredAnswersSnapshot {
  return new Map(answers.map(([id, answer]) => [id, JSON.parse(answer)]));
}

async function restoredScripts(
  { chats: { scripts: own } }: Snapshot,
  saved: SavedSnapshot["scripts"],
): Promise<readonly Script[]> {
  if (saved === undefined) return own;
  const scripts = saved.map(async (script) => {
    if (typeof script === "number") return own[script] ?? [];
    const { readScript } = await import("../../fixture-set/read-script.ts");
    return readScript(JSON.parse(script));
  });
  return (await Promise.all(scripts)).flat();
}

type TableStates = ReadonlyMap<string, TableState>;

interface SavedTable {
  readonly name: string;
  readonly largestId: RowId | undefined;
  /** The columns that the table adopted from its first row. */
  readonly schema: TableSchema | undefined;
  /** Rows that differ from the fixtures; null for a removed row. */
  readonly rows: readonly (readonly [id: RowId, row: PackedRow | null])[];
}

function savedTables(
  tables: TableStates,
  { tables: { tables: pristine } }: Snapshot,
): readonly SavedTable[] {
  return [...tables].flatMap(([name, { largestId, layout, rows }]) => {
    const start = pristine.get(name);
    if (start === undefined) return [];
    const changed = [...rows.differencesFrom(start.rows)];
    const isAdopted = layout.schema !== start.layout.schema;
    if (changed.length === 0 && !isAdopted && largestId === start.largestId) return [];
    const packed = changed.map(
      ([id, row]) => [id, row === undefined ? null : packRow(row, layout)] as const,
    );
    return [{ name, largestId, schema: isAdopted ? layout.schema : undefined, rows: packed }];
  });
}

function restoredTables(
  { tables: { tables: pristine } }: Snapshot,
  tables: readonly SavedTable[],
): TableStates {
  const states = new Map(pristine);
  for (const table of tables) {
    const start = pristine.get(table.name);
    if (start !== undefined) states.set(table.name, restoredTable(start, table));
  }
  return states;
}

function restoredTable(
  start: TableState,
  { schema, rows: saved, largestId }: SavedTable,
): TableState {
  const { storage, declared } = start.layout;
  const state = schema === undefined ? start.fork() : emptyState(schema, storage, { declared });
  // Removes rows first, so that their unique values are free.
  for (const [id] of saved) {
    const row = state.row(id);
    if (row !== undefined) state.commit({ before: { id, row }, after: undefined });
  }
  for (const [id, packed] of saved) {
    if (packed === null) continue;
    const after = { id, row: unpackRow(packed, state.layout) };
    state.commit({ before: undefined, after });
  }
  const { layout, rows, uniques } = state;
  return new TableState({ layout, rows, uniques, others: [], largestId });
}

/** A value that can be cloned: what JSON cannot express has a form that JSON never has. */
type PackedValue = JsonValue | bigint | Uint8Array | Float64Array;

/** The values of a row in column order. */
type PackedRow = readonly PackedValue[];

function packRow(row: Row, { columnNames }: TableLayout): PackedRow {
  return columnNames.map((name) => pack(row[name] ?? null));
}

function unpackRow(packed: PackedRow, layout: TableLayout): Row {
  return makeRow(
    layout,
    packed.map((value) => unpack(value, layout)),
  );
}

function pack(value: Value): PackedValue {
  if (value instanceof ExactInteger) return value.value;
  if (value instanceof BlobValue) return value.bytes;
  return value instanceof WholeReal ? Float64Array.of(value.value) : value;
}

function unpack(packed: PackedValue, { storage }: TableLayout): Value {
  if (typeof packed === "bigint") return new ExactInteger(packed);
  if (packed instanceof Uint8Array) return storage.blob(packed);
  return packed instanceof Float64Array ? new WholeReal(packed[0] ?? 0) : packed;
}
