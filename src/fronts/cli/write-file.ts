import { constants, existsSync, readlinkSync, realpathSync } from "node:fs";
import { access, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import {
  type EmulatorError,
  invalidOption,
  isEmulatorError,
} from "../../core/errors/emulator-error.ts";
import { type FixturePlace, fixturePlace } from "../node/fixture-place.ts";
import { makeFolders } from "../node/make-folders.ts";
import {
  checkFolder,
  type FileText,
  replaceFile,
  replaceFiles,
  type ReplaceOptions,
} from "../node/replace-file.ts";
import type { Io } from "./io.ts";
import { styleFor } from "../node/terminal-style.ts";

/** A file to write, and how. */
export interface FileWrite extends Pick<ReplaceOptions, "isPrivate" | "check"> {
  readonly path: string;
  /** The file's name in messages. */
  readonly shown: string;
}

/**
 * Writes a file piece by piece beside the existing one and replaces it at the end: nobody sees half a file, and if a
 * piece fails nothing changes. Rejects with `ERR_OPTION_INVALID`.
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

/** Checks whether a file could be written: rejects like `writeInPlace`, and changes nothing. */
export async function checkWritable({ path, shown }: FileWrite): Promise<void> {
  try {
    const target = await targetOf(path, shown);
    if (existsSync(target)) await access(target, constants.W_OK);
    await checkFolder(dirname(target));
  } catch (error) {
    throw isSystemError(error) ? cannotWrite(shown, error) : error;
  }
}

/** Writes files of a fixtures folder, all or none, and creates their folders. Rejects like `writeInPlace`. */
export async function writeFixtureFiles(
  files: readonly { readonly name: string; readonly text: string }[],
  { path, shown, isPrivate }: Omit<FileWrite, "check">,
): Promise<void> {
  let current = shown;
  async function* targets(): AsyncGenerator<FileText> {
    for (const { name, text } of files) {
      current = join(shown, name);
      await makeFolder(dirname(join(path, name)), dirname(current));
      const target = await targetOf(join(path, name), current);
      yield { path: target, text, isPrivate: isPrivate ?? name.startsWith("cassettes/") };
    }
  }
  try {
    await replaceFiles(targets());
  } catch (error) {
    throw isSystemError(error) ? cannotWrite(current, error) : error;
  }
}

async function makeFolder(path: string, shown: string): Promise<void> {
  try {
    await makeFolders(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    // The file exists. Whether it can be written to shows when it is opened.
    if (error.code !== "EEXIST") throw cannotWrite(shown, error);
  }
}

/** The plain file to replace or create. */
async function targetOf(path: string, shown: string): Promise<string> {
  // A link stays a link, even to a file that does not exist yet.
  const target = realPath(path);
  const stats = await stat(target).catch(() => undefined);
  // A folder cannot be replaced, and nobody wants to replace a device or a pipe.
  if (stats !== undefined && !stats.isFile()) {
    throw refusal(shown, stats.isDirectory() ? "it is a folder" : "it is not a plain file");
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
  ["EFBIG", "the file is larger than the system allows"],
]);

/** Why the system refuses to write, in words. */
export function writeReason(error: unknown): string {
  const { code, message = String(error) } = error as Partial<NodeJS.ErrnoException>;
  return reasons.get(code) ?? message;
}

function cannotWrite(shown: string, error: NodeJS.ErrnoException): EmulatorError {
  return refusal(shown, writeReason(error), error);
}

function refusal(shown: string, reason: string, cause?: unknown): EmulatorError {
  return invalidOption(
    `Cannot write ${JSON.stringify(shown)}: ${reason}. Nothing was changed. Name another file.`,
    cause,
  );
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && !isEmulatorError(error);
}

/** The most links that systems follow in a chain. */
const mostLinks = 40;

/** The path without links, even if the file, or a link's target, does not exist yet. */
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

/** The part of a path below another, with links resolved: empty if both are the same. Undefined: it is elsewhere. */
export function pathBelow(path: string, above: string): string | undefined {
  const below = relative(realPath(above), realPath(path));
  const isElsewhere = below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below);
  return isElsewhere ? undefined : below;
}

/** Throws `ERR_OPTION_INVALID` for a file within the served fixtures. */
export function refuseFixtures(file: string, place: FixturePlace, cwd: string): void {
  if (pathBelow(resolve(cwd, file), resolve(cwd, place.path)) === undefined) return;
  throw elsewhere(file, "it belongs to the served fixtures, which are never written to");
}

/**
 * Throws `ERR_OPTION_INVALID` for a file within the default fixtures folder, where it could not be read. The fixtures
 * of a remote server are unknown here.
 */
export function refuseFixturesHere(file: string, cwd: string): void {
  const place = fixturePlace(undefined, cwd);
  const below = pathBelow(resolve(cwd, file), resolve(cwd, place.path));
  if (below === undefined || below === "") return;
  throw elsewhere(
    file,
    `it would be read as part of the fixtures in ${place.label}, but is a whole document`,
  );
}

function elsewhere(file: string, why: string): EmulatorError {
  return invalidOption(`Cannot write ${JSON.stringify(file)}: ${why}. Name a file elsewhere.`);
}

/** Reports what was written to a file. */
export function reportWritten(
  what: string,
  file: string,
  { stderr, env }: Pick<Io, "stderr" | "env">,
): void {
  const { green } = styleFor(stderr, env);
  stderr.write(`${green("wrote")} ${what} to ${file}\n`);
}

/** The reasons that read differently for folders than for files. */
const folderReasons: ReadonlyMap<string | undefined, string> = new Map([
  ["ENOTDIR", "it is not a folder"],
  ["EEXIST", "something else is in the way"],
  ["ENOENT", "a folder cannot be created there"],
]);

/** Why the system refuses to create a folder, in words. */
export function folderReason(error: unknown): string {
  const { code } = error as Partial<NodeJS.ErrnoException>;
  return folderReasons.get(code) ?? writeReason(error);
}
