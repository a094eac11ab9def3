import type { Level, LimitKind } from "../chat/rate-limiter.ts";
import { MatchCounts } from "../chat/scripts/script-book.ts";
import type { Script } from "../chat/scripts/script.ts";
import { PlayCounts } from "../replay/play-counts.ts";
import type { JsonValue } from "../schema/json.ts";
import type { TableSchema } from "../store/schema.ts";
import type { StorageRules } from "../store/storage-rules.ts";
import { makeRow, type TableLayout } from "../store/table-layout.ts";
import { emptyState, TableState } from "../store/table-state.ts";
import {
  BlobValue,
  ExactInteger,
  type Row,
  type RowId,
  type Value,
  WholeReal,
} from "../store/value.ts";
import type { Core } from "./core.ts";
import type { FaultBookSnapshot } from "./faults/fault-book.ts";
import type { Session } from "./session.ts";
import type { Snapshot } from "./state.ts";

/** The keys of entries: `state`, and the base session, a session or a named snapshot. */
export type KeptKey = readonly (string | number)[];

/** Entries to write, and keys of entries to remove. */
export interface KeptChanges {
  readonly puts: readonly (readonly [key: KeptKey, value: unknown])[];
  readonly removals: readonly KeptKey[];
}

const kind = "state";

/** The base session. Other keys have a mark and a name. */
const base = "";
const sessionMark = "@";
const snapshotMark = "#";

/** A snapshot is restored in a session of this name, which no request can use. */
const passing = "\u0000";

/** Tracks everything that can change in an emulator, so that it can be saved and restored. */
export class Keeper {
  readonly #core: Core;
  readonly #pristine: Snapshot;
  /** What was saved, by name; for a named snapshot, which one. */
  readonly #kept: Map<string, Snapshot | undefined> = new Map();
  #touched: Set<string> = new Set();
  #isAllTouched = false;

  /** Takes an emulator without changes. */
  constructor(core: Core) {
    this.#core = core;
    this.#pristine = core.sessions.base.snapshot();
  }

  /** Whether a session was saved before. */
  knows(id: string | undefined): boolean {
    return this.#kept.has(nameOf(id));
  }

  /** Marks a session as possibly changed. */
  touch(id: string | undefined): void {
    this.#touched.add(nameOf(id));
  }

  /** Marks everything as possibly changed. */
  touchAll(): void {
    this.#isAllTouched = true;
  }

  /** Whether anything was marked since changes were last taken. */
  get isTouched(): boolean {
    return this.#isAllTouched || this.#touched.size > 0;
  }

  /** The changes since the last call, within what was marked. */
  async changes(): Promise<KeptChanges> {
    const { sessions, snapshots } = this.#core;
    const current = new Map(
      [sessions.base, ...sessions.list()].map((session) => [nameOf(session.id), session]),
    );
    const named = new Map(
      snapshots.list().map(({ name, snapshot }) => [snapshotMark + name, snapshot]),
    );
    const touched = this.#isAllTouched
      ? new Set([...current.keys(), ...named.keys(), ...this.#kept.keys()])
      : this.#touched;
    this.#touched = new Set();
    this.#isAllTouched = false;
    const puts: Promise<readonly [KeptKey, KeptState]>[] = [];
    const removals: KeptKey[] = [];
    for (const name of touched) {
      const snapshot = named.get(name);
      const session = current.get(name);
      const state = snapshot ?? session?.snapshot();
      if (state === undefined) removals.push([kind, name]);
      else if (snapshot === undefined || this.#kept.get(name) !== snapshot) {
        const usedAt = session?.lastUsedAt ?? 0;
        const kept = keptState(state, this.#pristine);
        puts.push(kept.then((parts) => [[kind, name], { ...parts, usedAt }] as const));
      }
      if (state === undefined) this.#kept.delete(name);
      else this.#kept.set(name, snapshot);
    }
    return { puts: await Promise.all(puts), removals };
  }

  /** Restores what was saved, in an emulator without changes. */
  async restore(entries: Iterable<readonly [key: KeptKey, value: unknown]>): Promise<void> {
    const states = [...entries].flatMap(([[of, name], value]) =>
      of === kind ? [[String(name), value as KeptState] as const] : [],
    );
    // Sessions are listed in order of use.
    states.sort(([, one], [, other]) => one.usedAt - other.usedAt);
    const { sessions, snapshots, settings } = this.#core;
    const { storage } = settings.tablesProfile;
    for (const [name, kept] of states) {
      const isSnapshot = name.startsWith(snapshotMark);
      const id = name.slice(1);
      const session = sessions.get(isSnapshot ? passing : name === base ? undefined : id);
      await restoreState(session, kept, { pristine: this.#pristine, storage });
      this.#kept.set(name, isSnapshot ? snapshots.keep(id, () => session.snapshot()) : undefined);
      if (isSnapshot) sessions.delete(passing);
    }
  }
}

function nameOf(id: string | undefined): string {
  return id === undefined ? base : sessionMark + id;
}

/** The difference between a state and the fixtures, in a form for structured clones. */
interface KeptState {
  /** Unix time in milliseconds; 0 for a named snapshot. */
  readonly usedAt: number;
  readonly random: readonly number[];
  readonly seed: number;
  readonly limiter: readonly (readonly [LimitKind, Level])[];
  readonly faults: FaultBookSnapshot;
  readonly clock: number | undefined;
  /** An imported state's document, which replaces tables, scripts, models and cassettes. */
  readonly scripts: readonly (number | string)[] | undefined;
  readonly matches: readonly (readonly [name: string, count: number])[];
  readonly played: readonly (readonly [cassette: string, counts: readonly number[]])[];
  /** Tables that differ from the fixtures. */
  readonly tables: readonly KeptTable[];
  /** An imported state's document, which replaces tables, scripts, models and cassettes. */
  readonly document: object | undefined;
}

async function keptState(
  snapshot: Snapshot,
  pristine: Snapshot,
): Promise<Omit<KeptState, "usedAt">> {
  const { random, seed, limiter, faults, clock, chats, plays, tables } = snapshot;
  return {
    random: [...random],
    seed,
    limiter: [...limiter],
    faults,
    clock,
    scripts: keptScripts(snapshot, pristine),
    matches: chats.scripts.flatMap(({ name }) => {
      const count = chats.matches.of(name);
      return count === 0 ? [] : [[name, count] as const];
    }),
    played: plays.entries(),
    tables: snapshot.imported === undefined ? keptTables(tables.tables, pristine) : [],
    document: await documentOf(snapshot),
  };
}

/** The export is loaded on demand: few import a state. */
async function documentOf(snapshot: Snapshot): Promise<object | undefined> {
  const { imported } = snapshot;
  if (imported === undefined) return undefined;
  const state = imported.state.fork();
  state.restore(snapshot);
  const { exportState } = await import("./state/export-state.ts");
  return exportState({ ...imported, state });
}

function keptScripts({ chats }: Snapshot, pristine: Snapshot): KeptState["scripts"] {
  const own = pristine.chats.scripts;
  const all = chats.scripts;
  if (all === own) return undefined;
  return all.map((script) => {
    const place = own.indexOf(script);
    return place === -1 ? JSON.stringify(script) : place;
  });
}

/** Restores a session's saved state. */
async function restoreState(
  session: Session,
  kept: KeptState,
  { pristine, storage }: { readonly pristine: Snapshot; readonly storage: StorageRules },
): Promise<void> {
  if (kept.document !== undefined) {
    const { importState } = await import("./state/import-state.ts");
    await importState(session, { ...kept.document }, { storage });
    // The document has them too, but not the ids in use.
    return session.state.faults.restore(kept.faults);
  }
  const scripts = await restoredScripts(pristine, kept.scripts);
  session.restore({
    tables: { tables: restoredTables(pristine, kept.tables) },
    guestTables: new Map(),
    chats: { scripts, matches: new MatchCounts(kept.matches) },
    random: kept.random,
    seed: kept.seed,
    limiter: new Map(kept.limiter),
    faults: kept.faults,
    plays: new PlayCounts(kept.played),
    clock: kept.clock,
  });
}

async function restoredScripts(
  { chats: { scripts: own } }: Snapshot,
  kept: KeptState["scripts"],
): Promise<readonly Script[]> {
  if (kept === undefined) return own;
  const scripts = kept.map(async (script) => {
    if (typeof script === "number") return own[script] ?? [];
    const { readScript } = await import("../fixture-set/read-script.ts");
    return readScript(JSON.parse(script));
  });
  return (await Promise.all(scripts)).flat();
}

type TableStates = ReadonlyMap<string, TableState>;

interface KeptTable {
  readonly name: string;
  readonly largestId: RowId | undefined;
  /** The columns that the table adopted from its first row. */
  readonly schema: TableSchema | undefined;
  /** Rows that differ from the fixtures; null for a removed row. */
  readonly rows: readonly (readonly [id: RowId, row: PackedRow | null])[];
}

function keptTables(
  tables: TableStates,
  { tables: { tables: pristine } }: Snapshot,
): readonly KeptTable[] {
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
  tables: readonly KeptTable[],
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
  { schema, rows: kept, largestId }: KeptTable,
): TableState {
  const { storage, declared } = start.layout;
  const state = schema === undefined ? start.fork() : emptyState(schema, storage, { declared });
  // Removed rows first, so that their unique values are free.
  for (const [id] of kept) {
    const row = state.row(id);
    if (row !== undefined) state.commit({ before: { id, row }, after: undefined });
  }
  for (const [id, packed] of kept) {
    if (packed === null) continue;
    const after = { id, row: unpackRow(packed, state.layout) };
    state.commit({ before: undefined, after });
  }
  const { layout, rows, uniques } = state;
  return new TableState({ layout, rows, uniques, others: [], largestId });
}

/** A value for structured clones: a form that JSON never has stands for what JSON cannot express. */
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
