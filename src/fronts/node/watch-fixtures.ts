import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isEmulatorError } from "../../core/errors/emulator-error.ts";
import { readFixtureTexts, subfolders } from "./fixture-texts.ts";

/** How a watch behaves. */
export interface WatchOptions {
  /** How often files are looked at, in milliseconds. Changes are told of once there are none between two looks. Default 100. */
  readonly intervalMs?: number;
  /** How long files that went are waited for, which a copy may be about to bring back, in milliseconds. Default 500. */
  readonly goneQuietMs?: number;
  /** What relative paths start from. Default: the process's working directory. */
  readonly cwd?: string;
}

/** A watch that is running. */
export interface FixtureWatch {
  /** Stops it. Nothing is called any more. */
  readonly close: () => void;
}

/**
 * Calls `changed` whenever the contents of a fixtures file or folder have changed, also when it vanishes or
 * comes back. Resolves once it watches. What changes no content, such as a touch, is not passed on. A promise of
 * `changed` is waited for, so that the state on the disk of which it is told last is the one that counts.
 *
 * It asks for the times of files again and again: there are few, and the system's own events miss folders that are
 * replaced, and changes on network drives and in containers.
 */
export async function watchFixtures(
  path: string | URL,
  changed: () => unknown,
  { cwd = process.cwd(), intervalMs = 100, goneQuietMs = 500 }: WatchOptions = {},
): Promise<FixtureWatch> {
  const target = typeof path === "string" ? path : fileURLToPath(path);
  const location = resolve(cwd, target);
  /** Of the last look, and of the last one after which the contents were read. */
  let latest = await timesOf(location);
  let known = latest;
  let { content, names } = contentOf(target, cwd);
  let goneSince: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  /** Reads what has changed. Files that are gone are waited for. */
  async function compare(): Promise<void> {
    const now = contentOf(target, cwd);
    const isGone = (name: string): boolean => now.names?.has(name) === false;
    if ([...(names ?? [])].some(isGone)) {
      goneSince ??= performance.now();
      if (performance.now() - goneSince < goneQuietMs) return;
    }
    goneSince = undefined;
    known = latest;
    names = now.names ?? names;
    if (now.content === content) return;
    content = now.content;
    await changed();
  }

  async function look(): Promise<void> {
    const times = await timesOf(location);
    if (isClosed) return;
    // A pause: an editor that saves leaves files half written for a moment.
    const isQuiet = times === latest;
    latest = times;
    if (isQuiet && times !== known) await compare();
    if (!isClosed) wait();
  }

  function wait(): void {
    timer = setTimeout(() => void look(), intervalMs).unref();
  }

  wait();
  return {
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** When the files of a place were changed, as a text that another state of them does not have. */
async function timesOf(location: string): Promise<string> {
  const folders = [location, ...subfolders.map((name) => join(location, name))];
  const listed = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(folder).catch(() => []);
      return entries.map((name) => join(folder, name));
    }),
  );
  const times = await Promise.all(
    [location, ...listed.flat()].map(async (path) => {
      const stats = await stat(path).catch(() => undefined);
      return `${path} ${stats?.ino} ${stats?.size} ${stats?.mtimeMs}`;
    }),
  );
  return times.join("\n");
}

/** What a load would see: a digest of it, or why it cannot be read, and the files' names where these are known. */
function contentOf(
  target: string,
  cwd: string,
): { readonly content: string; readonly names: ReadonlySet<string> | undefined } {
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

/** Whether it is not there, rather than unreadable: the whole of it, or a file that went while it was read. */
function isMissing(error: unknown): boolean {
  const cause = isEmulatorError(error) ? error.cause : error;
  return cause instanceof Error && "code" in cause && cause.code === "ENOENT";
}
