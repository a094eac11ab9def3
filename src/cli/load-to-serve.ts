import { storageFor } from "../../emulator/settings.ts";
import type { FixtureSet } from "../../fixtures/fixture-set.ts";
import { loadFixtures } from "../../node/load-fixtures.ts";
import { emulatorSettings } from "../emulator-settings.ts";
import { type FixturePlace, isBuiltIn } from "../fixture-place.ts";
import { followProgress } from "../follow-progress.ts";
import type { Io } from "../io.ts";
import { writeWarnings } from "../write-warnings.ts";
import type { ExecFlags } from "./exec-options.ts";

/** Reads fixtures as `start` does. What was left out of them is told, unless `--log silent` was given. */
export async function loadToServe(
  place: FixturePlace,
  options: ExecFlags,
  io: Io,
): Promise<FixtureSet> {
  const { seed, skipUnsupported = false, log } = options;
  const { onProgress, clear } = followProgress(io, {
    hidden: log !== undefined && log !== "pretty",
  });
  const fixtures = await loadFixtures(place.path, {
    cwd: io.cwd,
    checkTemplates: !isBuiltIn(place, io.cwd),
    skipUnsupported,
    storageFor: storageFor(emulatorSettings(options)),
    otherTables: [],
    onProgress,
    ...(seed === undefined ? {} : { seed }),
  }).finally(clear);
  if (log !== "silent") writeWarnings(fixtures.warnings, io);
  return fixtures;
}
