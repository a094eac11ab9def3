import { inspect } from "node:util";
import { startServer } from "../../../src/fronts/node/server.ts";
import { createEmulator } from "../../../src/index.ts";
import { ObserverLog } from "../../support/observer-log.ts";
import { fixturesOf, type WorldServer } from "./real.ts";
import { beginning } from "./run.ts";

/** A server in this process, which cannot die. */
export async function serverInProcess(): Promise<
  WorldServer & { readonly close: () => Promise<void> }
> {
  const log = new ObserverLog();
  const bodyLimit = 30_000;
  // Those of the model, and one more.
  const maxSessions = 3;
  const emulator = await createEmulator({
    fixtures: fixturesOf(beginning),
    bodyLimit,
    observer: log,
    maxSessions,
  });
  const { port, close } = await startServer(emulator, { port: 0 });
  return {
    port,
    bodyLimit,
    close,
    reload: async (fixtures) => {
      const { core } = await createEmulator({ fixtures });
      emulator.core.load(core.fixtures);
    },
    failure: () => {
      log.records.length = 0;
      const [error] = log.takeFailures();
      return error === undefined ? undefined : `a failure was reported: ${inspect(error)}`;
    },
  };
}
