import type { ControlContext, ResetScope } from "../../control/context.ts";
import type { FixtureSet } from "../../fixtures/fixture-set.ts";
import { readScript } from "../../fixtures/read-script.ts";
import { version } from "../../version.ts";
import type { Session } from "../session.ts";
import type { Sessions } from "../sessions.ts";
import type { ResolvedSettings } from "../settings.ts";
import type { Snapshot } from "../state.ts";
import { exportState } from "./export-state.ts";
import { importState } from "./import-state.ts";
import { replaceRows, wireRows } from "./table-rows.ts";

/** What the control API of one session works with. */
export interface ControlSetup {
  readonly fixtures: FixtureSet;
  readonly settings: ResolvedSettings;
  readonly sessions: Sessions;
  readonly pristine: Snapshot;
  /** The time, in milliseconds of Unix time. */
  readonly now: () => number;
}

/** Where a call to the control API comes from, and what it is about. */
export interface ControlCaller {
  readonly session: Session;
  /** Whether it is code of this process, which need not be kept out. */
  readonly inProcess: boolean;
}

/** All that the control API can see and do, in one session. */
export function controlContext(
  { session, inProcess }: ControlCaller,
  setup: ControlSetup,
): ControlContext {
  const { settings, sessions, now } = setup;
  return {
    session: session.id,
    settings: serviceSettings(settings),
    access: { token: settings.controlToken, inProcess, cors: settings.cors },
    reset: (scope) => resetSession(session, setup.pristine, scope),
    tables: {
      names: () => session.state.database.names(),
      rows: (name) => wireRows(session.state, name),
      replace: (name, rows) =>
        replaceRows(session.state, {
          name,
          rows,
          now,
          storage: settings.restProfile.storage,
          dumped: dumpedTables(setup.fixtures),
        }),
    },
    chats: {
      list: () => session.state.scripts.list(),
      add: async (input) => {
        const script = await readScript(input, { defaultName: nextName(session) });
        // Throws for a name that is taken.
        session.state.scripts.add(script);
        return script;
      },
      remove: (name) => session.state.scripts.remove(name),
    },
    journal: { list: () => session.journal.list(), clear: () => session.journal.clear() },
    exportState: () => exportState(session),
    importState: (document) =>
      importState(session, document, { storage: settings.restProfile.storage, now }),
    sessions: {
      list: () => sessions.list().map(sessionEntry),
      remove: (id) => sessions.delete(id),
    },
  };
}

function serviceSettings(settings: ResolvedSettings): ControlContext["settings"] {
  return {
    version,
    profiles: { rest: settings.restProfile.name, chat: settings.chatProfile.name },
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
    lastUsedAt: new Date(session.lastUsedAt).toISOString(),
    requests: session.journal.count,
  };
}
