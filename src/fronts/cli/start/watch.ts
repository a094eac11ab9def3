import { setImmediate as immediate } from "node:timers/promises";
import type { FixtureFolder } from "../../../core/emulator/sockets/fixture-folder.ts";
import type { Core } from "../../../core/emulator/core.ts";
import type { FixtureSet } from "../../../core/fixture-set/fixture-set.ts";
import { countFixtures } from "../ready.ts";
import type { FixturePlace } from "../../node/fixture-place.ts";
import { watchFixtures } from "../../node/watch-fixtures.ts";
import { fixtureFolder } from "./fixture-folder.ts";
import type { Log } from "../log.ts";

interface ReloadSetup {
  readonly core: Core;
  readonly place: FixturePlace;
  /** Reads the fixtures from disk, until the signal is aborted. */
  readonly load: (signal: AbortSignal) => Promise<FixtureSet>;
  readonly log: Log;
}

/** The parts of the fixtures that no longer exist. Ignores rows. */
function goneFrom(before: FixtureSet, now: FixtureSet): readonly string[] {
  return namedParts.flatMap(([noun, namesOf]) => {
    const there = new Set(namesOf(now));
    const gone = namesOf(before).filter((name) => !there.has(name));
    return gone.map((name) => `${noun} ${JSON.stringify(name)}`);
  });
}

type NamesOf = (fixtures: FixtureSet) => readonly string[];

const namedParts: readonly (readonly [noun: string, namesOf: NamesOf])[] = [
  ["table", ({ tables }) => tables.map(({ schema }) => schema.name)],
  ["model", ({ models }) => models.map(({ id }) => id)],
  ["script", ({ scripts }) => scripts.map(({ name }) => name)],
  ["cassette", ({ cassettes }) => cassettes.map(({ name }) => name)],
];

type Reload = (signal: AbortSignal) => Promise<void>;

/**
 * Makes the function that reloads fixtures. Broken fixtures are reported and change nothing. Fixtures that have
 * changed again since are neither used nor reported.
 */
function reloader({ core, place, load, log }: ReloadSetup): Reload {
  let recovered = false;
  return async (signal) => {
    try {
      const fixtures = await load(signal);
      // Let an abort arrive that was sent while rows were loaded: these fixtures are then not needed.
      await immediate();
      if (signal.aborted) return;
      const gone = goneFrom(core.fixtures, fixtures);
      core.load(fixtures);
      log.reloaded({ fixtures: place.label, counts: countFixtures(fixtures), recovered, gone });
      recovered = false;
    } catch (error) {
      if (signal.aborted) return;
      recovered = true;
      core.refuseFixtures(error);
      log.refused(place.label, error);
    }
  };
}

/** Watches the fixtures of a server. */
export interface Changes {
  /** Starts reloading after changes, including those since the watch began. */
  readonly connect: (setup: ReloadSetup) => void;
  /** The folder that scripts can be written to. Undefined: the fixtures are not a folder. */
  readonly folder: FixtureFolder | undefined;
  readonly close: () => void;
}

/** Starts before the fixtures are first read, so that no change is missed. */
export async function followChanges(
  place: FixturePlace,
  { cwd, log }: { readonly cwd: string; readonly log: Log },
): Promise<Changes> {
  let connect: Changes["connect"] | undefined;
  const reload = new Promise<Reload>((resolve) => {
    connect = (setup) => resolve(reloader(setup));
  });
  const changed = async (signal: AbortSignal): Promise<void> => (await reload)(signal);
  const { close } = await watchFixtures(place.path, changed, { cwd, failed: log.failed });
  return { connect: (setup) => connect?.(setup), folder: fixtureFolder(place, cwd), close };
}
