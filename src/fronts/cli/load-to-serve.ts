import { nodeExtras } from "../node/extras.ts";
import { storageFor } from "../../core/emulator/settings.ts";
import type { FixtureSet } from "../../core/fixture-set/fixture-set.ts";
import { loadFixtures } from "../node/load-fixtures.ts";
import { emulatorSettings } from "./emulator-settings.ts";
import { type FixturePlace, isBuiltIn } from "../node/fixture-place.ts";
import { followProgress } from "./follow-progress.ts";
import type { Io } from "./io.ts";
import type { StartFlags } from "./start-options.ts";
import { writeWarnings } from "./write-warnings.ts";

/** What loading goes by. */
export interface LoadContext {
  readonly options: StartFlags;
  readonly io: Io;
  /** Ends the progress bar when it resolves. */
  readonly stopped?: Promise<void>;
}

/**
 * Reads fixtures to serve them. Those that ship are known to be right, so they need not wait for the template library.
 * What was left out of them is told, unless `--log silent` was given.
 */
export async function loadToServe(place: FixturePlace, context: LoadContext): Promise<FixtureSet> {
  const { options, io, ...until } = context;
  const { seed, skipUnsupported = false, log = "pretty" } = options;
  const { onProgress, clear } = followProgress(io, { ...until, hidden: log !== "pretty" });
  const fixtures = await loadFixtures(place.path, {
    cwd: io.cwd,
    checkTemplates: !isBuiltIn(place, io.cwd),
    skipUnsupported,
    storageFor: storageFor(emulatorSettings(options), nodeExtras),
    otherTables: [],
    onProgress,
    ...(seed === undefined ? {} : { seed }),
  }).finally(clear);
  if (log !== "silent") writeWarnings(fixtures.warnings, io);
  return fixtures;
}
