import { resolve } from "node:path";
import {
  exportState,
  profilesOf,
  refuseInexpressible,
} from "../../../core/emulator/state/export-state.ts";
import { jsonFilePieces } from "../../../core/http/json-pieces.ts";
import type { Core } from "../../../core/emulator/core.ts";
import type { FixturePlace } from "../../node/fixture-place.ts";
import { checkWritable, refuseFixtures, writeInPlace } from "../write-file.ts";

interface ExportContext {
  readonly core: Core;
  readonly place: FixturePlace;
  readonly cwd: string;
}

/**
 * Returns a function that writes the base session's state to a file atomically. Rejects with an `EmulatorError` if the
 * file cannot be written, so that this is known before the work is done.
 */
export async function prepareExport(
  file: string,
  { core, place, cwd }: ExportContext,
): Promise<() => Promise<void>> {
  const path = resolve(cwd, file);
  refuseFixtures(file, place, cwd);
  await checkWritable({ path, shown: file });
  refuseInexpressible(core.sessions.base);
  return () => {
    const { sessions, settings } = core;
    const state = exportState(sessions.base, profilesOf(settings));
    // The same text that `backlot export` writes.
    return writeInPlace({ path, shown: file, isPrivate: true }, jsonFilePieces(state));
  };
}
