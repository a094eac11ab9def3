import { setupServer } from "msw/node";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../src/index.ts";
import { startServer } from "../../src/node/server.ts";
import { ObserverLog } from "./observer-log.ts";

/** A service that is reached over one transport. Disposing of it fails when the emulator reported a bug. */
export interface Service<Fixtures = unknown> extends AsyncDisposable {
  readonly emulator: Emulator<Fixtures>;
  /** Such as `http://127.0.0.1:40001`, without a trailing slash. */
  readonly baseUrl: string;
  /** Takes a path below the base URL, or a whole address; otherwise as the global `fetch`. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** What `fetch` is for a client that takes one as an option. */
  readonly clientFetch: typeof fetch;
  /** What the observer was told. */
  readonly log: ObserverLog;
}

export type Settings = Omit<EmulatorOptions, "fixtures" | "observer">;

export type TransportName = "direct" | "node" | "msw";

/** A way from a client to the emulator. */
export interface Transport {
  readonly name: TransportName;
  readonly open: <const Fixtures>(
    fixtures: Fixtures,
    settings?: Settings,
  ) => Promise<Service<Fixtures>>;
}

/** What differs between transports once there is an emulator. */
interface Reach {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  readonly close: () => Promise<void>;
}

/** An origin that no machine has, so that a request which is not intercepted fails. */
const noMachine = "http://backlot.test";

function transport(
  name: TransportName,
  reach: (emulator: Emulator) => Reach | Promise<Reach>,
): Transport {
  return {
    name,
    open: async (fixtures, settings = {}) => {
      const log = new ObserverLog();
      const emulator = await createEmulator({
        origins: [noMachine],
        ...settings,
        fixtures,
        observer: log,
      });
      const { baseUrl, fetch: clientFetch, close } = await reach(emulator);
      return {
        emulator,
        baseUrl,
        clientFetch,
        fetch: (path, init) => clientFetch(path.startsWith("/") ? `${baseUrl}${path}` : path, init),
        log,
        [Symbol.asyncDispose]: async () => {
          await close();
          log.throwUnread();
        },
      };
    },
  };
}

/** `emulator.fetch` called in this process. */
export const direct: Transport = transport("direct", (emulator) => ({
  baseUrl: noMachine,
  fetch: emulator.fetch,
  close: () => Promise.resolve(),
}));

/** A server on a free port and the global `fetch`. */
export const node: Transport = transport("node", async (emulator) => {
  const server = await startServer(emulator, { port: 0 });
  return { baseUrl: server.url, fetch: globalThis.fetch, close: server.close };
});

/** The global `fetch`, intercepted by msw. */
export const msw: Transport = transport("msw", (emulator) => {
  const server = setupServer(...emulator.handlers);
  // Msw 3 knows the second name only.
  const refuseOthers = { onUnhandledRequest: "error", onUnhandledFrame: "error" } as const;
  server.listen(refuseOthers);
  return {
    baseUrl: noMachine,
    // Looked up for each use, since msw puts its own in place.
    fetch: (input, init) => globalThis.fetch(input, init),
    close: () => {
      server.close();
      return Promise.resolve();
    },
  };
});

/** All transports that a contract is checked over. */
export const transports: readonly Transport[] = [direct, node, msw];
