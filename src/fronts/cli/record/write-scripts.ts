import { type EmulatorError, invalidOption } from "../../../core/errors/emulator-error.ts";
import type { NamedCassette, RecordingRules } from "../../../core/recordings/cassette.ts";
import { loadRecordedFixtures } from "../extras.ts";
import { cassetteFolder } from "../../node/cassette-folder.ts";
import { writeFixtureFiles } from "../write-file.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** Where scripts and tables are written, and the rules of the recording. */
interface ScriptsToWrite {
  readonly rules: RecordingRules;
  readonly path: string;
  /** The folder, as the user wrote it. */
  readonly out: string;
  readonly failed: (error: unknown) => void;
}

/** Milliseconds until a write is tried again. */
const pauseMs = 1_000;

/**
 * Writes the recording as scripts and tables. Since it exists nowhere else, a failure saves it as cassettes in the
 * temporary folder, tells the user, and returns no result. If that fails too, both are tried until one succeeds.
 */
export async function writeScripts(
  cassettes: readonly NamedCassette[],
  { rules, path, out, failed }: ScriptsToWrite,
): Promise<{ files: readonly string[]; remarks: readonly string[] } | undefined> {
  const { toFixtures } = await loadRecordedFixtures();
  const { files, remarks } = toFixtures(cassettes, rules);
  for (let attempt = 0; ; attempt++) {
    try {
      await writeFixtureFiles(files, { path, shown: out, isPrivate: true });
      return { files: files.map(({ name }) => name), remarks };
    } catch (error) {
      const kept = await savedElsewhere(cassettes);
      if (kept !== undefined) {
        failed(failure(error, `What was recorded is kept as cassettes in ${kept}: ${advice}`));
        return undefined;
      }
      if (attempt === 0) failed(failure(error, `${again} Ending now loses the recording.`));
      await delay(pauseMs);
    }
  }
}

const advice = "copy them into the folder cassettes of your fixtures to replay them.";
const again = "Backlot tries again each second: free some space, or make the folder writable.";

/** Saves the cassettes in a temporary folder. Returns the folder, or undefined if that fails, too. */
async function savedElsewhere(cassettes: readonly NamedCassette[]): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "backlot-recording-")).catch(() => undefined);
  if (folder === undefined) return undefined;
  const aside = cassetteFolder(folder, () => undefined);
  for (const cassette of cassettes) aside.put(cassette);
  if (await aside.finish()) return folder;
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  return undefined;
}

function failure(error: unknown, consequence: string): EmulatorError {
  const message = error instanceof Error ? error.message : String(error);
  const [reason = ""] = message.split(" Nothing was changed.");
  return invalidOption(`${reason} ${consequence}`, error);
}
