import type { FixtureSet } from "../fixtures/fixture-set.ts";
import { readFixtureDocument } from "../fixtures/read-fixtures.ts";
import { type ChatScripts, chatScripts } from "./chats.ts";
import type { CollectionTables } from "./collection-option.ts";
import { Core, type Surroundings } from "./core.ts";
import type { Observer } from "./exchange.ts";
import { callFromRequest } from "./fetch-call.ts";
import { responseFromExchange } from "./fetch-response.ts";
import type { EmulatorSettings } from "./options.ts";
import { storageFor } from "./settings.ts";
import { runtimeTimers } from "./environment.ts";
import type { Snapshot } from "./state.ts";
import { tableHandles } from "./tables.ts";
import type { TablesOf } from "./typed-tables.ts";
import { wait } from "./wait.ts";

/** What `createEmulator` takes: fixtures and settings. */
export interface EmulatorOptions<
  Fixtures = unknown,
  Collections extends CollectionTables = never,
> extends EmulatorSettings {
  /** A fixture document, or a fixture set that was read before. Default: no tables, models or scripts. */
  readonly fixtures?: Fixtures;
  /**
   * Collections of `@msw/data` that are served as tables, by name, besides those of the fixtures or in place of
   * one of the same name. Changes made by requests show in the collection, and the other way round.
   */
  readonly tables?: Collections;
  /** Told of each exchange once it is over, and of failures that are bugs of the emulator. */
  readonly observer?: Observer;
}

/** One emulated service in this process. */
export interface Emulator<Fixtures = unknown, Collections extends CollectionTables = never> {
  /**
   * Answers a request as the service would; arguments and result are those of the global `fetch`. Rejects only
   * when the request's own signal is aborted, or when the arguments make no request.
   */
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>;
  /** The tables by name. */
  readonly tables: TablesOf<Fixtures, Collections>;
  /** The chat scripts. */
  readonly chats: ChatScripts;
  /** Everything that requests can change, as it is now. */
  readonly snapshot: () => Snapshot;
  /** Goes back to a snapshot of this emulator. */
  readonly restore: (snapshot: Snapshot) => void;
  /** Goes back to the fixtures. */
  readonly reset: () => void;
  /** For fronts: the call → reply core itself. */
  readonly core: Core;
}

/** Relative addresses are below this one, so that an app's `fetch("/rest/users")` works unchanged. */
const ownAddress = "http://localhost";

/** Makes an emulator of fixtures that are complete; all fronts begin here. */
export function emulatorFrom<Fixtures, Collections extends CollectionTables = never>(
  fixtures: FixtureSet,
  settings: EmulatorSettings,
  surroundings: Surroundings = {},
): Emulator<Fixtures, Collections> {
  const core = new Core(fixtures, settings, surroundings);
  return {
    fetch: (input, init) => fetchFrom(core, input, init),
    // The one place where a document's static type meets its tables.
    tables: tableHandles(core) as TablesOf<Fixtures, Collections>,
    chats: chatScripts(core),
    snapshot: () => core.state.snapshot(),
    restore: (snapshot) => core.state.restore(snapshot),
    reset: () => core.reset(),
    core,
  };
}

/** Reads fixtures, whether a document or a set read before. `otherTables` are served besides those in them. */
export function fixtureSetFrom(
  fixtures: unknown,
  settings: EmulatorSettings,
  otherTables: readonly string[] = [],
): Promise<FixtureSet> {
  if (isFixtureSet(fixtures)) return Promise.resolve(fixtures);
  const { seed } = settings;
  return readFixtureDocument(fixtures ?? {}, {
    ...(seed === undefined ? {} : { seed }),
    storageFor: storageFor(settings),
    otherTables,
  });
}

function isFixtureSet(value: unknown): value is FixtureSet {
  return (
    typeof value === "object" && value !== null && "kind" in value && value.kind === "fixture-set"
  );
}

/**
 * Keeps a request for as long as its signal is in use: the signal follows the one that the request was made with
 * only while the request itself is referenced.
 */
const requestsBySignal = new WeakMap<AbortSignal, Request>();

/** The caller's own signal, so that nothing needs to follow it. */
function callersSignal(
  request: Request,
  input: Request | URL | string,
  init: RequestInit | undefined,
): AbortSignal {
  if (init?.signal) return init.signal;
  const origin = typeof input === "object" && "signal" in input ? input : request;
  requestsBySignal.set(origin.signal, origin);
  return origin.signal;
}

async function fetchFrom(
  core: Core,
  input: Request | URL | string,
  init: RequestInit | undefined,
): Promise<Response> {
  const target = typeof input === "string" ? new URL(input, ownAddress) : input;
  const request = new Request(target, init);
  const signal = callersSignal(request, input, init);
  signal.throwIfAborted();
  const exchange = await core.handle({
    ...callFromRequest(request, core.settings.bodyLimit),
    signal,
  });
  const { delayMs = 0 } = exchange.reply;
  const waited = delayMs === 0 || (await wait(delayMs, signal, runtimeTimers));
  if (!waited || signal.aborted) {
    exchange.settle({ chunksSent: 0, aborted: true });
    signal.throwIfAborted();
  }
  return responseFromExchange(exchange, signal, {
    scheduler: core.scheduler,
    isHead: request.method === "HEAD",
  });
}
