import type { Stats } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Creates a folder and its parents. Rejects with the system's error. `mkdir`'s recursive option is not used: it never
 * ends below folders that accept no entries, such as those in `/proc`.
 */
export async function makeFolders(path: string): Promise<void> {
  if ((await statOf(path))?.isDirectory() === true) return;
  const parent = dirname(path);
  // If the path leads through a file, the system's error says so.
  if (parent !== path && (await statOf(parent)) === undefined) await makeFolders(parent);
  await mkdir(path).catch(async (error: unknown) => {
    // Another program has created the folder in the meantime.
    if ((await statOf(path))?.isDirectory() !== true) throw error;
  });
}

function statOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}
