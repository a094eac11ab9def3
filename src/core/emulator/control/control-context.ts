import type { ControlContext, ResetScope } from "../../control/context.ts";
import type { FixtureSet } from "../../fixture-set/fixture-set.ts";
import { readScript } from "../../fixture-set/read-script.ts";
import type { Timers } from "../../http/scheduler.ts";
import { version } from "../version.ts";
import type { Extras } from "../extras.ts";
import { addFault } from "../faults/read-fault-rule.ts";
import type { NamedSnapshot, NamedSnapshots } from "../named-snapshots.ts";
import type { Session } from "../session.ts";
import { checkedSessionId } from "../session-address.ts";
import type { Sessions } from "../sessions.ts";
import type { ResolvedSettings } from "../settings.ts";
import type { Snapshot } from "../state.ts";
import { acceptedKeys, describeTables } from "./describe-service.ts";
import { exportState, matchCounts, profilesOf } from "./export-state.ts";
import { importState } from "./import-state.ts";
import { replaceRows, wireRows } from "./table-rows.ts";

/** What the control API of one session works with. */
export interface ControlSetup {
  readonly fixtures: FixtureSet;
  readonly settings: ResolvedSettings;
  readonly sessions: Sessions;
  readonly snapshots: NamedSnapshots;
  readonly pristine: Snapshot;
}

/** Where a call to the control API comes from, and what it is about. */
export interface ControlCaller {
  /** Its id; undefined: the base session. */
  readonly session: string | undefined;
  /** Why no session can have the id. Undefined: one can. */
  readonly problem: string | undefined;
  /** Whether it is code of this process, which need not be kept out. */
  readonly inProcess: boolean;
  readonly peerAddress: string | undefined;
  readonly timers: Timers;
  /** Undefined: there is none. */
  readonly console: Extras["console"] | undefined;
}

/** All that the control API can see and do, in one session. */
export function controlContext(
  { session: id, problem, inProcess, peerAddress, timers, console }: ControlCaller,
  setup: ControlSetup,
): ControlContext {
  const { settings, sessions } = setup;
  let found: Session | undefined;
  // Not before something is done in it, so that who is refused makes none, in place of which another one would go.
  const session = (): Session => (found ??= sessions.get(id));
  return {
    session: id,
    sessionProblem: problem,
    settings: serviceSettings(settings),
    timers,
    console,
    access: { token: settings.controlToken, inProcess, peerAddress, cors: settings.cors },
    reset: (scope) => resetSession(session(), setup.pristine, scope),
    keys: () => acceptedKeys(settings),
    tables: {
      names: () => session().state.database.names(),
      describe: () => describeTables(session().state.database),
      rows: (name) => wireRows(session().state, name),
      replace: (name, rows) =>
        replaceRows(session().state, {
          name,
          rows,
          now: session().now,
          storage: settings.restProfile.storage,
          dumped: dumpedTables(setup.fixtures),
        }),
    },
    chats: {
      list: () => session().state.scripts.list(),
      matches: () => matchCounts(session().state.scripts),
      add: async (input) => {
        const script = await readScript(input, { defaultName: nextName(session()) });
        // Throws for a name that is taken.
        session().state.scripts.add(script);
        return script;
      },
      remove: (name) => session().state.scripts.remove(name),
    },
    journal: {
      beganAt: () => isoTime(session().beganAt),
      kept: () => session().journal.kept(),
      clear: () => session().journal.clear(),
      watch: (watcher) => session().journal.watch(watcher),
    },
    faults: controlledFaults(session),
    exportState: () => exportState(session(), profilesOf(settings)),
    importState: (document) =>
      importState(session(), document, {
        storage: settings.restProfile.storage,
        profiles: profilesOf(settings),
      }),
    snapshots: controlledSnapshots(session, setup),
    sessions: controlledSessions(setup),
  };
}

function controlledSnapshots(
  session: () => Session,
  { snapshots }: Pick<ControlSetup, "snapshots">,
): ControlContext["snapshots"] {
  return {
    list: () => snapshots.list().map(snapshotEntry),
    take: (name) => void snapshots.keep(name, () => session().snapshot()),
    restore: (name) => session().restore(snapshots.get(name)),
    remove: (name) => snapshots.delete(name),
  };
}

function controlledSessions({
  sessions,
  snapshots,
}: Pick<ControlSetup, "sessions" | "snapshots">): ControlContext["sessions"] {
  return {
    list: () => sessions.list().map(sessionEntry),
    begin: (id, { from, ...start }) => {
      const snapshot = from === undefined ? undefined : snapshots.get(from);
      sessions.begin(checkedSessionId(id), { ...start, from: snapshot });
    },
    remove: (id) => sessions.delete(id),
  };
}

function controlledFaults(session: () => Session): ControlContext["faults"] {
  return {
    list: () => session().state.faults.list(),
    add: (input) => addFault(session(), input),
    remove: (id) => session().state.faults.remove(id),
    clear: () => session().state.faults.clear(),
  };
}

function serviceSettings(settings: ResolvedSettings): ControlContext["settings"] {
  return {
    version,
    profiles: profilesOf(settings),
    basePaths: { rest: settings.restBasePaths, chat: settings.basePaths },
    auth: settings.tokens !== null,
  };
}

/** Takes a session back to the fixtures: as a whole, or in some of its parts. */
function resetSession(session: Session, pristine: Snapshot, scope?: readonly ResetScope[]): void {
  const { state, journal } = session;
  if (scope === undefined) session.reset(pristine);
  // The tables of an imported state may be others: it goes as a whole.
  else if (session.isImported && (scope.includes("tables") || scope.includes("chats"))) {
    session.resetState(pristine);
  } else {
    if (scope.includes("tables")) state.database.restore(pristine.tables);
    if (scope.includes("chats")) state.scripts.restore(pristine.chats);
  }
  if (scope !== undefined) {
    const { faults } = scope.includes("faults") ? pristine : { faults: state.faults.snapshot() };
    session.state.faults.restore(faults);
  }
  if (scope?.includes("journal") === true) journal.clear();
}

function dumpedTables({ tables }: FixtureSet): ReadonlySet<string> {
  const dumped = tables.filter(({ asStored }) => asStored === true);
  return new Set(dumped.map(({ schema }) => schema.name));
}

function nextName(session: Session): string {
  const taken = new Set(session.state.scripts.list().map(({ name }) => name));
  let number = 1;
  while (taken.has(`added ${number}`)) number++;
  return `added ${number}`;
}

function sessionEntry(session: Session): ReturnType<ControlContext["sessions"]["list"]>[number] {
  return {
    id: session.id ?? "",
    beganAt: isoTime(session.beganAt),
    lastUsedAt: isoTime(session.lastUsedAt),
    requests: session.journal.count,
  };
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}

function snapshotEntry({
  name,
  at,
  snapshot,
}: NamedSnapshot): ReturnType<ControlContext["snapshots"]["list"]>[number] {
  const tables = [...snapshot.tables.tables.values()];
  const rows = tables.reduce((sum, table) => sum + table.rows.size, 0);
  return { name, at: new Date(at).toISOString(), tables: tables.length, rows };
}
