import { statSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { FixtureFolder } from "../../../core/emulator/sockets/fixture-folder.ts";
import { EmulatorError } from "../../../core/errors/emulator-error.ts";
import type { JsonObject } from "../../../core/schema/json.ts";
import { type FixturePlace, isBuiltIn } from "../../node/fixture-place.ts";
import { writeReason } from "../write-file.ts";

/** The folder of the user's fixtures. Undefined: they are one file, or built in. */
export function fixtureFolder(place: FixturePlace, cwd: string): FixtureFolder | undefined {
  const location = resolve(cwd, place.path);
  const isFolder = statSync(location, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder || isBuiltIn(place, cwd)) return undefined;
  return {
    label: place.label,
    write: async (name, text) => {
      const path = join(location, name);
      try {
        await mkdir(dirname(path), { recursive: true });
        // The flag makes this fail if the file exists.
        await writeFile(path, text, { flag: "wx" });
      } catch (error) {
        throw cannotKeep(`${place.label}/${name}`, error);
      }
    },
    record: async (har, rules) => {
      const { writeCassettes } = await import("../record/record-journal.ts");
      const [path, shown] = [join(location, "cassettes"), `${place.label}/cassettes`];
      // The same plain JSON that a client of the control API would send.
      const archive = JSON.parse(JSON.stringify(har)) as JsonObject;
      return writeCassettes(archive, rules, { path, shown });
    },
  };
}

function cannotKeep(shown: string, cause: unknown): EmulatorError {
  const isThere = cause instanceof Error && "code" in cause && cause.code === "EEXIST";
  const reason = isThere
    ? "there is such a file. Give the script another name."
    : `${writeReason(cause)}.`;
  const message = `Cannot write ${JSON.stringify(shown)}: ${reason}`;
  return new EmulatorError("ERR_SCRIPT_REFUSED", message, { cause });
}
