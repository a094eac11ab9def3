import { cassetteSetOf } from "../recordings/cassette.ts";
import type { FixtureSet } from "../fixture-set/fixture-set.ts";
import { anySeed, clockOf } from "./environment.ts";
import type { GuestTables } from "./sockets/guest-tables.ts";
import type { FixtureFolder } from "./sockets/fixture-folder.ts";
import type { SharedTablesAdvice } from "./sockets/shared-tables.ts";
import type { Observer } from "./observer.ts";
import type { Journals } from "./journal/journal.ts";
import { NamedSnapshots } from "./named-snapshots.ts";
import type { EmulatorSettings } from "../settings/settings.ts";
import { type Mounts, mountsOf } from "./routes.ts";
import { allInterfaces, type Interface } from "../interface.ts";
import { Session, Sessions } from "./session.ts";
import {
  type InterfaceExtras,
  ownKeysOf,
  type ResolvedSettings,
  resolveSettings,
} from "../settings/resolve-settings.ts";
import { type Snapshot, State } from "./state.ts";
import { AddedBudget, sizeOfAdded } from "./added-budget.ts";
import { snapshotAdditions, worldAdditions } from "./additions.ts";
import { RowBudget, sizeOfAll, sizeOfRows } from "../store/row-budget.ts";
import { invalidOption } from "../errors/emulator-error.ts";
import type { TableSchema } from "../store/schema.ts";

/** An emulator's fixtures and behaviour. Replaced as a whole when fixtures are loaded again. */
export interface Setup {
  readonly fixtures: FixtureSet;
  readonly settings: ResolvedSettings;
  readonly mounts: Mounts;
  /** The interface of a service that has no other interface. Undefined: the service has all interfaces. */
  readonly sole: Interface | undefined;
  readonly sessions: Sessions;
  readonly snapshots: NamedSnapshots;
  readonly pristine: Snapshot;
}

/** What stays the same when fixtures are loaded again. */
export interface SetupContext {
  readonly extras: InterfaceExtras;
  readonly guestTables: GuestTables;
  readonly journals: Journals;
  /** Present if the tables are shared, so that only the base session exists. */
  readonly sharing: SharedTablesAdvice | undefined;
  readonly warned: Observer["warned"];
  /** The folder in which control calls write files. Their bytes count against the limit of additions. */
  readonly folder: FixtureFolder | undefined;
}

/** Makes an emulator's setup. Throws when the options do not fit the fixtures. */
export function setUp(
  fixtures: FixtureSet,
  options: EmulatorSettings,
  { extras, guestTables, folder, ...context }: SetupContext,
): Setup {
  const settings = resolveSettings(options, fixtures.settings, extras);
  refuseReferences(fixtures, guestTables);
  const now = clockOf(settings.clock);
  const snapshots = new NamedSnapshots(now, () => budget.release());
  const loaded = (): number =>
    fixtures.tables.reduce((size, { rows }) => size + sizeOfRows(rows), 0);
  const budget = new RowBudget(settings.rowsLimit, loaded, () =>
    sizeOfAll([
      pristine.tables,
      ...[sessions.base, ...sessions.list()].flatMap((session) => session.peekRows()),
      ...snapshots.list().map(({ snapshot }) => snapshot.tables),
    ]),
  );
  const added = new AddedBudget(settings.addedLimit, () => {
    const all = [
      ...[sessions.base, ...sessions.list()].flatMap((session) => session.peekAdditions()),
      ...snapshots.list().map(({ snapshot }) => snapshotAdditions(snapshot)),
    ];
    return sizeOfAdded(all, ofFixtures) + (folder?.writtenBytes() ?? 0);
  });
  const state = State.of(fixtureStart(fixtures, options), settings.seed ?? anySeed(), {
    guestTables,
    storage: settings.tablesProfile.storage,
    limits: settings.limits,
    now,
    budget,
    added,
  });
  const { maxSessions } = settings;
  const journalSize = settings.journal ? settings.journalSize : 0;
  const ownKeys = ownKeysOf(settings);
  const pristine = state.snapshot();
  const sessionOptions = { now, journalSize, maxSessions, ownKeys, pristine, ...context };
  const { models, embeddings } = fixtures;
  const world = { state, models, embeddings, cassettes: cassetteSetOf(fixtures) };
  const ofFixtures = worldAdditions(world);
  const sessions = new Sessions(new Session(undefined, world, sessionOptions), sessionOptions);
  const mounts = mountsOf(settings);
  const sole = allInterfaces.find((one) => one.isSole(settings));
  return { fixtures, settings, mounts, sole, sessions, snapshots, pristine };
}

/** Fixtures as an emulator starts with them: the options for clock and seed win over the fixtures' state. */
export function fixtureStart(
  fixtures: FixtureSet,
  { seed, clock }: Pick<EmulatorSettings, "seed" | "clock">,
): FixtureSet {
  const { clock: _clock, ...withoutClock } = fixtures.state;
  const withClock = clock === undefined ? fixtures.state : withoutClock;
  const { random: _random, seed: _seed, ...withoutRandom } = withClock;
  return { ...fixtures, state: seed === undefined ? withClock : withoutRandom };
}

/** Throws when a fixture table refers to one that a guest table replaces, since nothing would enforce the reference. */
export function refuseReferences({ tables }: FixtureSet, guestTables: GuestTables): void {
  for (const { schema } of tables) {
    if (guestTables.has(schema.name)) continue;
    const target = targetsOf(schema).find((name) => guestTables.has(name));
    if (target === undefined) continue;
    throw invalidOption(
      `Cannot replace the table "${target}" of the fixtures: their table "${schema.name}" refers to it, ` +
        "and nothing would enforce that. Serve it under another name, or remove the reference.",
    );
  }
}

function targetsOf({ columns, foreignKeys = [] }: TableSchema): readonly string[] {
  const single = columns.flatMap(({ references }) => references?.table ?? []);
  return [...single, ...foreignKeys.map(({ to }) => to.table)];
}
