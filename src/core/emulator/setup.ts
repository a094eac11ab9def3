import { cassetteSetOf } from "../replay/cassette.ts";
import type { FixtureSet } from "../fixture-set/fixture-set.ts";
import { anySeed, wallClock } from "./environment.ts";
import type { ForeignTables, Extras } from "./extras.ts";
import { fixtureStart } from "./fixture-start.ts";
import type { JournalWatchers } from "./journal/watchers.ts";
import { NamedSnapshots } from "./named-snapshots.ts";
import type { EmulatorSettings } from "./options.ts";
import { refuseReferences } from "./replaced-tables.ts";
import { type Mounts, mountsAt } from "./routes.ts";
import { Session } from "./session.ts";
import { Sessions } from "./sessions.ts";
import { ownKeysOf, type ResolvedSettings, resolveSettings } from "./settings.ts";
import { type Snapshot, State } from "./state.ts";

/** What an emulator starts from and behaves by. It changes as a whole, when fixtures are loaded anew. */
export interface Setup {
  readonly fixtures: FixtureSet;
  readonly settings: ResolvedSettings;
  readonly mounts: Mounts;
  readonly sessions: Sessions;
  readonly snapshots: NamedSnapshots;
  readonly pristine: Snapshot;
}

/** What stays as it is when fixtures are loaded anew. */
export interface SetupContext {
  readonly extras: Extras;
  readonly collections: ForeignTables;
  readonly watchers: JournalWatchers;
  /** Whether there is the base session alone. */
  readonly isAlone: boolean;
}

/** Makes an emulator's setup. Throws when the options do not fit the fixtures. */
export function setUp(
  fixtures: FixtureSet,
  options: EmulatorSettings,
  { extras, collections, watchers, isAlone }: SetupContext,
): Setup {
  const settings = resolveSettings(options, fixtures.settings, extras);
  refuseReferences(fixtures, collections);
  const now = (): number => settings.clock ?? wallClock();
  const state = State.of(fixtureStart(fixtures, options), settings.seed ?? anySeed(), {
    collections,
    storage: settings.restProfile.storage,
    limits: settings.limits,
    now,
  });
  const { journalLimits, maxSessions } = settings;
  const ownKeys = ownKeysOf(settings);
  const sessionOptions = { now, journalLimits, maxSessions, ownKeys, watchers, isAlone };
  const world = { state, models: fixtures.models, cassettes: cassetteSetOf(fixtures) };
  return {
    fixtures,
    settings,
    mounts: mountsAt({ rest: settings.restBasePaths, chat: settings.basePaths }),
    sessions: new Sessions(new Session(undefined, world, sessionOptions), sessionOptions),
    snapshots: new NamedSnapshots(now),
    pristine: state.snapshot(),
  };
}
