import cluster from "node:cluster";
import { EmulatorError } from "../../../core/errors/emulator-error.ts";
import type { Io } from "../io.ts";
import type { StartOptions } from "../start-options.ts";
import { runPrimary } from "./primary.ts";
import { runWorker } from "./worker.ts";
import { readWorkerSetup } from "./worker-setup.ts";

/** Serves fixtures by several processes. Rejects with an `EmulatorError` when it cannot start. */
export async function startWorkers(options: StartOptions, io: Io): Promise<number> {
  refuseWithWorkers(options);
  const setup = cluster.isWorker ? readWorkerSetup(io.env) : undefined;
  return setup === undefined ? runPrimary(options, io) : runWorker(options, io, setup);
}

const others = [
  [
    "watch",
    "--watch",
    "a request may come between the moments at which they load the new fixtures",
  ],
  [
    "exportOnExit",
    "--export-on-exit",
    "the state is in several processes. Ask GET /__backlot/state",
  ],
  [
    "tables",
    "--tables",
    "one of them would answer for all tables. Start several servers with --tables behind a load balancer",
  ],
  ["record", "--record", "each process would write the same files"],
  ["recordRest", "--record-rest", "each process would write the same files"],
] as const;

/** What one process can do and several cannot. */
function refuseWithWorkers(options: StartOptions): void {
  for (const [key, name, why] of others) {
    if (options[key] === undefined || options[key] === false) continue;
    throw new EmulatorError(
      "ERR_OPTION_INVALID",
      `Cannot start ${options.workers} workers with ${name}: ${why}. Leave out one of the two.`,
    );
  }
}
