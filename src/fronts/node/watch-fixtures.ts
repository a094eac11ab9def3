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
  /** How long it must be quiet before the files are looked at, in milliseconds. Default 50. */
  readonly quietMs?: number;
  /** As long as that where files went, which a copy may be about to bring back. Default 500. */
  readonly goneQuietMs?: number;
  /** What relative paths start from. Default: the process's working directory. */
  readonly cwd?: string;
  /** Told when the system does not let it go on watching everything. */
  readonly failed?: (error: unknown) => void;
}

/** A watch that is running. */
export interface FixtureWatch {
  /** Stops it. Nothing is called any more. */
  readonly close: () => void;
}

/** The longest that changes which never pause are left waiting, in milliseconds. */
const longestWaitMs = 1_000;

/**
 * Calls `changed` whenever the contents of a fixtures file or folder have changed, also when it vanishes or
 * comes back. Resolves once it watches. Events that change nothing, such as a touch, are not passed on. A promise of
 * `changed` is waited for, so that the state on the disk of which it is told last is the one that counts.
 */
export async function watchFixtures(
  path: string | URL,
  changed: () => unknown,
  options: WatchOptions = {},
): Promise<FixtureWatch> {
  const { cwd = process.cwd(), quietMs = 50, goneQuietMs = 500 } = options;
  const { failed = () => undefined } = options;
  const target = typeof path === "string" ? path : fileURLToPath(path);
  const started = new Watch({ target, cwd, quietMs, goneQuietMs, changed, failed });
  await started.start();
  return { close: () => started.close() };
}

interface WatchSetup {
  readonly target: string;
  readonly cwd: string;
  readonly quietMs: number;
  readonly goneQuietMs: number;
  readonly changed: () => unknown;
  readonly failed: (error: unknown) => void;
}

/** What a load would see. */
interface Seen {
  /** A digest of it, or why it cannot be read. */
  readonly content: string;
  /** The names of the files; undefined where they could not be read. */
  readonly names: ReadonlySet<string> | undefined;
}

class Watch {
  readonly #setup: WatchSetup;
  readonly #location: string;
  /** The folders that are read, if the location is one. */
  readonly #folders: readonly string[];
  #watcher: FSWatcher | undefined;
  /** Which folders and files the watcher is on. */
  #watched = "";
  /** What was there when it was last told of. */
  #content = "";
  #names: ReadonlySet<string> = new Set();
  /** Whether files were gone when it was last looked, and it is waited whether they come back. */
  #misses = false;
  #timer: NodeJS.Timeout | undefined;
  /** When the first of the events came that have not been looked into; 0 when there are none. */
  #since = 0;
  #looking = false;
  #closed = false;

  constructor(setup: WatchSetup) {
    this.#setup = setup;
    const location = resolve(setup.cwd, setup.target);
    this.#location = location;
    this.#folders = [location, ...subfolders.map((name) => join(location, name))];
  }

  /** Rejects with `ERR_FIXTURES_UNREADABLE` when the system has no more watchers to give. */
  async start(): Promise<void> {
    await this.#watch();
    this.#keep(this.#read());
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    void this.#watcher?.close();
  }

  /** Waits for a pause: an editor that saves makes several events, and files that are half written. */
  #noticed(): void {
    if (this.#closed) return;
    const now = performance.now();
    if (this.#since === 0) this.#since = now;
    const { quietMs, goneQuietMs } = this.#setup;
    const quiet = this.#misses ? goneQuietMs : quietMs;
    const most = Math.max(0, Math.max(longestWaitMs, quiet) - (now - this.#since));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), Math.min(quiet, most));
  }

  /**
   * Watches what is there by now. A watcher stays on the folder that it found: what has been removed or replaced by
   * another of its name since needs a new one.
   */
  async #watch(): Promise<void> {
    const above = nearestFolder(dirname(this.#location));
    const identities = await Promise.all([above, ...this.#folders].map(identityOf));
    const watched = identities.join(" ");
    if (this.#closed || watched === this.#watched) return;
    this.#watched = watched;
    const before = this.#watcher;
    const watcher = watch([above, this.#location], {
      ignored: (path) => !this.#isWatched(resolve(path)),
      atomic: false,
      ignoreInitial: true,
      persistent: false,
    });
    this.#watcher = watcher;
    await new Promise<void>((ready, reject) => {
      watcher
        .on("all", () => this.#noticed())
        // A file that takes the place of another is no event of its own.
        .on("raw", (_, name, details) => this.#noticedRaw(name, details))
        .on("error", (error) => reject(cannotWatch(this.#setup.target, error)))
        .on("ready", ready);
    });
    await before?.close();
  }

  /** Only these, and not what else lies beside them. */
  #isWatched(path: string): boolean {
    const isAbove = this.#location.startsWith(join(path, sep));
    return isAbove || path === this.#location || this.#folders.includes(dirname(path));
  }

  #noticedRaw(name: string, details: unknown): void {
    const { watchedPath } = details as { readonly watchedPath?: string };
    const isBeside = watchedPath === dirname(this.#location) && name !== basename(this.#location);
    if (!isBeside) this.#noticed();
  }

  async #look(): Promise<void> {
    this.#since = 0;
    if (this.#looking) return this.#noticed();
    this.#looking = true;
    // First: what comes into a new folder from then on is noticed.
    await this.#watch().catch(this.#setup.failed);
    await this.#compare(this.#read());
    this.#looking = false;
  }

  async #compare(seen: Seen): Promise<void> {
    if (this.#closed) void this.#watcher?.close();
    const misses = !this.#misses && this.#lacksFiles(seen);
    this.#misses = misses;
    if (this.#closed || seen.content === this.#content) return;
    if (misses) return this.#noticed();
    this.#keep(seen);
    await this.#setup.changed();
  }

  #keep({ content, names }: Seen): void {
    this.#content = content;
    if (names !== undefined) this.#names = names;
  }

  #lacksFiles({ names }: Seen): boolean {
    return names !== undefined && [...this.#names].some((name) => !names.has(name));
  }

  #read(): Seen {
    try {
      const { layout, files } = readFixtureTexts(this.#setup.target, this.#setup.cwd);
      const hash = createHash("sha256").update(layout);
      for (const { name, text } of files.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
        hash.update(JSON.stringify([name, text.length])).update(text);
      }
      return { content: hash.digest("hex"), names: new Set(files.map(({ name }) => name)) };
    } catch (error) {
      const content = isEmulatorError(error) ? error.message : String(error);
      return { content, names: isMissing(error) ? new Set() : undefined };
    }
  }
}

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

async function identityOf(path: string): Promise<string> {
  const stats = await stat(path).catch(() => undefined);
  return `${path}:${stats?.ino ?? "none"}`;
}

function cannotWatch(path: string, cause: unknown): EmulatorError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new EmulatorError(
    "ERR_FIXTURES_UNREADABLE",
    `Cannot watch ${JSON.stringify(path)}: ${reason}. Raise the system's limit, or leave out --watch.`,
    { cause },
  );
}

/** Whether it is not there, rather than unreadable: the whole of it, or a file that went while it was read. */
function isMissing(error: unknown): boolean {
  const cause = isEmulatorError(error) ? error.cause : error;
  return cause instanceof Error && "code" in cause && cause.code === "ENOENT";
}
