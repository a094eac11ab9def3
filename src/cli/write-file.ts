import { open, realpath, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { EmulatorError, isEmulatorError } from "../errors/emulator-error.ts";

/** Where a text is written to. */
export interface FileWrite {
  readonly path: string;
  /** How messages name it. */
  readonly shown: string;
  /** Called when all is written and before it takes the file's place. What it throws keeps the file as it is. */
  readonly check?: () => Promise<void>;
}

/**
 * Writes a file piece by piece, beside the one that may be there, which it replaces at the end and at once: nobody sees
 * half a file, and when a piece cannot be made nothing has changed. Rejects with `ERR_OPTION_INVALID`.
 */
export async function writeInPlace(
  { path, shown, check }: FileWrite,
  pieces: AsyncIterable<string>,
): Promise<void> {
  try {
    // A link stays one, to the file that is written.
    const target = await realpath(path).catch(() => path);
    const mode = await stat(target).then(
      (stats) => stats.mode & 0o777,
      () => 0o666,
    );
    // Hidden, so that fixtures are not read with it.
    const temporary = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
    const file = await open(temporary, "w", mode);
    try {
      await writeAll(file, pieces);
      await check?.();
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  } catch (error) {
    throw isSystemError(error) ? cannotWrite(shown, error) : error;
  }
}

async function writeAll(file: FileHandle, pieces: AsyncIterable<string>): Promise<void> {
  try {
    for await (const piece of pieces) await file.writeFile(piece);
    await file.sync();
  } finally {
    await file.close();
  }
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

function cannotWrite(shown: string, error: NodeJS.ErrnoException): EmulatorError {
  const reason = reasons.get(error.code) ?? error.message;
  return new EmulatorError(
    "ERR_OPTION_INVALID",
    `Cannot write ${JSON.stringify(shown)}: ${reason}. Nothing has changed. Name another file.`,
    { cause: error },
  );
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && !isEmulatorError(error);
}
