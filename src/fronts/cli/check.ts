import { Core } from "../../core/emulator/core.ts";
import { nodeExtras } from "../node/extras.ts";
import { fixturePlace } from "../node/fixture-place.ts";
import { exitCodes, type Io } from "./io.ts";
import { styleFor } from "../node/terminal-style.ts";
import { countFixtures, showCounts } from "./ready.ts";
import { fixturesHelp } from "./help-text.ts";
import type { CommandDefinition } from "./command.ts";
import { loadToServe } from "./load-fixtures.ts";
import { emulatorSettings, type FixtureFlags, fixtureOptions } from "./flags.ts";

/** The options of `check`. */
export interface CheckOptions extends FixtureFlags {
  readonly fixtures?: string;
}

export const checkCommand: CommandDefinition = {
  arguments: [["[fixtures]", fixturesHelp]],
  options: fixtureOptions,
  run: checkFixtures,
};

/** Validates fixtures: what passes here can be served. Rejects with an `EmulatorError` that lists every problem. */
export async function checkFixtures(options: CheckOptions, io: Io): Promise<number> {
  const place = fixturePlace(options.fixtures, io.cwd);
  const fixtures = await loadToServe(place, { options, io, warnOfUnreachable: true });
  // Throws if settings do not fit the fixtures.
  void new Core(fixtures, emulatorSettings(options), { extras: nodeExtras });
  const { green } = styleFor(io.stdout, io.env);
  io.stdout.write(`${green("ok")}  ${place.label}: ${showCounts(countFixtures(fixtures))}\n`);
  return exitCodes.done;
}
