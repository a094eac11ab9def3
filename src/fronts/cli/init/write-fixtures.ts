import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import {
  type EmulatorError,
  invalidOption,
  isEmulatorError,
} from "../../../core/errors/emulator-error.ts";
import { readFixtureFiles } from "../../../core/fixture-set/read-fixtures.ts";
import { storageFor } from "../../../core/settings/resolve-settings.ts";
import { nodeExtras, readTableFiles } from "../../node/extras.ts";
import { readFixtureTexts } from "../../node/fixture-texts.ts";
import { makeFolders } from "../../node/make-folders.ts";
import { replaceFiles } from "../../node/replace-file.ts";
import { folderReason, realPath } from "../write-file.ts";
import type { Io } from "../io.ts";
import type { ExampleFile } from "./examples.ts";
import { isIncomplete, lookAt } from "./write-once.ts";
import { report } from "./report.ts";

/**
 * Writes the files of an example into a fixtures folder, all or none. Existing files are kept, and files that an interrupted run
 * left incomplete are completed. Rejects, before it writes anything, if the files and the folder's own ones would not
 * load together.
 */
export async function writeFixtures(
  files: readonly ExampleFile[],
  directory: string,
  io: Io,
): Promise<void> {
  const folder = resolve(io.cwd, directory);
  try {
    if (await hasOtherFiles(folder, files)) await refuseMisfit(files, directory, io.cwd);
    const found = [];
    for (const { name, text } of files) {
      const path = join(folder, name);
      const present = hasComments(path) ? "other" : await lookAt(path, text);
      found.push({ name, path, text, present });
    }
    const missing = found.filter(({ present }) => isIncomplete(present));
    for (const { path } of missing) await makeFolders(dirname(path));
    await replaceFiles(missing.map(({ path, text }) => ({ path: realPath(path), text })));
    for (const { name, present } of found) report(join(directory, name), present, io);
  } catch (cause) {
    throw isEmulatorError(cause) ? misfit(directory, cause) : cannotWrite(directory, cause);
  }
}

/** Whether a folder has files that an example does not have, or not in this form. */
export async function hasOtherFiles(
  folder: string,
  files: readonly ExampleFile[],
): Promise<boolean> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const texts = new Map(files.map(({ name, text }) => [join(folder, name), text]));
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory() || entry.name.startsWith(".")) continue;
    const text = texts.get(path);
    if (text === undefined || (await lookAt(path, text)) === "other") return true;
  }
  return false;
}

/** Whether a JSONC file with this part of the fixtures exists already. */
function hasComments(path: string): boolean {
  return path.endsWith(".json") && existsSync(`${path}c`);
}

/** Rejects if the files of an example would not load together with those that a folder has. */
async function refuseMisfit(
  files: readonly ExampleFile[],
  directory: string,
  cwd: string,
): Promise<void> {
  const folder = resolve(cwd, directory);
  const texts = new Map(readFixtureTexts(directory, cwd).files.map((file) => [file.name, file]));
  for (const { name, text } of files) {
    const path = join(folder, name);
    if (hasComments(path) || !isIncomplete(await lookAt(path, text))) continue;
    texts.set(name, { path: join(directory, name), name, text });
  }
  const read = { readTableFiles, storageFor: storageFor({}, nodeExtras) };
  await readFixtureFiles([...texts.values()], { layout: "folder", ...read });
}

function misfit(directory: string, cause: EmulatorError): EmulatorError {
  return invalidOption(
    `Cannot add fixtures to ${JSON.stringify(directory)}: they and the files there would not load together, so nothing ` +
      `was written. Fix what follows, or name another folder: backlot init <dir>.\n${cause.message}`,
    cause,
  );
}

function cannotWrite(directory: string, cause: unknown): EmulatorError {
  return invalidOption(
    `Cannot write fixtures to ${JSON.stringify(directory)}: ${folderReason(cause)}. ` +
      "Fix that and run the command again, or name another folder: backlot init <dir>.",
    cause,
  );
}
