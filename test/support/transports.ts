import { setupServer } from "msw/node";
import {
  createEmulator,
  type Emulator,
  type EmulatorOptions,
  type Row,
  type TablesOf,
} from "../../src/index.ts";
import { handlers, refuseUnhandled } from "../../src/fronts/msw/index.ts";
import { startServer } from "../../src/fronts/node/server.ts";
import type { GivenAnswer } from "./compare-recorded.ts";
import { ObserverLog } from "./observer-log.ts";
import { SqlDump } from "./sql-dump.ts";

/** A service that is reached over one transport. Disposing of it fails when the emulator reported a bug. */
export interface Service<Fixtures = unknown> extends AsyncDisposable {
  /** Only where it is in this process; `inside` is there for all. */
  readonly emulator: Emulator<TablesOf<Fixtures>>;
  /** Such as `http://127.0.0.1:40001`, without a trailing slash. */
  readonly baseUrl: string;
  /** Takes a path below the base URL, or a whole address; otherwise as the global `fetch`. */
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  /** What `fetch` is for a client that takes one as an option. */
  readonly clientFetch: typeof fetch;
  /** Whether the global `fetch` of this process gets there too. */
  readonly isGlobal: boolean;
  readonly inside: Inside;
  /** What the observer was told. */
  readonly log: ObserverLog;
}

/** What is looked at and done past the wire, wherever the emulator is. */
export interface Inside {
  /** The rows of all tables, by table. */
  readonly allRows: () => Promise<Readonly<Record<string, readonly Row[]>>>;
  readonly rows: (table: string) => Promise<readonly Row[]>;
  readonly insert: (table: string, row: Row) => Promise<void>;
  readonly update: (table: string, key: number, columns: Row) => Promise<void>;
  /** Back to the fixtures. */
  readonly reset: () => Promise<void>;
  /** Makes runs of requests, each from the fixtures: there where each `fetch` has a way of its own to go. */
  readonly play?: (
    runs: readonly (readonly PlainRequest[])[],
  ) => Promise<readonly (readonly GivenAnswer[])[]>;
}

/** A request that is text only. */
export interface PlainRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

export type Settings = Omit<EmulatorOptions, "fixtures" | "observer">;

export type TransportName = "direct" | "node" | "msw" | "browser msw worker" | "browser own worker";

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
  readonly isGlobal: boolean;
  readonly close: () => Promise<void>;
}

/** An origin that no machine has, so that a request which is not intercepted fails. */
export const noMachine = "http://backlot.test";

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
        // The one place where a fixture's static type is not its own: a dump tells nothing of its tables.
        fixtures: fixtures instanceof SqlDump ? ((await fixtures.read()) as never) : fixtures,
        observer: log,
      });
      const { baseUrl, fetch: clientFetch, isGlobal, close } = await reach(emulator);
      return {
        emulator,
        baseUrl,
        clientFetch,
        isGlobal,
        inside: insideOf(emulator),
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

function insideOf(emulator: Emulator): Inside {
  const { tables } = emulator;
  const table = (name: string): NonNullable<(typeof tables)[string]> => {
    const found = tables[name];
    if (found === undefined) throw new Error(`There is no table ${name}.`);
    return found;
  };
  return {
    allRows: async () =>
      Object.fromEntries(Object.entries(tables).map(([name, one]) => [name, one.rows()])),
    rows: async (name) => table(name).rows(),
    insert: async (name, row) => void table(name).insert(row),
    update: async (name, key, columns) => void table(name).update(key, columns),
    reset: async () => emulator.reset(),
  };
}

/** `emulator.fetch` called in this process. */
export const direct: Transport = transport("direct", (emulator) => ({
  baseUrl: noMachine,
  fetch: emulator.fetch,
  isGlobal: false,
  close: () => Promise.resolve(),
}));

/** A server on a free port and the global `fetch`. */
export const node: Transport = transport("node", async (emulator) => {
  const server = await startServer(emulator, { port: 0 });
  return { baseUrl: server.url, fetch: globalThis.fetch, isGlobal: true, close: server.close };
});

/** The global `fetch`, intercepted by msw. */
export const msw: Transport = transport("msw", (emulator) => {
  const server = setupServer(...handlers(emulator));
  server.listen(refuseUnhandled);
  return {
    baseUrl: noMachine,
    // Looked up for each use, since msw puts its own in place.
    fetch: (input, init) => globalThis.fetch(input, init),
    isGlobal: true,
    close: () => {
      server.close();
      return Promise.resolve();
    },
  };
});

/** All transports of which both ends are in this process. */
export const transports: readonly Transport[] = [direct, node, msw];
