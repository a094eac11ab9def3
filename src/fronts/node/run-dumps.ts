import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { packageRoot } from "./package-root.ts";

const here = fileURLToPath(import.meta.url);
const built = join(packageRoot, "dist");

/** The task of the thread that runs dumps. */
export interface DumpsToRun {
  readonly texts: readonly string[];
  /** The current time for SQLite, in Unix time in milliseconds. */
  readonly now: number;
}

function startThread(workerData: DumpsToRun): Worker {
  if (here.startsWith(built))
    return new Worker(join(built, "sqlite/dump-worker.cjs"), { workerData });
  // A checkout without a build. Node 20 does not let a thread begin with a file of TypeScript.
  const tsx = pathToFileURL(join(packageRoot, "node_modules/tsx/dist/esm/api/index.mjs"));
  const source = pathToFileURL(join(packageRoot, "src/fronts/node/dump-worker.ts"));
  const begin = `import("${tsx.href}").then(({ tsImport }) => tsImport("${source.href}", "${source.href}"))`;
  return new Worker(begin, { eval: true, workerData });
}

/**
 * Runs dumps in a thread of their own, since a statement can take any time: signals and requests go on meanwhile. Once
 * `signal` is aborted the thread is ended, and this rejects with the signal's reason.
 */
export async function runInThread<Run>(
  dumps: DumpsToRun,
  signal: AbortSignal | undefined,
): Promise<Run> {
  signal?.throwIfAborted();
  const thread = startThread(dumps);
  try {
    return await new Promise<Run>((resolve, reject) => {
      const end = (): void => reject(signal?.reason ?? new Error("The thread of SQL dumps ended."));
      signal?.addEventListener("abort", end, { once: true });
      thread.once("message", resolve).once("error", reject).once("exit", end);
    });
  } finally {
    void thread.terminate();
  }
}
