import type { Stats } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder, and those that it is in, where they are not there yet. Rejects with the system's error. Not by the
 * option of `mkdir`, which never ends where a folder that is there takes none, as those in `/proc` do.
 */
export async function makeFolders(path: string): Promise<void> {
  if ((await statOf(path))?.isDirectory() === true) return;
  const parent = dirname(path);
  // In a file that is there the system says what is wrong.
  if (parent !== path && (await statOf(parent)) === undefined) await makeFolders(parent);
  await mkdir(path).catch(async (error: unknown) => {
    // Somebody else has made it meanwhile.
    if ((await statOf(path))?.isDirectory() !== true) throw error;
  });
}

function statOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}
