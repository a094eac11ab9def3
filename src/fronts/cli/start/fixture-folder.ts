import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { FixtureFolder } from "../../../core/emulator/sockets/fixture-folder.ts";
import { EmulatorError } from "../../../core/errors/emulator-error.ts";
import type { JsonObject } from "../../../core/schema/json.ts";
import { withFileLock } from "../../node/file-lock.ts";
import { type FixturePlace, isBuiltIn } from "../../node/fixture-place.ts";
import { makeFolders } from "../../node/make-folders.ts";
import { replaceFile } from "../../node/replace-file.ts";
import { writeReason } from "../write-file.ts";

/** The folder of the user's fixtures. Undefined: they are one file, or built in. */
export function fixtureFolder(place: FixturePlace, cwd: string): FixtureFolder | undefined {
  const location = resolve(cwd, place.path);
  const isFolder = statSync(location, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder || isBuiltIn(place, cwd)) return undefined;
  const written = new Set<string>();
  return {
    label: place.label,
    writtenBytes: () =>
      [...written].reduce(
        (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
        0,
      ),
    write: async (name, text) => {
      const path = join(location, name);
      try {
        await createFile(path, text);
        written.add(path);
      } catch (error) {
        throw cannotKeep(`${place.label}/${name}`, error);
      }
    },
    record: async (har, rules) => {
      const { writeCassettes } = await import("../record/record-journal.ts");
      const [path, shown] = [join(location, "cassettes"), `${place.label}/cassettes`];
      // The same plain JSON that a client of the control API would send.
      const archive = JSON.parse(JSON.stringify(har)) as JsonObject;
      const kept = await writeCassettes(archive, rules, { path, shown });
      for (const file of kept.files) written.add(join(path, basename(file)));
      return kept;
    },
  };
}

/** Creates a file, whole or not at all. Rejects with `isThere` or the system's error. */
async function createFile(path: string, text: string): Promise<void> {
  await makeFolders(dirname(path));
  const refuse = (): void => {
    if (existsSync(path)) throw isThere;
  };
  refuse();
  await withFileLock(path, (keepLock) =>
    replaceFile(path, [text], { check: () => keepLock().then(refuse) }),
  );
}

const isThere = new Error("There is such a file.");

function cannotKeep(shown: string, cause: unknown): EmulatorError {
  const reason =
    cause === isThere
      ? "there is such a file. Give the script another name."
      : `${writeReason(cause)}.`;
  const message = `Cannot write ${JSON.stringify(shown)}: ${reason}`;
  return new EmulatorError("ERR_SCRIPT_REFUSED", message, { cause });
}
