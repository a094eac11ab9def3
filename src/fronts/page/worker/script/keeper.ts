import type { Core } from "../../../../core/emulator/core.ts";
import type { Snapshot } from "../../../../core/emulator/state.ts";
import {
  loadSnapshot,
  type SavedSnapshot,
  saveSnapshot,
} from "../../../../core/emulator/state/saved-snapshot.ts";

/** The keys of entries: `state`, and the base session, a session or a named snapshot. */
export type KeptKey = readonly (string | number)[];

/** Entries to write, and keys of entries to remove. */
export interface KeptChanges {
  readonly puts: readonly (readonly [key: KeptKey, value: unknown])[];
  readonly removals: readonly KeptKey[];
}

/** A saved snapshot, and when its session was last used, in Unix time in milliseconds; 0 for a named snapshot. */
interface KeptState extends SavedSnapshot {
  readonly usedAt: number;
}

const kind = "state";

/** The name of the base session here. Other names begin with a mark. */
const base = "";
const sessionMark = "@";
const snapshotMark = "#";

/** Tracks everything that can change in an emulator, so that it can be saved and restored. */
export class Keeper {
  readonly #core: Core;
  readonly #pristine: Snapshot;
  /** What was saved, by name: for a named snapshot the snapshot itself, to notice when it is replaced. */
  readonly #kept: Map<string, Snapshot | undefined> = new Map();
  #touched: Set<string> = new Set();
  #isAllTouched = false;

  /** `core` must not have any changes yet. */
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

  /** Whether anything was marked since `changes` was last called. */
  get isTouched(): boolean {
    return this.#isAllTouched || this.#touched.size > 0;
  }

  /** The changes since the last call, among what was marked. */
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
        const saved = saveSnapshot(state, this.#pristine);
        puts.push(saved.then((parts) => [[kind, name], { ...parts, usedAt }] as const));
      }
      if (state === undefined) this.#kept.delete(name);
      else this.#kept.set(name, snapshot);
    }
    return { puts: await Promise.all(puts), removals };
  }

  /** Restores saved entries in an emulator without changes. */
  async restore(entries: Iterable<readonly [key: KeptKey, value: unknown]>): Promise<void> {
    const states = [...entries].flatMap(([[of, name], value]) =>
      of === kind ? [[String(name), value as KeptState] as const] : [],
    );
    // Sessions are listed in order of use.
    states.sort(([, one], [, other]) => one.usedAt - other.usedAt);
    const { sessions, snapshots, settings } = this.#core;
    const { storage } = settings.tablesProfile;
    for (const [name, kept] of states) {
      const id = name === base ? undefined : name.slice(1);
      const context = { pristine: this.#pristine, storage };
      if (id === undefined || !name.startsWith(snapshotMark)) {
        await loadSnapshot(sessions.get(id), kept, context);
        this.#kept.set(name, undefined);
        continue;
      }
      await sessions.aside(async (session) => {
        await loadSnapshot(session, kept, context);
        this.#kept.set(
          name,
          snapshots.keep(id, () => session.snapshot()),
        );
      });
    }
  }
}

function nameOf(id: string | undefined): string {
  return id === undefined ? base : sessionMark + id;
}
