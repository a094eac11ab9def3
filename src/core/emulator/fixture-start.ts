import type { FixtureSet } from "../fixture-set/fixture-set.ts";
import type { EmulatorSettings } from "./options.ts";

/** Fixtures as an emulator begins with them: the options come before what the fixtures' state tells of clock and chance. */
export function fixtureStart(
  fixtures: FixtureSet,
  { seed, clock }: Pick<EmulatorSettings, "seed" | "clock">,
): FixtureSet {
  const { clock: ownClock, random, seed: ownSeed, ...others } = fixtures.state;
  return {
    ...fixtures,
    state: {
      ...others,
      ...(clock === undefined && ownClock !== undefined ? { clock: ownClock } : {}),
      ...(seed === undefined && random !== undefined ? { random } : {}),
      ...(seed === undefined && ownSeed !== undefined ? { seed: ownSeed } : {}),
    },
  };
}
