import type { FixtureSet } from "../fixture-set/fixture-set.ts";
import { type ChatScripts, chatScripts } from "./chats.ts";
import type { AnyTables } from "./typed-tables.ts";
import { Core, type CoreOptions } from "./core.ts";
import type { Observer } from "./observer.ts";
import type { Extras } from "./extras.ts";
import { type Fetch, fetchFrom } from "./fetch.ts";
import { type PlannedFaults, plannedFaults } from "./faults/planned-faults.ts";
import type { EmulatorSettings } from "../settings/settings.ts";
import type { Readers } from "./readers.ts";
import { storageFor } from "../settings/resolve-settings.ts";
import type { JournalEntry } from "./journal/entry.ts";
import type { JournalFilter } from "./journal/filter.ts";
import type { Session } from "./session.ts";
import { givenSnapshot, readSessionStart, type SessionOptions } from "./session-options.ts";
import { checkedSessionId } from "./routes.ts";
import type { Snapshot, State } from "./state.ts";
import { tableHandles } from "./tables.ts";

/** The options of `createEmulator`: fixtures and settings. */
export interface EmulatorOptions<Fixtures = unknown, Given = never> extends EmulatorSettings {
  /** A fixture document, or a loaded fixture set. Default: no tables, models or scripts. */
  readonly fixtures?: Fixtures;
  /**
   * Tables by name whose rows belong to the surrounding program, such as collections. They replace fixture tables of
   * the same name. Changes by requests show in the program and vice versa.
   */
  readonly tables?: Given;
  /** Observes finished exchanges, and failures that are bugs in the emulator. */
  readonly observer?: Observer;
}

/** The journal, for code that runs beside the emulator. */
export interface RequestJournal {
  /** Requests and answers, oldest first. Keys are redacted. */
  readonly list: (filter?: JournalFilter) => readonly JournalEntry[];
  readonly clear: () => void;
}

/**
 * An isolated state of an emulator: its requests see only their own changes. `Tables` are its tables by name, with the
 * types of their rows, wherever they come from.
 */
export interface EmulatorSession<Tables = AnyTables> {
  /**
   * Answers a request as the service would, with the arguments and result of the global `fetch`. Rejects only when
   * the request's signal is aborted, or when the arguments make no request.
   */
  readonly fetch: Fetch;
  /** The tables by name. */
  readonly tables: Tables;
  /** The chat scripts. */
  readonly chats: ChatScripts;
  /** The planned faults. */
  readonly faults: PlannedFaults;
  /** The journal. */
  readonly journal: RequestJournal;
  /**
   * Everything that requests can change, as it is now, without the journal. With a name the emulator keeps the
   * snapshot too, for all sessions and the control API; it replaces one of that name. An emulator keeps up to 100,
   * until fixtures with other tables are loaded. Throws `ERR_OPTION_INVALID`.
   */
  readonly snapshot: (name?: string) => Snapshot;
  /**
   * Restores a snapshot of this emulator, from any session, or the one with a name. Throws `ERR_OPTION_INVALID`, and
   * then changes nothing.
   */
  readonly restore: (snapshot: Snapshot | string) => void;
  /**
   * Resets to the fixtures and empties the journal. In the base session, tables of the program get back the rows that
   * they had when the emulator was made or last loaded.
   */
  readonly reset: () => void;
}

/** The named snapshots, for code that runs beside the emulator. */
export interface KeptSnapshots {
  /** The names of the snapshots, oldest first. */
  readonly list: () => readonly string[];
  /** Removes a snapshot; false when there was none of that name. */
  readonly delete: (name: string) => boolean;
}

/** An emulated service in this process: its base session, and the maker of others. */
export interface Emulator<Tables = AnyTables> extends EmulatorSession<Tables> {
  /**
   * An isolated session: rows, scripts, counters, random numbers, limits and journal. It starts as a copy of the base
   * session on first use, at the same cost whatever the tables hold. Requests name it with the header
   * `x-backlot-session` or a first path segment `/@<id>`. All sessions share the program's own tables. With options
   * the session starts over, at once.
   */
  readonly session: (id: string, options?: SessionOptions) => EmulatorSession<Tables>;
  /** The named snapshots. */
  readonly snapshots: KeptSnapshots;
  /** For fronts: the core, from call to reply. */
  readonly core: Core;
}

/** Makes an emulator of complete fixtures; all fronts start here. */
export async function emulatorFrom<Tables = AnyTables>(
  fixtures: FixtureSet,
  settings: EmulatorSettings,
  coreOptions: CoreOptions = {},
): Promise<Emulator<Tables>> {
  // Load the readers now, since faults are planned synchronously.
  const { readScript, addFault } = await import("./readers.ts");
  const core = new Core(fixtures, settings, coreOptions);
  const sessionOf = (id: string | undefined): EmulatorSession<Tables> =>
    sessionIn(core, id, { readScript, addFault });
  return {
    ...sessionOf(undefined),
    session: (id, options) => {
      const name = checkedSessionId(id);
      if (options !== undefined) {
        core.sessions.begin(name, readSessionStart(options, snapshotIn(core)));
      }
      return sessionOf(name);
    },
    snapshots: {
      list: () => core.snapshots.list().map(({ name }) => name),
      delete: (name) => core.snapshots.delete(name),
    },
    core,
  };
}

/** Looked up for each use, since loading other fixtures removes the snapshots. */
function snapshotIn(core: Core): (name: string) => Snapshot {
  return (name) => core.snapshots.get(name);
}

/** Looked up for each use: unused sessions are dropped, and other fixtures start new ones. */
function sessionIn<Tables>(
  core: Core,
  id: string | undefined,
  readers: Readers,
): EmulatorSession<Tables> {
  const session = (): Session => core.sessions.get(id);
  const owner = {
    get state(): State {
      return session().state;
    },
  };
  return {
    fetch: fetchFrom(core, { session: id }),
    // The one place where the static types of tables meet the tables.
    tables: tableHandles(owner) as Tables,
    chats: chatScripts(owner, readers),
    faults: plannedFaults(owner, readers),
    journal: {
      list: (filter) => session().journal.list(filter),
      clear: () => session().journal.clear(),
    },
    snapshot: (name) =>
      name === undefined
        ? session().snapshot()
        : core.snapshots.keep(name, () => session().snapshot()),
    restore: (snapshot) => session().restore(givenSnapshot(snapshot, snapshotIn(core))),
    reset: () => core.reset(session()),
  };
}

/** What is known of an emulator when its fixtures are read. */
interface FixtureContext {
  /** The registered extras. Default: none. */
  readonly extras?: Extras;
  /** Tables that are served besides those of the fixtures. Default: none. */
  readonly otherTables?: readonly string[];
}

/** Reads fixtures: a document, or a loaded set. */
export async function fixtureSetFrom(
  fixtures: unknown,
  settings: EmulatorSettings,
  { extras = {}, otherTables = [] }: FixtureContext = {},
): Promise<FixtureSet> {
  if (isFixtureSet(fixtures)) {
    // The set may have been read under another profile, and without the names of all tables.
    const storage = storageFor(settings, extras)(fixtures.settings.tablesProfile);
    const set = storage === fixtures.storage ? fixtures : await fixtures.under?.(storage);
    await (set ?? fixtures).checkTables?.(otherTables);
    return set ?? fixtures;
  }
  const { readFixtureDocument } = await import("./readers.ts");
  const { seed } = settings;
  return readFixtureDocument(fixtures ?? {}, {
    ...(seed === undefined ? {} : { seed }),
    storageFor: storageFor(settings, extras),
    otherTables,
  });
}

function isFixtureSet(value: unknown): value is FixtureSet {
  return (
    typeof value === "object" && value !== null && "kind" in value && value.kind === "fixture-set"
  );
}
