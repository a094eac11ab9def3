import { isEmulatorError } from "../errors/emulator-error.ts";
import type { FixtureSet } from "../fixture-set/fixture-set.ts";
import type { ScriptBookSnapshot } from "../chat/scripts/script-book.ts";
import type { Session } from "./session.ts";
import type { Setup } from "./setup.ts";
import type { Snapshot, State } from "./state.ts";

/**
 * Lets the sessions of new fixtures go on from those of the previous ones, as far as the new fixtures allow. Journals
 * stay. Rows and named snapshots stay if both fixtures have the same tables and rows. Faults, clock and random
 * numbers stay if both fixtures say the same about them. Scripts, models and recordings are those of the new
 * fixtures, with the scripts that were added at run time. An imported state is dropped.
 */
export function carryOver(before: Setup, after: Setup): void {
  const keeps = keepsOf(before.fixtures, after.fixtures);
  const carried = (old: Snapshot): Snapshot => carriedState(old, after.pristine, keeps);
  const { base } = after.sessions;
  take(base, before.sessions.base, carried);
  const { maxSessions } = after.settings;
  for (const session of before.sessions.list().slice(-maxSessions)) {
    if (session.id === undefined) continue;
    const next = after.sessions.renew(session.id);
    if (next !== undefined) take(next, session, carried);
  }
  for (const kept of keeps.tables ? before.snapshots.list() : []) {
    if (kept.snapshot.imported !== undefined) continue;
    after.snapshots.adopt({ ...kept, snapshot: carried(kept.snapshot) });
  }
  base.state.budget.recount();
}

/** The parts about which the new fixtures say the same as the previous ones. */
interface Keeps {
  readonly tables: boolean;
  readonly faults: boolean;
  readonly clock: boolean;
  readonly random: boolean;
  /** The names of the scripts of the previous fixtures. */
  readonly scripts: ReadonlySet<string>;
}

function keepsOf(before: FixtureSet, after: FixtureSet): Keeps {
  const [old, now] = [before.state, after.state];
  return {
    tables: before.storage === after.storage && isSame(before.tables, after.tables),
    faults: isSame(old.faults, now.faults),
    clock: old.clock === now.clock,
    random: isSame([old.random, old.seed], [now.random, now.seed]),
    scripts: new Set(before.scripts.map(({ name }) => name)),
  };
}

/**
 * Whether two values have the same JSON. Compares lists one by one, so that an early difference ends the comparison.
 */
function isSame(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) {
    return one === other || JSON.stringify(one) === JSON.stringify(other);
  }
  return one.length === other.length && one.every((part, index) => isSame(part, other[index]));
}

function carriedState(old: Snapshot, fresh: Snapshot, keeps: Keeps): Snapshot {
  return {
    ...fresh,
    // The fixtures say nothing about tables of the program.
    guestTables: new Map(),
    chats: withAdded(fresh.chats, old.chats, keeps.scripts),
    answers: old.answers,
    ...(keeps.tables ? { tables: old.tables } : {}),
    ...(keeps.faults ? { faults: old.faults } : {}),
    ...(keeps.clock ? { clock: old.clock } : {}),
    ...(keeps.random ? { random: old.random, seed: old.seed } : {}),
  };
}

/** The scripts of the new fixtures, behind those that were added at run time. */
function withAdded(
  fresh: ScriptBookSnapshot,
  old: ScriptBookSnapshot,
  ofFixtures: ReadonlySet<string>,
): ScriptBookSnapshot {
  const names = new Set(fresh.scripts.map(({ name }) => name));
  const added = old.scripts.filter(({ name }) => !ofFixtures.has(name) && !names.has(name));
  return added.length === 0 ? fresh : { ...fresh, scripts: [...added, ...fresh.scripts] };
}

/** Lets a session continue from its predecessor. */
function take(next: Session, before: Session, carried: (old: Snapshot) => Snapshot): void {
  next.succeed(before);
  if (before.isImported) return;
  restoreWhatFits(next.state, carried(before.snapshot()));
}

/** Restores a state. If its tables do not fit after all, restores the rest. */
function restoreWhatFits(state: State, carried: Snapshot): void {
  const { tables } = state.snapshot();
  try {
    state.restore(carried);
  } catch (error) {
    if (!isEmulatorError(error)) throw error;
    state.restore({ ...carried, tables });
  }
}
