import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "../create-log.ts";
import { exitCodes } from "../describe-failure.ts";
import type { Io } from "../io.ts";
import type { StartOptions } from "../start-options.ts";
import { Crew } from "./crew.ts";

/** Starts workers, has another one take the place of each that dies, and ends them all when the user wants that. */
export async function runPrimary(options: StartOptions, io: Io): Promise<number> {
  const stopped = io.untilStopped();
  const log = await createLog(options.log ?? "pretty", io);
  const folder = await mkdtemp(join(tmpdir(), "backlot-"));
  const crew = new Crew({ workers: options.workers ?? 1, folder, io, log });
  try {
    const started = await Promise.race([crew.start(), stopped]);
    if (started === undefined) return exitCodes.done;
    if (started.kind === "failed") return started.exitCode;
    log.ready(started.ready);
    await stopped;
    return exitCodes.done;
  } finally {
    await crew.end();
    await rm(folder, { recursive: true, force: true });
  }
}
