import { constants, existsSync, readlinkSync, realpathSync } from "node:fs";
import { access, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { EmulatorError, isEmulatorError } from "../../core/errors/emulator-error.ts";
import { type FixturePlace, fixturePlace } from "../node/fixture-place.ts";
import { makeFolders } from "../node/make-folders.ts";
import { checkFolder, replaceFile, type ReplaceOptions } from "../node/replace-file.ts";
import type { Io } from "./io.ts";
import { styleFor } from "./terminal.ts";

/** Where a text is written to, and how. */
export interface FileWrite extends Pick<ReplaceOptions, "isPrivate" | "check"> {
  readonly path: string;
  /** How messages name it. */
  readonly shown: string;
}

/**
 * Writes a file piece by piece, beside the one that may be there, which it replaces at the end and at once: nobody sees
 * half a file, and when a piece cannot be made nothing has changed. Rejects with `ERR_OPTION_INVALID`.
 */
export async function writeInPlace(
  { path, shown, ...options }: FileWrite,
  pieces: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  try {
    await replaceFile(await targetOf(path, shown), pieces, { isSynced: true, ...options });
  } catch (error) {
    throw isSystemError(error) ? cannotWrite(shown, error) : error;
  }
}

/** Whether a file could be written now: rejects as `writeInPlace` would, and leaves everything as it is. */
export async function checkWritable({ path, shown }: FileWrite): Promise<void> {
  try {
    const target = await targetOf(path, shown);
    if (existsSync(target)) await access(target, constants.W_OK);
    await checkFolder(dirname(target));
  } catch (error) {
    throw isSystemError(error) ? cannotWrite(shown, error) : error;
  }
}

/** Writes files of a fixtures folder, each in place, and makes the folders that they are in. Rejects as `writeInPlace` does. */
export async function writeFixtureFiles(
  files: readonly { readonly name: string; readonly text: string }[],
  { path, shown, isPrivate }: Omit<FileWrite, "check">,
): Promise<void> {
  for (const { name, text } of files) {
    const file = {
      path: join(path, name),
      shown: join(shown, name),
      isPrivate: isPrivate ?? name.startsWith("cassettes/"),
    };
    await makeFolder(dirname(file.path), dirname(file.shown));
    await writeInPlace(file, [text]);
  }
}

async function makeFolder(path: string, shown: string): Promise<void> {
  try {
    await makeFolders(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    // A file of its name: to write into it tells of that.
    if (error.code !== "EEXIST") throw cannotWrite(shown, error);
  }
}

/** The plain file that is there, or is to be made. */
async function targetOf(path: string, shown: string): Promise<string> {
  // A link stays one, to the file that is written, also where that is not there yet.
  const target = realPath(path);
  const stats = await stat(target).catch(() => undefined);
  // A folder cannot be replaced; a device or a pipe could be, and nobody would want that.
  if (stats !== undefined && !stats.isFile()) {
    throw refusal(shown, stats.isDirectory() ? "it is a folder" : "it is no plain file");
  }
  return target;
}

const reasons: ReadonlyMap<string | undefined, string> = new Map([
  ["ENOENT", "there is no such folder"],
  ["ENOTDIR", "its folder is a file"],
  ["EISDIR", "it is a folder"],
  ["EACCES", "access is denied"],
  ["EPERM", "access is denied"],
  ["EROFS", "nothing can be written there"],
  ["ENOSPC", "the disk is full"],
]);

/** Why the system does not write, in words. */
export function writeReason(error: unknown): string {
  const { code, message = String(error) } = error as Partial<NodeJS.ErrnoException>;
  return reasons.get(code) ?? message;
}

function cannotWrite(shown: string, error: NodeJS.ErrnoException): EmulatorError {
  return refusal(shown, writeReason(error), error);
}

function refusal(shown: string, reason: string, cause?: unknown): EmulatorError {
  return new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot write ${JSON.stringify(shown)}: ${reason}. Nothing has changed. Name another file.`,
    { cause },
  );
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && !isEmulatorError(error);
}

/** The most links from one to the next that systems follow. */
const mostLinks = 40;

/** The path without links, also where the file is not there yet, or what a link leads to. */
export function realPath(path: string, links = 0): string {
  if (existsSync(path)) return realpathSync.native(path);
  const folder = dirname(path);
  if (folder === path) return path;
  const next = links < mostLinks ? linkAt(path) : undefined;
  if (next !== undefined) return realPath(resolve(folder, next), links + 1);
  return join(realPath(folder, links), basename(path));
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** What of a path is below another, links aside: empty where both are the same. Undefined: it is elsewhere. */
export function pathBelow(path: string, above: string): string | undefined {
  const below = relative(realPath(above), realPath(path));
  const isElsewhere = below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below);
  return isElsewhere ? undefined : below;
}

/** Throws `ERR_OPTION_INVALID` for a file of the fixtures that are served, or in their folder. */
export function refuseFixtures(file: string, place: FixturePlace, cwd: string): void {
  if (pathBelow(resolve(cwd, file), resolve(cwd, place.path)) === undefined) return;
  throw elsewhere(file, "it belongs to the fixtures that are served, which are never written to");
}

/**
 * Throws `ERR_OPTION_INVALID` for a file in the folder of fixtures that is usual here, which could not be read with it:
 * which fixtures a server elsewhere has nobody knows.
 */
export function refuseFixturesHere(file: string, cwd: string): void {
  const place = fixturePlace(undefined, cwd);
  const below = pathBelow(resolve(cwd, file), resolve(cwd, place.path));
  if (below === undefined || below === "") return;
  throw elsewhere(
    file,
    `it would be read as a part of the fixtures in ${place.label}, which a whole state is not`,
  );
}

function elsewhere(file: string, why: string): EmulatorError {
  return new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot write ${JSON.stringify(file)}: ${why}. Name a file elsewhere.`,
  );
}

/** Tells that the state was written to a file. */
export function tellWritten(file: string, { stderr, env }: Pick<Io, "stderr" | "env">): void {
  const { green } = styleFor(stderr, env);
  stderr.write(`${green("wrote")} the state to ${file}\n`);
}

/** What differs between making folders and writing files. */
const folderReasons: ReadonlyMap<string | undefined, string> = new Map([
  ["ENOTDIR", "it is not a folder"],
  ["EEXIST", "something else is in the way"],
  ["ENOENT", "no folder can be made there"],
]);

/** Why the system makes no folder, in words. */
export function folderReason(error: unknown): string {
  const { code } = error as Partial<NodeJS.ErrnoException>;
  return folderReasons.get(code) ?? writeReason(error);
}
