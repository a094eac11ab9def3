import { randomUUID } from "node:crypto";
import { close, fchmod, fsync, lstat, open, writeFile } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

/** How a file is replaced. */
export interface ReplaceOptions {
  /** Whether only the owner may read a new file, for example one with recordings. Default: the user's mask decides. */
  readonly isPrivate?: boolean;
  /**
   * Whether to wait until the system has written the new file to disk, before this replaces the old one. Default:
   * false.
   */
  readonly isSynced?: boolean;
  /** Called when everything is written, before the old file is replaced. If it throws, the old file is kept. */
  readonly check?: (() => Promise<void>) | undefined;
}

// These functions take callbacks: the file handles of `node:fs/promises` take three times as long, and delay other
// answers.
const openFile = promisify(open);
const closeFile = promisify(close);
const changeMode = promisify(fchmod);
const syncFile = promisify(fsync);
const writeTo = promisify(writeFile);
const statLink = promisify(lstat);

/** A file that is whole, and waits beside the one that it will replace. */
interface WrittenBeside {
  /** Takes the place of the old file. Rejects with the system's error. */
  readonly takePlace: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

/**
 * Writes what is to replace a file, with its mode, under a hidden name that nothing reads. Rejects with the system's
 * error, and then leaves nothing behind.
 */
async function writeBeside(
  path: string,
  pieces: AsyncIterable<string> | Iterable<string>,
  { isPrivate = false, isSynced = false }: Omit<ReplaceOptions, "check"> = {},
): Promise<WrittenBeside> {
  const before = await statLink(path).catch(() => undefined);
  const mode = before?.isFile() === true ? before.mode & 0o777 : undefined;
  const temporary = temporaryIn(dirname(path));
  const remove = (): Promise<void> => rm(temporary, { force: true }).catch(() => undefined);
  const file = await openNew(temporary, mode ?? (isPrivate ? 0o600 : 0o666));
  try {
    try {
      // The user's mask may have removed bits of the mode.
      if (mode !== undefined) await changeMode(file, mode);
      for await (const piece of pieces) await writeTo(file, piece);
      if (isSynced) await syncFile(file);
    } finally {
      await closeFile(file);
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return { takePlace: () => rename(temporary, path), remove };
}

/**
 * Replaces a file atomically, and keeps its mode: the new one is written beside it first, so nobody sees half a file,
 * and a crash leaves at most a hidden file that nothing reads. Rejects with the system's error.
 */
export async function replaceFile(
  path: string,
  pieces: AsyncIterable<string> | Iterable<string>,
  { check, ...options }: ReplaceOptions = {},
): Promise<void> {
  const written = await writeBeside(path, pieces, options);
  try {
    await check?.();
    await written.takePlace();
  } catch (error) {
    await written.remove();
    throw error;
  }
}

/** The new text of a file. */
export interface FileText extends Pick<ReplaceOptions, "isPrivate"> {
  readonly path: string;
  readonly text: string;
}

/**
 * Replaces files, all or none: no file takes its place before all are written. Rejects with the system's error, or that
 * of `files`.
 */
export async function replaceFiles(
  files: AsyncIterable<FileText> | Iterable<FileText>,
): Promise<void> {
  const written: WrittenBeside[] = [];
  try {
    for await (const { path, text, isPrivate = false } of files) {
      written.push(await writeBeside(path, [text], { isPrivate, isSynced: true }));
    }
    for (const file of written) await file.takePlace();
  } catch (error) {
    for (const file of written) await file.remove();
    throw error;
  }
}

/** Rejects if no file can be created in a folder. */
export async function checkFolder(folder: string): Promise<void> {
  const trial = temporaryIn(folder);
  await closeFile(await openNew(trial, 0o600));
  await rm(trial, { force: true });
}

/** A hidden name, so that fixtures are not read with it, and a random one, so that nobody can have put a link there. */
function temporaryIn(folder: string): string {
  return join(folder, `.backlot-${randomUUID()}.tmp`);
}

/** Creates a file. Fails if anything, even a link, has its name. */
function openNew(path: string, mode: number): Promise<number> {
  return openFile(path, "wx", mode);
}
