import { existsSync } from "node:fs";
import { join } from "node:path";
import { type NamedCassette, cassetteText } from "../../core/recordings/cassette.ts";
import { makeFolders } from "./make-folders.ts";
import { checkFolder, replaceFile } from "./replace-file.ts";

/** A folder that cassettes are recorded into. */
export interface CassetteFolder {
  /** Writes a cassette, after the write before it is done. */
  readonly put: (cassette: NamedCassette) => void;
  /** Retries failed writes, and resolves when everything is written; with false if something is not. */
  readonly finish: () => Promise<boolean>;
  /** The names of the written files. */
  readonly written: () => readonly string[];
}

/** Writes cassettes atomically. `failed` is called when one cannot be written; its next recording tries again. */
export function cassetteFolder(
  path: string,
  failed: (file: string, error: unknown) => void,
): CassetteFolder {
  /** The newest cassette for each file that is still to be written. It includes all earlier recordings. */
  const unwritten = new Map<string, NamedCassette>();
  const writing = new Map<string, Promise<void>>();
  const written = new Set<string>();
  /** Files whose last write has failed. Only the first failure in a row is reported. */
  const failing = new Set<string>();

  const put = (cassette: NamedCassette): void => {
    const file = fileName(path, cassette);
    unwritten.set(file, cassette);
    if (!writing.has(file)) writing.set(file, writeAll(file));
  };

  async function writeAll(file: string): Promise<void> {
    let tried: NamedCassette | undefined;
    for (;;) {
      const next = unwritten.get(file);
      if (next === undefined || next === tried) break;
      tried = next;
      await write(file, next);
    }
    writing.delete(file);
  }

  async function write(file: string, cassette: NamedCassette): Promise<void> {
    try {
      await replaceFile(join(path, file), [cassetteText(cassette)], { isPrivate: true });
      if (unwritten.get(file) === cassette) unwritten.delete(file);
      written.add(file);
      failing.delete(file);
    } catch (error) {
      if (!failing.has(file)) failed(file, error);
      failing.add(file);
    }
  }

  return {
    put,
    finish: async () => {
      await Promise.all(writing.values());
      for (const cassette of unwritten.values()) put(cassette);
      await Promise.all(writing.values());
      return unwritten.size === 0;
    },
    written: () => [...written],
  };
}

/** A continued cassette keeps its file. */
function fileName(path: string, { name }: NamedCassette): string {
  return existsSync(join(path, `${name}.jsonc`)) ? `${name}.jsonc` : `${name}.json`;
}

/** Creates the folder. Rejects if nothing can be written to it. */
export async function prepareFolder(path: string): Promise<void> {
  await makeFolders(path);
  await checkFolder(path);
}
