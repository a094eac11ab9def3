import { resolve } from "node:path";
import { exportState, refuseUnsayable } from "../emulator/control/export-state.ts";
import type { Core } from "../emulator/core.ts";
import { EmulatorError } from "../errors/emulator-error.ts";
import type { FixturePlace } from "../node/fixture-place.ts";
import { pathBelow } from "./real-path.ts";
import { checkWritable, writeInPlace } from "./write-file.ts";

interface ExportContext {
  readonly core: Core;
  readonly place: FixturePlace;
  readonly cwd: string;
}

/**
 * Gives what writes the base session's state to a file, at once and whole. Rejects with an `EmulatorError` where that
 * could not be done: better now than when the work is over.
 */
export async function prepareExport(
  file: string,
  { core, place, cwd }: ExportContext,
): Promise<() => Promise<void>> {
  const path = resolve(cwd, file);
  if (pathBelow(path, resolve(cwd, place.path)) !== undefined) {
    throw new EmulatorError(
      "ERR_OPTION_INVALID",
      `Cannot write ${JSON.stringify(file)}: it belongs to the fixtures that are served, which are never written to. ` +
        "Name a file elsewhere.",
    );
  }
  await checkWritable({ path, shown: file });
  refuseUnsayable(core.sessions.base);
  return () => writeInPlace({ path, shown: file }, stateText(core));
}

/** The same text that `backlot export` writes. */
async function* stateText({ sessions }: Core): AsyncIterable<string> {
  yield `${JSON.stringify(exportState(sessions.base), undefined, 2)}\n`;
}
