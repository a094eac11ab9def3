import { resolve } from "node:path";
import { EmulatorError } from "../../core/errors/emulator-error.ts";
import { type FixturePlace, fixturePlace } from "../node/fixture-place.ts";
import { pathBelow } from "./real-path.ts";

/** Throws `ERR_OPTION_INVALID` for a file of the fixtures that are served, or in their folder. */
export function refuseFixtures(file: string, place: FixturePlace, cwd: string): void {
  if (pathBelow(resolve(cwd, file), resolve(cwd, place.path)) === undefined) return;
  throw refusal(file, "it belongs to the fixtures that are served, which are never written to");
}

/**
 * Throws `ERR_OPTION_INVALID` for a file in the folder of fixtures that is usual here, which could not be read with it:
 * which fixtures a server elsewhere has nobody knows.
 */
export function refuseFixturesHere(file: string, cwd: string): void {
  const place = fixturePlace(undefined, cwd);
  const below = pathBelow(resolve(cwd, file), resolve(cwd, place.path));
  if (below === undefined || below === "") return;
  throw refusal(
    file,
    `it would be read as a part of the fixtures in ${place.label}, which a whole state is not`,
  );
}

function refusal(file: string, why: string): EmulatorError {
  return new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot write ${JSON.stringify(file)}: ${why}. Name a file elsewhere.`,
  );
}
