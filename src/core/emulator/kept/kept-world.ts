import type { Level, LimitKind } from "../../chat/rate-limiter.ts";
import { PlayCounts } from "../../replay/play-counts.ts";
import { MatchCounts, ScriptList } from "../../chat/scripts/script-book.ts";
import type { StorageRules } from "../../store/storage-rules.ts";
import type { FaultBookSnapshot } from "../faults/fault-book.ts";
import type { Session } from "../session.ts";
import type { Snapshot } from "../state.ts";
import type { RowBlock } from "./kept-rows.ts";
import { type BlockChange, type KeptTable, KeptTables, restoredTables } from "./kept-tables.ts";

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
  const { exportState } = await import("../control/export-state.ts");
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
    const { importState } = await import("../control/import-state.ts");
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
