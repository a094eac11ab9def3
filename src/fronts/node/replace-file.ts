import { randomUUID } from "node:crypto";
import { close, fchmod, fsync, lstat, open, writeFile } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

/** How a file is replaced. */
export interface ReplaceOptions {
  /** Whether nobody but its owner may read a file that is new, as one with recordings. Default: the user's mask decides. */
  readonly isPrivate?: boolean;
  /** Whether the system has it on the disk before it takes the file's place. Default false. */
  readonly isSynced?: boolean;
  /** Called when all is written and before it takes the file's place. What it throws keeps the file as it is. */
  readonly check?: (() => Promise<void>) | undefined;
}

// Not by promises of node:fs: their file handles take three times as long, and other answers wait meanwhile.
const openFile = promisify(open);
const closeFile = promisify(close);
const changeMode = promisify(fchmod);
const syncFile = promisify(fsync);
const writeTo = promisify(writeFile);
const statLink = promisify(lstat);

/**
 * Writes a file beside the one that may be there, whose mode it keeps, and puts it in that place at once: nobody sees
 * half a file, and a crash leaves at most a hidden one that nothing reads. Rejects with the system's error.
 */
export async function replaceFile(
  path: string,
  pieces: AsyncIterable<string> | Iterable<string>,
  { isPrivate = false, isSynced = false, check }: ReplaceOptions = {},
): Promise<void> {
  const before = await statLink(path).catch(() => undefined);
  const mode = before?.isFile() === true ? before.mode & 0o777 : undefined;
  const temporary = temporaryIn(dirname(path));
  const file = await openNew(temporary, mode ?? (isPrivate ? 0o600 : 0o666));
  try {
    try {
      // The user's mask may have taken some of it.
      if (mode !== undefined) await changeMode(file, mode);
      for await (const piece of pieces) await writeTo(file, piece);
      if (isSynced) await syncFile(file);
    } finally {
      await closeFile(file);
    }
    await check?.();
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Rejects where no file can be made in a folder. */
export async function checkFolder(folder: string): Promise<void> {
  const trial = temporaryIn(folder);
  await closeFile(await openNew(trial, 0o600));
  await rm(trial, { force: true });
}

/** Hidden, so that fixtures are not read with it, and a name for which nobody can have planted a link. */
function temporaryIn(folder: string): string {
  return join(folder, `.backlot-${randomUUID()}.tmp`);
}

/** Opens a file that is not there yet: a link in its place is an error. */
function openNew(path: string, mode: number): Promise<number> {
  return openFile(path, "wx", mode);
}
