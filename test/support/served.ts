import { type Emulator, createEmulator } from "../../src/index.ts";
import { type RunningServer, startServer } from "../../src/fronts/node/server.ts";
import { ObserverLog } from "./observer-log.ts";
import { RawConnection } from "./raw-http.ts";
import type { Settings } from "./transports.ts";

/** A server on a free port, with what it tells its observer. */
export interface Served extends AsyncDisposable {
  readonly emulator: Emulator;
  readonly server: RunningServer;
  readonly log: ObserverLog;
  /** Takes a path; otherwise as the global `fetch`. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  readonly connect: () => Promise<RawConnection>;
}

/** Serves fixtures. Disposing of it closes the server, and fails when the emulator reported a bug. */
export async function serve(fixtures: unknown, settings: Settings = {}): Promise<Served> {
  const log = new ObserverLog();
  const emulator = await createEmulator({ ...settings, fixtures, observer: log });
  const server = await startServer(emulator, { port: 0 });
  return {
    emulator,
    server,
    log,
    fetch: (path, init) => fetch(`${server.url}${path}`, init),
    connect: () => RawConnection.open(server),
    [Symbol.asyncDispose]: async () => {
      await server.close();
      log.throwUnread();
    },
  };
}
