import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder, and those that it is in, where they are not there yet. Rejects with the system's error. Not by the
 * option of `mkdir`, which never ends where a folder that is there takes none, as those in `/proc` do.
 */
export async function makeFolders(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolders(parent);
  await mkdir(path).catch(async (error: unknown) => {
    // Somebody else has made it meanwhile.
    if (!(await isFolder(path))) throw error;
  });
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
