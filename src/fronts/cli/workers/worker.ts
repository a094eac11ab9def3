import { rm } from "node:fs/promises";
import { refuseUnsayable } from "../../../core/emulator/control/export-state.ts";
import { Core } from "../../../core/emulator/core.ts";
import { ClusterCore } from "../../node/cluster/cluster-core.ts";
import { servePeers } from "../../node/cluster/peer-service.ts";
import { fixturePlace } from "../../node/fixture-place.ts";
import { defaultHost, defaultPort, startServer } from "../../node/server.ts";
import { nodeTimers } from "../../node/timers.ts";
import { closeSoon } from "../close-soon.ts";
import { createLog } from "../create-log.ts";
import { exitCodes } from "../describe-failure.ts";
import { nodeExtras } from "../../node/extras.ts";
import { emulatorSettings } from "../emulator-settings.ts";
import type { Io } from "../io.ts";
import { loadToServe } from "../load-to-serve.ts";
import { observerOf } from "../log.ts";
import { readyFacts } from "../ready-facts.ts";
import type { StartOptions } from "../start-options.ts";
import { peerPath, type WorkerReady, type WorkerSetup } from "./worker-setup.ts";

/** Serves as one of several workers until it is told to stop, or its primary process is gone. */
export async function runWorker(
  options: StartOptions,
  io: Io,
  setup: WorkerSetup,
): Promise<number> {
  const stopped = Promise.race([io.untilStopped(), untilDismissed()]);
  const { index, workers, generation, folder, isTerminal } = setup;
  const { write } = io.stdout;
  const log = await createLog(options.log ?? "pretty", { ...io, stdout: { write, isTerminal } });
  const place = fixturePlace(options.fixtures, io.cwd);
  // What is odd about the fixtures need not be said by each.
  const said = index === 0 && generation === 1 ? options : { ...options, log: "silent" as const };
  const fixtures = await loadToServe(place, { options: said, io, stopped });
  const core = new Core(fixtures, emulatorSettings(options), {
    extras: nodeExtras,
    observer: observerOf(log),
    timers: nodeTimers,
  });
  // The other workers get the base session as a document.
  refuseUnsayable(core.sessions.base);
  const pathOf = (worker: number): string => peerPath(folder, worker);
  const clustered = new ClusterCore(core, { index, workers, generation, pathOf });
  await servePeers(pathOf(index), {
    answer: (call, reach) => clustered.received(call, reach),
    run: (errand) => clustered.run(errand),
    report: (error) => clustered.report(error),
  });
  await clustered.join();
  // A port that is any free one is the same for all: they share it by way of the primary process.
  const address = { port: defaultPort, host: defaultHost, ...fixtures.settings, ...options };
  const server = await startServer({ core: clustered }, address);
  if (generation > 1) void clustered.announce();
  tellPrimary({
    kind: "ready",
    port: server.port,
    ready: readyFacts(core, server.url, { options, place }),
  });
  await stopped;
  await closeSoon(server);
  if (process.connected) process.disconnect();
  // The primary process is gone, and could not tidy up.
  else await rm(folder, { recursive: true, force: true });
  return exitCodes.done;
}

/** Resolves when the primary process says so, or is gone. */
function untilDismissed(): Promise<void> {
  return new Promise((resolve) => {
    process.once("message", () => resolve());
    process.once("disconnect", () => resolve());
  });
}

function tellPrimary(message: WorkerReady): void {
  process.send?.(message);
}
