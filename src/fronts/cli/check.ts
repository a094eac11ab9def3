import { Core } from "../../core/emulator/core.ts";
import { nodeExtras } from "../node/extras.ts";
import { storageFor } from "../../core/emulator/settings.ts";
import { emulatorSettings } from "./emulator-settings.ts";
import { loadFixtures } from "../node/load-fixtures.ts";
import { exitCodes } from "./describe-failure.ts";
import { countFixtures, showCounts } from "./fixture-counts.ts";
import { fixturePlace } from "../node/fixture-place.ts";
import { followProgress } from "./follow-progress.ts";
import type { Io } from "./io.ts";
import type { FixtureFlags } from "./start-options.ts";
import { styleFor } from "./style.ts";
import { writeWarnings } from "./write-warnings.ts";

/** What `check` is told. */
export interface CheckOptions extends FixtureFlags {
  readonly fixtures?: string;
}

/** Validates fixtures: what passes here can be served. Rejects with an `EmulatorError` that names every problem. */
export async function check(options: CheckOptions, io: Io): Promise<number> {
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
  // Throws where settings do not fit them.
  void new Core(fixtures, settings, { extras: nodeExtras });
  writeWarnings(fixtures.warnings, io);
  const { green } = styleFor(io.stdout, io.env);
  io.stdout.write(`${green("ok")}  ${place.label}: ${showCounts(countFixtures(fixtures))}\n`);
  return exitCodes.done;
}
