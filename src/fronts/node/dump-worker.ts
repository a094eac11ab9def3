import { parentPort, workerData } from "node:worker_threads";
import { dumpRunner } from "../../extras/sqlite/run-dumps.ts";
import { loadSqlite } from "../../extras/sqlite/sqlite.ts";
import type { DumpsToRun } from "./run-dumps.ts";

async function runGiven({ texts, now }: DumpsToRun): Promise<void> {
  const ran = dumpRunner(await loadSqlite())(texts, now);
  // A copy with a buffer of its own, which can be transferred to the other thread.
  const bytes = ran.bytes.slice();
  parentPort?.postMessage({ ...ran, bytes }, [bytes.buffer]);
}

void runGiven(workerData as DumpsToRun);
