import type { Core } from "../core.ts";
import type { Session } from "../session.ts";
import type { Snapshot } from "../state.ts";
import type { RowBlock } from "./kept-rows.ts";
import { type KeptHead, KeptWorld, restoreWorld, type WorldChanges } from "./kept-world.ts";

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
