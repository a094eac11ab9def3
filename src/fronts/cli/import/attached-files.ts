import { readFile, realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isWithin } from "./other-files.ts";

/**
 * Makes a function that reads files beside a given one, or in WireMock's folder `__files`. It resolves with undefined
 * if the file does not exist.
 */
export function attachedFiles(path: string): (name: string) => Promise<Uint8Array | undefined> {
  const folder = dirname(path);
  const places = [folder, join(folder, "__files"), join(folder, "..", "__files")];
  return async (name) => {
    for (const place of places) {
      const file = resolve(place, name);
      if (!isWithin(file, place)) continue;
      const bytes = await readWithin(file, place);
      if (bytes !== undefined) return bytes;
    }
    return undefined;
  };
}

async function readWithin(file: string, place: string): Promise<Uint8Array | undefined> {
  try {
    // A link may lead out of the folder, so the real path is checked.
    return isWithin(await realpath(file), await realpath(place)) ? await readFile(file) : undefined;
  } catch {
    return undefined;
  }
}
