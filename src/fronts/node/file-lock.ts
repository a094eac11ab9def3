import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** After this many milliseconds a lock is taken away, since its process has ended or hangs. */
const longestMs = 10_000;

const pauseMs = 5;

/**
 * Does something with a file while nobody else does who takes this lock: no other call, and no other process. The lock
 * is a hidden file beside it. That of a process that ended is taken away.
 *
 * `check` rejects if this process was held up so long that it lost the lock. Everything is then done once more, so
 * `work` calls it right before it changes the file.
 */
export async function withFileLock<Result>(
  path: string,
  work: (check: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const lock = join(dirname(path), `.${basename(path)}.lock`);
  const owner = `${process.pid} ${hostname()} ${randomUUID()}`;
  const lost = new Error(`The lock ${lock} was lost.`);
  const isOwn = async (): Promise<boolean> => (await textOf(lock)) === owner;
  const check = async (): Promise<void> => {
    if (!(await isOwn())) throw lost;
  };
  for (;;) {
    await take(lock, owner);
    try {
      return await work(check);
    } catch (error) {
      if (error !== lost) throw error;
    } finally {
      if (await isOwn()) await rm(lock, { force: true });
    }
  }
}

async function take(lock: string, owner: string): Promise<void> {
  while (!(await create(lock, owner))) {
    await takeAway(lock);
    await delay(pauseMs);
  }
}

/** Creates the lock. False: somebody else has it. */
async function create(lock: string, owner: string): Promise<boolean> {
  try {
    await writeFile(lock, owner, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    await rm(lock, { force: true });
    throw error;
  }
}

/** Removes a lock that its owner no longer gives back. */
async function takeAway(lock: string): Promise<void> {
  const owner = await textOf(lock);
  const since = await stat(lock).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
  if (owner === undefined || since === undefined) return;
  if (!hasEnded(owner) && Date.now() - since < longestMs) return;
  const aside = join(dirname(lock), `.backlot-${randomUUID()}.tmp`);
  try {
    await rename(lock, aside);
    // Another process may have removed the old lock first. This is then a new lock, which is put back.
    if ((await textOf(aside)) !== owner) await link(aside, lock);
  } catch {
    // Another process was faster. The caller tries again.
  } finally {
    await rm(aside, { force: true });
  }
}

/** Whether the process that took a lock has ended. A process of another machine counts as running. */
function hasEnded(owner: string): boolean {
  const [id = "", host] = owner.split(" ");
  if (host !== hostname()) return false;
  try {
    process.kill(Number(id), 0);
    return false;
  } catch (error) {
    return codeOf(error) === "ESRCH";
  }
}

function textOf(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
