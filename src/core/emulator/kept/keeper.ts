import type { Core } from "../core.ts";
import type { Session } from "../session.ts";
import type { Snapshot } from "../state.ts";
import {
  type RowBlock,
  type BlockChange,
  type KeptTable,
  KeptTables,
  restoredTables,
} from "./tables.ts";
import type { Level, LimitKind } from "../../chat/rate-limiter.ts";
import { PlayCounts } from "../../replay/play-counts.ts";
import { MatchCounts } from "../../chat/scripts/script-book.ts";
import { ScriptList } from "../../chat/scripts/script-book.ts";
import type { StorageRules } from "../../store/storage-rules.ts";
import type { FaultBookSnapshot } from "../faults/fault-book.ts";

/** What an entry is kept under: `head`, world; or `rows`, world, table, block. */
export type KeptKey = readonly (string | number)[];

/** Entries that are to be written, and keys of those that are to be removed. */
export interface KeptChanges {
  readonly puts: readonly (readonly [key: KeptKey, value: unknown])[];
  readonly removals: readonly KeptKey[];
}

/** The base session's world; others have a mark and a name. */
const base = "";
const sessionMark = "@";
const snapshotMark = "#";

/** While a snapshot is read or written it is that of a session of this name, which no request can have. */
const passing = "\u0000";

/** Follows all that can change in an emulator, so that it can be kept somewhere and brought back. */
export class Keeper {
  readonly #core: Core;
  readonly #pristine: Snapshot;
  readonly #worlds: Map<string, KeptWorld> = new Map();
  readonly #snapshots: Map<string, Snapshot> = new Map();
  #touched: Set<string> = new Set();
  #isAllTouched = false;

  /** Takes an emulator that nothing has changed yet. */
  constructor(core: Core) {
    this.#core = core;
    this.#pristine = core.sessions.base.snapshot();
  }

  /** Whether a session was kept before. */
  knows(id: string | undefined): boolean {
    return this.#worlds.has(worldOf(id));
  }

  /** Tells that a session may have changed. */
  touch(id: string | undefined): void {
    this.#touched.add(worldOf(id));
  }

  /** Tells that anything may have changed. */
  touchAll(): void {
    this.#isAllTouched = true;
  }

  /** Whether it was told of anything since it was last asked for changes. */
  get isTouched(): boolean {
    return this.#isAllTouched || this.#touched.size > 0;
  }

  /** What changed since this was asked last, as far as it was told what may have. */
  async changes(): Promise<KeptChanges> {
    const touched = this.#touched;
    const isAllTouched = this.#isAllTouched;
    this.#touched = new Set();
    this.#isAllTouched = false;
    const puts: (readonly [KeptKey, unknown])[] = [];
    const removals: KeptKey[] = [];
    const note = (world: string, { head, blocks }: Changes): void => {
      if (head === undefined) removals.push(["head", world]);
      else puts.push([["head", world], head]);
      for (const { table, block, rows } of blocks) {
        const key = ["rows", world, table, block];
        if (rows === undefined) removals.push(key);
        else puts.push([key, rows]);
      }
    };
    const sessions = this.#sessions();
    const known = isAllTouched ? [...sessions.keys(), ...this.#worlds.keys()] : touched;
    for (const world of new Set(known)) {
      if (world.startsWith(snapshotMark)) continue;
      note(world, await this.#changesOf(world, sessions.get(world)));
    }
    if (isAllTouched) await this.#noteSnapshots(note);
    return { puts, removals };
  }

  #sessions(): ReadonlyMap<string, Session> {
    const { sessions } = this.#core;
    return new Map([sessions.base, ...sessions.list()].map((one) => [worldOf(one.id), one]));
  }

  async #changesOf(world: string, session: Session | undefined): Promise<Changes> {
    const before = this.#worlds.get(world);
    if (session === undefined) {
      this.#worlds.delete(world);
      return { head: undefined, blocks: before?.forget() ?? [] };
    }
    const kept = before ?? new KeptWorld(this.#pristine);
    this.#worlds.set(world, kept);
    return kept.changes(session);
  }

  async #noteSnapshots(note: (world: string, changes: Changes) => void): Promise<void> {
    const now = this.#core.snapshots.list();
    for (const name of this.#snapshots.keys()) {
      if (now.some((one) => one.name === name)) continue;
      this.#snapshots.delete(name);
      note(snapshotMark + name, await this.#changesOf(snapshotMark + name, undefined));
    }
    for (const { name, snapshot } of now) {
      if (this.#snapshots.get(name) === snapshot) continue;
      this.#snapshots.set(name, snapshot);
      const session = this.#core.sessions.get(passing);
      session.restore(snapshot);
      note(snapshotMark + name, await this.#changesOf(snapshotMark + name, session));
      this.#core.sessions.delete(passing);
    }
  }

  /** Brings back what was kept, in an emulator that nothing has changed yet. */
  async restore(entries: Iterable<readonly [key: KeptKey, value: unknown]>): Promise<void> {
    const heads: [world: string, head: KeptHead][] = [];
    const rows = new Map<string, Map<string, RowBlock[]>>();
    for (const [[kind, world = "", table = ""], value] of entries) {
      if (kind === "head") heads.push([String(world), value as KeptHead]);
      if (kind === "rows") addTo(rows, [String(world), String(table)], value as RowBlock);
    }
    // Sessions are listed in the order of their use.
    heads.sort(([, one], [, other]) => one.usedAt - other.usedAt);
    for (const [world, head] of heads) {
      await this.#restoreWorld(world, head, rows.get(world) ?? new Map());
    }
  }

  async #restoreWorld(world: string, head: KeptHead, blocks: Blocks): Promise<void> {
    const { sessions, snapshots, settings } = this.#core;
    const isSnapshot = world.startsWith(snapshotMark);
    const name = world.slice(1);
    const session = sessions.get(isSnapshot ? passing : world === base ? undefined : name);
    const { storage } = settings.restProfile;
    await restoreWorld(session, { pristine: this.#pristine, storage, head, blocks });
    await this.#changesOf(world, session);
    if (!isSnapshot) return;
    this.#snapshots.set(
      name,
      snapshots.keep(name, () => session.snapshot()),
    );
    sessions.delete(passing);
  }
}

type Blocks = ReadonlyMap<string, readonly RowBlock[]>;

interface Changes extends Omit<WorldChanges, "head"> {
  /** Undefined: the world is gone. */
  readonly head: KeptHead | undefined;
}

function worldOf(id: string | undefined): string {
  return id === undefined ? base : sessionMark + id;
}

function addTo(
  rows: Map<string, Map<string, RowBlock[]>>,
  [world, table]: readonly [string, string],
  block: RowBlock,
): void {
  const tables = rows.get(world) ?? new Map<string, RowBlock[]>();
  const blocks = tables.get(table) ?? [];
  blocks.push(block);
  rows.set(world, tables.set(table, blocks));
}

/** All that is kept of a world but its rows, in a form that a structured clone keeps. */
export interface KeptHead {
  /** Unix time in milliseconds. */
  readonly usedAt: number;
  readonly random: readonly number[];
  readonly limiter: readonly (readonly [LimitKind, Level])[];
  readonly faults: FaultBookSnapshot;
  readonly clock: number | undefined;
  /** Places among the fixtures' scripts, and the JSON text of others. Undefined: those of the fixtures. */
  readonly scripts: readonly (number | string)[] | undefined;
  readonly matches: readonly (readonly [name: string, count: number])[];
  readonly played: readonly (readonly [cassette: string, counts: readonly number[]])[];
  readonly tables: readonly KeptTable[];
  /** In place of tables, scripts, models and cassettes, where the state was imported. */
  readonly document: object | undefined;
}

/** What is to be written of a world. */
export interface WorldChanges {
  readonly head: KeptHead;
  readonly blocks: readonly BlockChange[];
}

/** Follows one world, a session or a snapshot, to keep it by how it differs from the fixtures. */
export class KeptWorld {
  readonly #pristine: Snapshot;
  readonly #tables: KeptTables;

  constructor(pristine: Snapshot) {
    this.#pristine = pristine;
    this.#tables = new KeptTables(pristine.tables.tables);
  }

  /** What changed since this was asked last. */
  async changes(session: Session): Promise<WorldChanges> {
    const snapshot = session.snapshot();
    const { random, limiter, faults, clock, chats, plays } = snapshot;
    const { tables } = session.isImported ? this.#pristine.tables : snapshot.tables;
    const document = documentOf(session);
    const head = {
      usedAt: session.lastUsedAt,
      random: [...random],
      limiter: [...limiter],
      faults,
      clock,
      scripts: this.#scriptsIn(snapshot),
      matches: chats.scripts.all.flatMap(({ name }) => {
        const count = chats.matches.of(name);
        return count === 0 ? [] : [[name, count] as const];
      }),
      played: plays.entries(),
      tables: this.#tables.describe(tables),
    };
    const blocks = this.#tables.changes(tables);
    return { head: { ...head, document: await document }, blocks };
  }

  /** The blocks that were written and are of no use any more. */
  forget(): readonly BlockChange[] {
    return this.#tables.changes(this.#pristine.tables.tables);
  }

  #scriptsIn({ chats }: Snapshot): KeptHead["scripts"] {
    const own = this.#pristine.chats.scripts.all;
    const { all } = chats.scripts;
    if (all === own) return undefined;
    return all.map((script) => {
      const place = own.indexOf(script);
      return place === -1 ? JSON.stringify(script) : place;
    });
  }
}

/** Loaded when it is needed: few import a state. */
async function documentOf(session: Session): Promise<object | undefined> {
  if (!session.isImported) return undefined;
  const { exportState } = await import("../state/export-state.ts");
  return exportState(session);
}

/** What a world is made from again. */
export interface KeptParts {
  readonly pristine: Snapshot;
  readonly storage: StorageRules;
  readonly head: KeptHead;
  readonly blocks: ReadonlyMap<string, readonly RowBlock[]>;
}

/** Takes a session to where one was that was kept. */
export async function restoreWorld(
  session: Session,
  { pristine, storage, head, blocks }: KeptParts,
): Promise<void> {
  if (head.document !== undefined) {
    const { importState } = await import("../state/import-state.ts");
    await importState(session, { ...head.document }, { storage });
    // The document has them too, but not which ids are used.
    return session.state.faults.restore(head.faults);
  }
  const scripts = await restoredScripts(pristine, head.scripts);
  session.restore({
    tables: { tables: restoredTables(pristine.tables.tables, head.tables, blocks) },
    collections: new Map(),
    chats: { scripts, matches: MatchCounts.of(head.matches) },
    random: head.random,
    limiter: new Map(head.limiter),
    faults: head.faults,
    plays: PlayCounts.of(head.played),
    clock: head.clock,
  });
}

async function restoredScripts(
  { chats }: Snapshot,
  kept: KeptHead["scripts"],
): Promise<ScriptList> {
  const own = chats.scripts;
  if (kept === undefined) return own;
  const scripts = kept.map(async (script) => {
    if (typeof script === "number") return own.all[script] ?? [];
    const { readScript } = await import("../../fixture-set/read-script.ts");
    return readScript(JSON.parse(script));
  });
  return ScriptList.of((await Promise.all(scripts)).flat());
}
