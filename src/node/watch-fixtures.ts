import { createHash } from "node:crypto";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isEmulatorError } from "../errors/emulator-error.ts";
import { readFixtureTexts, subfolders } from "./fixture-texts.ts";
import { FolderWatchers } from "./folder-watchers.ts";

/** How a watch behaves. */
export interface WatchOptions {
  /** How long it must be quiet before the files are looked at, in milliseconds. Default 50. */
  readonly quietMs?: number;
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
 * comes back. Resolves once it watches. Events that change nothing, such as a touch, are not passed on.
 */
export async function watchFixtures(
  path: string | URL,
  changed: () => void,
  options: WatchOptions = {},
): Promise<FixtureWatch> {
  const { cwd = process.cwd(), quietMs = 50, failed = () => undefined } = options;
  const target = typeof path === "string" ? path : fileURLToPath(path);
  const watch = new Watch({ target, cwd, quietMs, changed, failed });
  await watch.start();
  return { close: () => watch.close() };
}

interface WatchSetup {
  readonly target: string;
  readonly cwd: string;
  readonly quietMs: number;
  readonly changed: () => void;
  readonly failed: (error: unknown) => void;
}

class Watch {
  readonly #setup: WatchSetup;
  readonly #watchers: FolderWatchers;
  /** A digest of what was there when it was last looked at. */
  #content = "";
  #timer: NodeJS.Timeout | undefined;
  /** When the first of the events came that have not been looked into; 0 when there are none. */
  #since = 0;
  #looking = false;
  #closed = false;

  constructor(setup: WatchSetup) {
    this.#setup = setup;
    const location = resolve(setup.cwd, setup.target);
    const folders = [location, ...subfolders.map((name) => join(location, name))];
    this.#watchers = new FolderWatchers(
      // A file is watched itself, too: it may be a link to one that lies elsewhere.
      { folders, parent: dirname(location), child: location },
      () => this.#noticed(),
    );
  }

  async start(): Promise<void> {
    await this.#watchers.refresh();
    this.#content = this.#read();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#watchers.close();
  }

  /** Waits for a pause: an editor that saves makes several events, and files that are half written. */
  #noticed(): void {
    if (this.#closed) return;
    const now = performance.now();
    if (this.#since === 0) this.#since = now;
    const most = Math.max(0, longestWaitMs - (now - this.#since));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), Math.min(this.#setup.quietMs, most));
  }

  async #look(): Promise<void> {
    this.#since = 0;
    if (this.#looking) return this.#noticed();
    this.#looking = true;
    // Watchers first: what comes into a new folder from then on is noticed.
    await this.#watchers.refresh().catch(this.#setup.failed);
    const content = this.#read();
    this.#looking = false;
    if (this.#closed || content === this.#content) return;
    this.#content = content;
    this.#setup.changed();
  }

  /** A digest of all that a load would see. */
  #read(): string {
    try {
      const { layout, files } = readFixtureTexts(this.#setup.target, this.#setup.cwd);
      const hash = createHash("sha256").update(layout);
      for (const { name, text } of files.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
        hash.update(JSON.stringify([name, text.length])).update(text);
      }
      return hash.digest("hex");
    } catch (error) {
      return isEmulatorError(error) ? error.message : String(error);
    }
  }
}
