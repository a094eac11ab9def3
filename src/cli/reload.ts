import type { Core } from "../emulator/core.ts";
import type { FixtureSet } from "../fixtures/fixture-set.ts";
import { countFixtures } from "./fixture-counts.ts";
import type { FixturePlace } from "../node/fixture-place.ts";
import type { Log } from "./log.ts";

/** What a reload needs. */
export interface ReloadSetup {
  readonly core: Core;
  readonly place: FixturePlace;
  /** Reads the fixtures from disk. */
  readonly load: () => Promise<FixtureSet>;
  readonly log: Log;
}

/**
 * A function that loads the fixtures anew. Broken ones change nothing and are told of. Calls during a load make for
 * one more load after it, so the last state on the disk is always the one that counts.
 */
export function reloader(setup: ReloadSetup): () => void {
  let recovered = false;
  let loading = false;
  let again = false;
  async function loadOnce(): Promise<void> {
    const { core, place, load, log } = setup;
    try {
      const fixtures = await load();
      core.load(fixtures);
      log.reloaded({ fixtures: place.label, counts: countFixtures(fixtures), recovered });
      recovered = false;
    } catch (error) {
      recovered = true;
      log.refused(place.label, error);
    }
  }
  async function loadUntilQuiet(): Promise<void> {
    loading = true;
    do {
      again = false;
      await loadOnce();
    } while (again);
    loading = false;
  }
  return () => {
    again = true;
    if (!loading) void loadUntilQuiet();
  };
}
