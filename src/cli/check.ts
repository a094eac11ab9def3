import { emulatorFrom } from "../emulator/emulator.ts";
import { loadFixtures } from "../node/load-fixtures.ts";
import { exitCodes } from "./describe-failure.ts";
import { countFixtures, showCounts } from "./fixture-counts.ts";
import { fixturePlace } from "./fixture-place.ts";
import type { Io } from "./io.ts";
import { styleFor } from "./style.ts";

/** What `check` is told. */
export interface CheckOptions {
  readonly fixtures?: string;
}

/** Validates fixtures: what passes here can be served. Rejects with an `EmulatorError` that names every problem. */
export async function check(options: CheckOptions, io: Io): Promise<number> {
  const place = fixturePlace(options.fixtures, io.cwd);
  const fixtures = await loadFixtures(place.path, { cwd: io.cwd });
  emulatorFrom(fixtures, {});
  const { green } = styleFor(io.stdout, io.env);
  io.stdout.write(`${green("ok")}  ${place.label}: ${showCounts(countFixtures(fixtures))}\n`);
  return exitCodes.done;
}
