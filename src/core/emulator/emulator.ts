import type { FixtureSet } from "../fixture-set/fixture-set.ts";
import { type ChatScripts, chatScripts } from "./chats.ts";
import type { CollectionTables, TablesOf } from "./typed-tables.ts";
import { Core, type CoreOptions } from "./core.ts";
import type { Observer } from "./exchange.ts";
import type { Extras } from "./extras.ts";
import { fetchFrom } from "./fetch.ts";
import { type PlannedFaults, plannedFaults } from "./faults/planned-faults.ts";
import type { EmulatorSettings } from "../fixture-set/settings.ts";
import type { Readers } from "./readers.ts";
import { storageFor } from "./settings.ts";
import type { JournalEntry } from "./journal/entry.ts";
import type { JournalFilter } from "./journal/filter.ts";
import type { Session } from "./session.ts";
import { givenSnapshot, readSessionStart, type SessionOptions } from "./session-options.ts";
import { checkedSessionId } from "./routes.ts";
import type { Snapshot, State } from "./state.ts";
import { tableHandles } from "./tables.ts";

/** What `createEmulator` takes: fixtures and settings. */
export interface EmulatorOptions<
  Fixtures = unknown,
  Collections extends CollectionTables = never,
> extends EmulatorSettings {
  /** A fixture document, or a fixture set that was read before. Default: no tables, models or scripts. */
  readonly fixtures?: Fixtures;
  /**
   * Collections of `@msw/data` that are served as tables, by name, besides those of the fixtures or in place of
   * one of the same name. Changes made by requests show in the collection, and the other way round.
   */
  readonly tables?: Collections;
  /** Told of each exchange once it is over, and of failures that are bugs of the emulator. */
  readonly observer?: Observer;
}

/** The journal, for code that runs beside the emulator. */
export interface RequestJournal {
  /** What was asked and answered, oldest first. Keys are not in it. */
  readonly list: (filter?: JournalFilter) => readonly JournalEntry[];
  readonly clear: () => void;
}

/** One world of an emulator: requests in it see only what was done in it. */
export interface EmulatorSession<Fixtures = unknown, Collections extends CollectionTables = never> {
  /**
   * Answers a request as the service would; arguments and result are those of the global `fetch`. Rejects only
   * when the request's own signal is aborted, or when the arguments make no request.
   */
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>;
  /** The tables by name. */
  readonly tables: TablesOf<Fixtures, Collections>;
  /** The chat scripts. */
  readonly chats: ChatScripts;
  /** The planned faults. */
  readonly faults: PlannedFaults;
  /** What was asked and answered. */
  readonly journal: RequestJournal;
  /**
   * Everything that requests can change, as it is now. The journal is not part of it. With a name the emulator keeps it
   * too, for all its sessions and the control API, in place of one of that name; up to 100, until fixtures are loaded
   * anew. Throws `ERR_OPTION_INVALID`.
   */
  readonly snapshot: (name?: string) => Snapshot;
  /**
   * Goes back to a snapshot of this emulator, of any of its sessions, or to the one of a name. Throws
   * `ERR_OPTION_INVALID`, and changes nothing then.
   */
  readonly restore: (snapshot: Snapshot | string) => void;
  /**
   * Goes back to the fixtures, with an empty journal; in the base session collections go back to the records that they
   * had when the emulator was made or last loaded.
   */
  readonly reset: () => void;
}

/** The snapshots that have a name, for code that runs beside the emulator. */
export interface KeptSnapshots {
  /** Their names, in the order in which they were taken. */
  readonly list: () => readonly string[];
  /** Forgets a snapshot; false when there was none of that name. */
  readonly delete: (name: string) => boolean;
}

/** One emulated service in this process: its base session, and what makes others. */
export interface Emulator<
  Fixtures = unknown,
  Collections extends CollectionTables = never,
> extends EmulatorSession<Fixtures, Collections> {
  /**
   * A session of its own: rows, scripts, counters, random numbers, limits and journal. It begins as the base session is
   * when it is first used, at the same cost whatever the tables hold. Requests name it with the header
   * `x-backlot-session` or a first path segment `/@<id>`. The user's collections are the same in all sessions.
   * With options it begins anew, at once.
   */
  readonly session: (
    id: string,
    options?: SessionOptions,
  ) => EmulatorSession<Fixtures, Collections>;
  /** The snapshots that have a name. */
  readonly snapshots: KeptSnapshots;
  /** For fronts: the call → reply core itself. */
  readonly core: Core;
}

/** Makes an emulator of fixtures that are complete; all fronts begin here. */
export async function emulatorFrom<Fixtures, Collections extends CollectionTables = never>(
  fixtures: FixtureSet,
  settings: EmulatorSettings,
  coreOptions: CoreOptions = {},
): Promise<Emulator<Fixtures, Collections>> {
  // Now, since faults are planned without waiting.
  const { readScript, addFault } = await import("./readers.ts");
  const core = new Core(fixtures, settings, coreOptions);
  const sessionOf = (id: string | undefined): EmulatorSession<Fixtures, Collections> =>
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

/** Looked up for each use, since loading other fixtures begins with no snapshots. */
function snapshotIn(core: Core): (name: string) => Snapshot {
  return (name) => core.snapshots.get(name);
}

/** Looked up for each use: sessions that were not used for long are forgotten, and other fixtures begin new ones. */
function sessionIn<Fixtures, Collections extends CollectionTables>(
  core: Core,
  id: string | undefined,
  readers: Readers,
): EmulatorSession<Fixtures, Collections> {
  const session = (): Session => core.sessions.get(id);
  const owner = {
    get state(): State {
      return session().state;
    },
  };
  return {
    fetch: (input, init) => fetchFrom(core, { session: id, input, init }),
    // The one place where a document's static type meets its tables.
    tables: tableHandles(owner) as TablesOf<Fixtures, Collections>,
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
  /** What the composition root registers. Default: nothing. */
  readonly extras?: Extras;
  /** Tables that are served besides those of the fixtures. Default: none. */
  readonly otherTables?: readonly string[];
}

/** Reads fixtures, whether a document or a set read before. */
export async function fixtureSetFrom(
  fixtures: unknown,
  settings: EmulatorSettings,
  { extras = {}, otherTables = [] }: FixtureContext = {},
): Promise<FixtureSet> {
  if (isFixtureSet(fixtures)) {
    // Whoever read them knew neither the profile nor all tables.
    const storage = storageFor(settings, extras)(fixtures.settings.restProfile);
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
