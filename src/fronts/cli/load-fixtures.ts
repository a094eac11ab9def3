import { storageFor } from "../../core/settings/resolve-settings.ts";
import type { Problem } from "../../core/errors/emulator-error.ts";
import type { FixtureSet } from "../../core/fixture-set/fixture-set.ts";
import { nodeExtras } from "../node/extras.ts";
import { type FixturePlace, isBuiltIn } from "../node/fixture-place.ts";
import { loadFixtures, type LoadOptions } from "../node/load-fixtures.ts";
import { emulatorSettings, recordingRules } from "./flags.ts";
import type { Io } from "./io.ts";
import { styleFor } from "../node/terminal-style.ts";
import { followProgress } from "./progress.ts";
import type { StartFlags } from "./flags.ts";

export interface LoadContext extends Pick<LoadOptions, "warnOfUnreachable" | "signal"> {
  readonly options: StartFlags;
  readonly io: Io;
}

/**
 * Reads fixtures to serve them. The built-in set is known to be valid, so its templates are not checked. Reports what
 * was left out, unless `--log silent` was given.
 */
export async function loadToServe(
  place: FixturePlace,
  { options, io, warnOfUnreachable = false, signal }: LoadContext,
): Promise<FixtureSet> {
  const { seed, skipUnsupported = false, log = "pretty" } = options;
  const { onProgress, clear } = followProgress(io, { hidden: log !== "pretty", signal });
  const fixtures = await loadFixtures(place.path, {
    cwd: io.cwd,
    checkTemplates: !isBuiltIn(place, io.cwd),
    skipUnsupported,
    storageFor: storageFor(emulatorSettings(options), nodeExtras),
    otherTables: [],
    warnOfUnreachable,
    warnOfSlow: true,
    onProgress,
    ...(signal === undefined ? {} : { signal }),
    ...(seed === undefined ? {} : { seed }),
  }).finally(clear);
  if (log !== "silent") writeWarnings(fixtures.warnings, io);
  return { ...fixtures, recording: recordingRules(fixtures.recording, options) };
}

/** Reports what was left out of the fixtures, one line each, separate from the command's own output. */
export function writeWarnings(warnings: readonly Problem[], io: Pick<Io, "stderr" | "env">): void {
  const { yellow } = styleFor(io.stderr, io.env);
  for (const { file, line, column = 1, message } of warnings) {
    const at = line === undefined ? "" : `:${line}:${column}`;
    const place = file === undefined ? "" : `${file}${at}: `;
    io.stderr.write(`${yellow("warning:")} ${place}${message}\n`);
  }
}
