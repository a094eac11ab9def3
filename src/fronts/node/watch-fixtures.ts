import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { type FSWatcher, watch } from "chokidar";
import { EmulatorError, isEmulatorError } from "../../core/errors/emulator-error.ts";
import { readFixtureTexts, subfolders } from "./fixture-texts.ts";

/** How a watch behaves. */
export interface WatchOptions {
  /** Milliseconds of quiet before the files are read. Default: 50. */
  readonly quietMs?: number;
  /** Milliseconds to wait for vanished files, which a copy may be about to restore. Default: 500. */
  readonly goneQuietMs?: number;
  /** The base of relative paths. Default: the process's working directory. */
  readonly cwd?: string;
  /** Called when the system no longer lets everything be watched. */
  readonly failed?: (error: unknown) => void;
}

/** A running watch. */
export interface FixtureWatch {
  /** Stops watching. No callback is called after that. */
  readonly close: () => void;
}

/** How long a steady flow of changes can delay a reload, in milliseconds. */
const longestWaitMs = 1_000;

/**
 * How often a new watcher is started right away because folders changed while the last one started. After that, a
 * timer decides.
 */
const mostRounds = 10;

/**
 * Calls `changed` whenever the contents of a fixtures file or folder have changed, also when it vanishes or comes back.
 * Resolves once it watches. Changes that leave the contents as they were, such as a touch, are ignored. If `changed`
 * returns a promise, the next call waits for it, so that the last call always sees the latest state; its signal is
 * aborted when the contents change again, and when the watch is closed. Rejects with
 * `ERR_FIXTURES_UNREADABLE` when the system has no more watchers.
 */
export async function watchFixtures(
  path: string | URL,
  changed: (signal: AbortSignal) => unknown,
  options: WatchOptions = {},
): Promise<FixtureWatch> {
  const { cwd = process.cwd(), quietMs = 50, goneQuietMs = 500 } = options;
  const { failed = () => undefined } = options;
  const target = typeof path === "string" ? path : fileURLToPath(path);
  const location = resolve(cwd, target);
  let timer: NodeJS.Timeout | undefined;
  /** When the first unprocessed event arrived. */
  let since: number | undefined;
  let awaitsFiles = false;
  let isLooking = false;
  /** Whether there were events while the contents were being read. */
  let isStale = false;
  let isClosed = false;
  const place = await WatchedPlace.at(location, noticed);
  const known = new KnownContents(target, cwd);
  if (await place.hasChanged()) noticed();

  /** Waits for a pause: an editor causes several events per save, and leaves files half written for a moment. */
  function noticed(): void {
    if (isClosed) return;
    since ??= performance.now();
    const quiet = awaitsFiles ? goneQuietMs : quietMs;
    const left = since + Math.max(longestWaitMs, quiet) - performance.now();
    clearTimeout(timer);
    timer = setTimeout(() => void look(), Math.min(quiet, left));
  }

  async function look(): Promise<void> {
    since = undefined;
    if (isLooking) {
      isStale = true;
      return known.endIfOutdated();
    }
    isLooking = true;
    isStale = false;
    // Done before reading, so that later changes in a new folder are noticed.
    const isFollowed = await place.follow().catch(failed);
    if (isFollowed === false) noticed();
    if (!isClosed) await compare();
    isLooking = false;
    if (isStale) noticed();
  }

  async function compare(): Promise<void> {
    const now = known.look();
    awaitsFiles = !awaitsFiles && known.lackFilesOf(now);
    if (awaitsFiles) return noticed();
    await known.become(now, changed);
  }

  return {
    close: () => {
      isClosed = true;
      known.end();
      clearTimeout(timer);
      void place.close();
    },
  };
}

/** The contents that were last given to be read. */
class KnownContents {
  readonly #target: string;
  readonly #cwd: string;
  /** Undefined: whatever is there is new. */
  #content: string | undefined;
  #names: ReadonlySet<string> | undefined;
  #reading: AbortController | undefined;

  constructor(target: string, cwd: string) {
    this.#target = target;
    this.#cwd = cwd;
    const { content, names } = this.look();
    this.#content = content;
    this.#names = names;
  }

  /** The contents as they are now. */
  look(): Contents {
    return contentOf(this.#target, this.#cwd);
  }

  /** Whether files are gone that were there. */
  lackFilesOf({ names }: Contents): boolean {
    return [...(this.#names ?? [])].some((name) => names?.has(name) === false);
  }

  /** Gives contents to be read, unless they are the same. Resolves when that has ended. */
  async become(now: Contents, read: (signal: AbortSignal) => unknown): Promise<void> {
    this.#names = now.names ?? this.#names;
    if (now.content === this.#content) return;
    this.#content = now.content;
    this.#reading = new AbortController();
    await read(this.#reading.signal);
    this.#reading = undefined;
  }

  /** Ends the reading of contents that have changed since. */
  endIfOutdated(): void {
    if (this.#reading === undefined || this.look().content === this.#content) return;
    this.#content = undefined;
    this.#reading.abort();
  }

  end(): void {
    this.#reading?.abort();
  }
}

/**
 * Watches a location and the folders around it. A watcher stays with the folders that it found, so it is replaced when
 * they change.
 */
class WatchedPlace {
  readonly #location: string;
  readonly #noticed: () => void;
  #folders: string;
  #watcher: FSWatcher;
  #isClosed = false;

  private constructor(location: string, noticed: () => void, folders: string, watcher: FSWatcher) {
    this.#location = location;
    this.#noticed = noticed;
    this.#folders = folders;
    this.#watcher = watcher;
  }

  /** Resolves once the place is watched. */
  static async at(location: string, noticed: () => void): Promise<WatchedPlace> {
    const folders = await foldersOf(location);
    return new WatchedPlace(location, noticed, folders, await watchPlace(location, noticed));
  }

  /** Whether the folders at the location are not the ones that are watched. */
  async hasChanged(): Promise<boolean> {
    return !this.#isClosed && (await foldersOf(this.#location)) !== this.#folders;
  }

  /**
   * Watches the current folders. Checks them again afterwards, since a watcher does not report folders that are created
   * while it starts. Returns false if they keep changing.
   */
  async follow(): Promise<boolean> {
    for (let round = 0; round < mostRounds; round += 1) {
      const folders = await foldersOf(this.#location);
      if (this.#isClosed || folders === this.#folders) return true;
      const before = this.#watcher;
      this.#watcher = await watchPlace(this.#location, this.#noticed);
      this.#folders = folders;
      await before.close();
      if (this.#isClosed) await this.#watcher.close();
    }
    return false;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#watcher.close();
  }
}

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

/**
 * A text that identifies the folders to watch, and differs if a folder is replaced by another one with the same name.
 */
async function foldersOf(location: string): Promise<string> {
  const above = nearestFolder(dirname(location));
  const folders = [above, location, ...subfolders.map((name) => join(location, name))];
  const stats = await Promise.all(folders.map((path) => stat(path).catch(() => undefined)));
  return [above, ...stats.map((one) => one?.ino ?? "none")].join(" ");
}

/** Watches the files of a location, and its nearest existing parent folder, but not what else lies there. */
async function watchPlace(location: string, noticed: () => void): Promise<FSWatcher> {
  const parents = [location, ...subfolders.map((name) => join(location, name))];
  const isWatched = (path: string): boolean =>
    path === location || location.startsWith(join(path, sep)) || parents.includes(dirname(path));
  // For a missing path, chokidar reports that it is ready too early, so only existing paths are passed.
  const places = [nearestFolder(dirname(location)), location].filter((path) => existsSync(path));
  const watcher = watch(places, {
    ignored: (path) => !isWatched(resolve(path)),
    atomic: false,
    ignoreInitial: true,
    persistent: false,
  });
  const isReady = new Promise<void>((ready, reject) => {
    watcher
      .on("all", noticed)
      // chokidar has no event for a file or folder that replaces another.
      .on("raw", (_, name, details) => {
        const { watchedPath } = details as { readonly watchedPath?: string };
        const isBeside = watchedPath === dirname(location) && name !== basename(location);
        if (!isBeside) noticed();
      })
      .on("error", reject)
      .on("ready", ready);
  });
  try {
    await isReady;
    return watcher;
  } catch (error) {
    await watcher.close();
    throw cannotWatch(location, error);
  }
}

function cannotWatch(path: string, cause: unknown): EmulatorError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new EmulatorError(
    "ERR_FIXTURES_UNREADABLE",
    `Cannot watch ${JSON.stringify(path)}: ${reason}. Raise the system's limit, or leave out --watch.`,
    { cause },
  );
}

/** Contents: a digest, or why they are unreadable; and the names of the files, if known. */
interface Contents {
  readonly content: string;
  readonly names: ReadonlySet<string> | undefined;
}

/** The contents as a reload would see them. */
function contentOf(target: string, cwd: string): Contents {
  try {
    const { layout, files } = readFixtureTexts(target, cwd);
    const hash = createHash("sha256").update(layout);
    for (const { name, text, bytes } of files.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      hash.update(JSON.stringify([name, text.length])).update(bytes ?? text);
    }
    return { content: hash.digest("hex"), names: new Set(files.map(({ name }) => name)) };
  } catch (error) {
    const content = isEmulatorError(error) ? error.message : String(error);
    return { content, names: isMissing(error) ? new Set() : undefined };
  }
}

/** Whether the error means that the location is missing, or that a file vanished while it was read. */
function isMissing(error: unknown): boolean {
  const cause = isEmulatorError(error) ? error.cause : error;
  return cause instanceof Error && "code" in cause && cause.code === "ENOENT";
}
