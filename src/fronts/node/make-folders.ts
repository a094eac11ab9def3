import type { Stats } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Creates a folder and its parents. Rejects with the system's error. Not with `mkdir`'s recursive option, which never
 * ends below folders that take no entries, such as those in `/proc`.
 */
export async function makeFolders(path: string): Promise<void> {
  if ((await statOf(path))?.isDirectory() === true) return;
  const parent = dirname(path);
  // For a path within a file, the system reports what is wrong.
  if (parent !== path && (await statOf(parent)) === undefined) await makeFolders(parent);
  await mkdir(path).catch(async (error: unknown) => {
    // Somebody else has created it meanwhile.
    if ((await statOf(path))?.isDirectory() !== true) throw error;
  });
}

function statOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}
