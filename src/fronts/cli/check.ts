import { Core } from "../../core/emulator/core.ts";
import { storageFor } from "../../core/settings/resolve-settings.ts";
import { nodeExtras } from "../node/extras.ts";
import { fixturePlace } from "../node/fixture-place.ts";
import { loadFixtures } from "../node/load-fixtures.ts";
import { exitCodes } from "./failure.ts";
import { countFixtures, showCounts } from "./fixture-counts.ts";
import { fixturesHelp } from "./help-text.ts";
import type { CommandDefinition } from "./command.ts";
import type { Io } from "./io.ts";
import { writeWarnings } from "./load-fixtures.ts";
import { followProgress } from "./progress.ts";
import { emulatorSettings, type FixtureFlags, fixtureOptions } from "./flags.ts";
import { styleFor } from "./terminal.ts";

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
  const { skipUnsupported = false } = options;
  const settings = emulatorSettings(options);
  const { onProgress, clear } = followProgress(io);
  const load = loadFixtures(place.path, {
    cwd: io.cwd,
    skipUnsupported,
    onProgress,
    storageFor: storageFor(settings, nodeExtras),
    warnOfUnreachable: true,
    otherTables: [],
  });
  const fixtures = await load.finally(clear);
  // Throws if settings do not fit the fixtures.
  void new Core(fixtures, settings, { extras: nodeExtras });
  writeWarnings(fixtures.warnings, io);
  const { green } = styleFor(io.stdout, io.env);
  io.stdout.write(`${green("ok")}  ${place.label}: ${showCounts(countFixtures(fixtures))}\n`);
  return exitCodes.done;
}
