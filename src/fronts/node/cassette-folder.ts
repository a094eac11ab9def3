import { existsSync, readdirSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fixtureSetFrom } from "../../core/emulator/emulator.ts";
import { readJson } from "../../core/fixture-set/json/read-json.ts";
import {
  type NamedCassette,
  type Recording,
  cassetteText,
} from "../../core/recordings/cassette.ts";
import { asObject } from "../../core/schema/json.ts";
import { withFileLock } from "./file-lock.ts";
import { makeFolders } from "./make-folders.ts";
import { othersRecordings } from "./others-recordings.ts";
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

/** A file as this process has last seen it. */
interface SeenFile {
  /** Changes with each write. Undefined: there was no file. */
  readonly stamp: string | undefined;
  /** The cassette that this process has written. Undefined: none. */
  readonly own?: NamedCassette;
  /** The recordings in it that other processes have made. */
  readonly others: readonly Recording[];
}

/**
 * Writes cassettes atomically. Files that are there at the start are written anew, but recordings that other processes
 * add from then on are kept. `failed` is called when a file cannot be written; its next recording tries again.
 */
export function cassetteFolder(
  path: string,
  failed: (file: string, error: unknown) => void,
): CassetteFolder {
  /** The newest cassette for each file that is still to be written. It includes all earlier recordings. */
  const unwritten = new Map<string, NamedCassette>();
  const writing = new Map<string, Promise<void>>();
  const seen = new Map<string, SeenFile>(
    filesIn(path).map((file) => [file, { stamp: stampOf(join(path, file)), others: [] }]),
  );
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

  async function write(file: string, own: NamedCassette): Promise<void> {
    const location = join(path, file);
    try {
      await withFileLock(location, async (check) => {
        const others = await othersIn(location, own, seen.get(file));
        const text = cassetteText({ ...own, recordings: [...own.recordings, ...others] });
        await replaceFile(location, [text], { isPrivate: true, check });
        seen.set(file, { stamp: stampOf(location), own, others });
      });
      if (unwritten.get(file) === own) unwritten.delete(file);
      failing.delete(file);
    } catch (error) {
      if (!failing.has(file)) failed(file, error);
      failing.add(file);
    }
  }

  /**
   * Writes the files again that other processes have changed, since those may have left out what this one had
   * written.
   */
  function restore(): void {
    for (const [file, { own, stamp }] of seen) {
      const now = stampOf(join(path, file));
      if (own !== undefined && now !== undefined && now !== stamp) put(own);
    }
  }

  return {
    put,
    finish: async () => {
      await Promise.all(writing.values());
      for (const cassette of unwritten.values()) put(cassette);
      restore();
      await Promise.all(writing.values());
      return unwritten.size === 0;
    },
    written: () => [...seen].flatMap(([file, { own }]) => (own === undefined ? [] : [file])),
  };
}

/** The recordings of other processes in a file. A file that nobody has changed is not read again. */
async function othersIn(
  location: string,
  own: NamedCassette,
  { stamp, own: written, others }: SeenFile = { stamp: undefined, others: [] },
): Promise<readonly Recording[]> {
  const now = stampOf(location);
  if (now === undefined) return [];
  if (now === stamp) return others;
  const inFile = await readCassette(location, own.name);
  return othersRecordings(inFile, (written ?? own).recordings);
}

/** The recordings in a cassette's file. Rejects if it is not a cassette. */
async function readCassette(location: string, name: string): Promise<readonly Recording[]> {
  const text = await readFile(location, "utf8");
  const { value } = await readJson(text, location.endsWith(".jsonc"));
  const { cassettes } = await fixtureSetFrom({ cassettes: [{ ...asObject(value), name }] }, {});
  return cassettes.flatMap(({ recordings }) => recordings);
}

function filesIn(path: string): readonly string[] {
  return existsSync(path) ? readdirSync(path) : [];
}

/** A text that changes whenever the file is replaced. Undefined: there is no file. */
function stampOf(location: string): string | undefined {
  const stats = statSync(location, { throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.ino} ${stats.mtimeMs} ${stats.size}`;
}

/** A continued cassette keeps its file. */
function fileName(path: string, { name }: NamedCassette): string {
  return existsSync(join(path, `${name}.jsonc`)) ? `${name}.jsonc` : `${name}.json`;
}

/**
 * Adds recordings to the cassettes of a folder. What is there stays, and the same recording is not added twice. Rejects
 * if a file cannot be read or written.
 */
export async function addToCassettes(
  path: string,
  cassettes: readonly NamedCassette[],
): Promise<readonly string[]> {
  await makeFolders(path);
  const files: string[] = [];
  for (const cassette of cassettes) {
    const file = fileName(path, cassette);
    const location = join(path, file);
    await withFileLock(location, async (check) => {
      const before = existsSync(location) ? await readCassette(location, cassette.name) : [];
      const added = othersRecordings(cassette.recordings, before);
      const text = cassetteText({ ...cassette, recordings: [...before, ...added] });
      await replaceFile(location, [text], { isPrivate: true, check });
    });
    files.push(file);
  }
  return files;
}

/** Creates the folder. Rejects if nothing can be written to it. */
export async function prepareFolder(path: string): Promise<void> {
  await makeFolders(path);
  await checkFolder(path);
}
