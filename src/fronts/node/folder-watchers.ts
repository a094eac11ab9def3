import { type FSWatcher, watch } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { EmulatorError } from "../../core/errors/emulator-error.ts";

/** What is watched over. Any of it may come and go. */
export interface WatchedPlaces {
  readonly folders: readonly string[];
  /** The folder that `child` is in. Only what concerns `child` is noticed there. */
  readonly parent: string;
  readonly child: string;
}

interface Watched {
  readonly watcher: FSWatcher;
  readonly inode: number;
}

/**
 * One `fs.watch` for each of some folders. Folders rather than files: an editor that saves by renaming puts another
 * file in the place of the old. Not recursive, which on Linux walks the whole tree.
 */
export class FolderWatchers {
  readonly #places: WatchedPlaces;
  readonly #noticed: () => void;
  readonly #byPath: Map<string, Watched> = new Map();
  #closed = false;

  constructor(places: WatchedPlaces, noticed: () => void) {
    this.#places = places;
    this.#noticed = noticed;
  }

  /**
   * Watches what is there by now, and anew what was replaced by another of its name. Rejects with
   * `ERR_FIXTURES_UNREADABLE` when the system has no more watchers to give.
   */
  async refresh(): Promise<void> {
    const { folders, parent, child } = this.#places;
    const wanted = new Map<string, string | undefined>(folders.map((path) => [path, undefined]));
    const nearest = await nearestFolder(parent, child);
    wanted.set(nearest.folder, basename(nearest.child));
    const inodes = await inodesOf([...wanted.keys()]);
    if (this.#closed) return;
    for (const [path, { inode }] of this.#byPath) {
      if (inodes.get(path) !== inode) this.#drop(path);
    }
    for (const [path, inode] of inodes) {
      if (!this.#byPath.has(path)) this.#add(path, inode, wanted.get(path));
    }
  }

  close(): void {
    this.#closed = true;
    for (const path of this.#byPath.keys()) this.#drop(path);
  }

  #add(path: string, inode: number, only: string | undefined): void {
    const watcher = tryWatch(path, (name) => {
      if (only === undefined || name === null || name === only) this.#noticed();
    });
    // Gone since it was looked at, which the watcher of its parent tells.
    if (watcher === undefined) return;
    this.#byPath.set(path, { watcher, inode });
    // A watcher may fail when its folder is deleted. The next look finds what came in its place.
    watcher.on("error", () => {
      this.#drop(path);
      this.#noticed();
    });
  }

  #drop(path: string): void {
    this.#byPath.get(path)?.watcher.close();
    this.#byPath.delete(path);
  }
}

/** The nearest folder above that exists, and what to look for in it. */
async function nearestFolder(
  parent: string,
  child: string,
): Promise<{ readonly folder: string; readonly child: string }> {
  const stats = await stat(parent).catch(() => undefined);
  if (stats !== undefined || dirname(parent) === parent) return { folder: parent, child };
  return nearestFolder(dirname(parent), parent);
}

async function inodesOf(paths: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const stats = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)));
  return new Map(
    paths.flatMap((path, index) => {
      const inode = stats[index]?.ino;
      return inode === undefined ? [] : [[path, inode]];
    }),
  );
}

function tryWatch(path: string, noticed: (name: string | null) => void): FSWatcher | undefined {
  try {
    return watch(path, { persistent: false }, (_, name) => noticed(name));
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code !== "ENOSPC" && code !== "EMFILE") return undefined;
    throw new EmulatorError(
      "ERR_FIXTURES_UNREADABLE",
      `Cannot watch ${JSON.stringify(path)}: ${message}. Raise the system's limit, or leave out --watch.`,
      { cause },
    );
  }
}
