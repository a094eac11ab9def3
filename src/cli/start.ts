import { Core } from "../emulator/core.ts";
import { nodeTimers } from "../node/timers.ts";
import { defaultHost, defaultPort, type RunningServer, startServer } from "../node/server.ts";
import { createLog } from "./create-log.ts";
import { entryPoints } from "./curl-lines.ts";
import { exitCodes } from "./describe-failure.ts";
import { emulatorSettings } from "./emulator-settings.ts";
import { countFixtures } from "./fixture-counts.ts";
import { type FixturePlace, fixturePlace } from "../node/fixture-place.ts";
import type { Io } from "./io.ts";
import { loadToServe } from "./load-to-serve.ts";
import { type Log, observerOf } from "./log.ts";
import type { ReloadSetup } from "./reload.ts";
import type { StartFlags } from "./start-options.ts";

/** What `start` is told: the options, and fixtures where they were named. */
export interface StartOptions extends StartFlags {
  readonly fixtures?: string;
  /** Backlot's own version, for the start-up message. */
  readonly version: string;
}

/** Serves fixtures until the user stops it. Rejects with an `EmulatorError` when it cannot start. */
export async function start(options: StartOptions, io: Io): Promise<number> {
  const stopped = io.untilStopped();
  const log = await createLog(options.log ?? "pretty", io);
  const place = fixturePlace(options.fixtures, io.cwd);
  const watch = options.watch === true ? await followChanges(place, { io, log }) : undefined;
  try {
    // Rows that are generated may take a while, and Ctrl-C must not.
    const fixtures = await Promise.race([loadToServe(place, { options, io, stopped }), stopped]);
    if (fixtures === undefined) return exitCodes.done;
    const core = new Core(fixtures, emulatorSettings(options), {
      observer: observerOf(log),
      timers: nodeTimers,
    });
    const leave = await exportAtEnd(core, { options, place, io });
    const { port, host } = { ...defaultAddress, ...fixtures.settings, ...options };
    const server = await startServer({ core }, { port, host });
    tellReady(core, server, { options, place, log });
    watch?.connect({ core, place, load: () => loadToServe(place, { options, io }), log });
    await stopped;
    await closeSoon(server);
    await leave?.();
    return exitCodes.done;
  } finally {
    watch?.close();
  }
}

/** What writes the state when all is over; undefined where that is not wanted. Rejects where it could not be done. */
async function exportAtEnd(
  core: Core,
  { options, place, io }: Omit<Context, "log"> & { readonly place: FixturePlace },
): Promise<(() => Promise<void>) | undefined> {
  const { exportOnExit: file, log = "pretty" } = options;
  if (file === undefined) return undefined;
  const { prepareExport } = await import("./export-on-exit.ts");
  const write = await prepareExport(file, { core, place, cwd: io.cwd });
  return async () => {
    await write();
    if (log !== "pretty") return;
    const { tellWritten } = await import("./tell-written.ts");
    tellWritten(file, io);
  };
}

const defaultAddress = { port: defaultPort, host: defaultHost };

interface Context {
  readonly options: StartOptions;
  readonly io: Io;
  readonly log: Log;
}

function tellReady(
  core: Core,
  server: RunningServer,
  context: Pick<Context, "options" | "log"> & { readonly place: FixturePlace },
): void {
  const { options, log, place } = context;
  const { url } = server;
  log.ready({
    version: options.version,
    url,
    ...entryPoints(core, url),
    fixtures: place.label,
    counts: countFixtures(core.fixtures),
    watching: options.watch === true,
  });
}

interface Changes {
  /** Loads the fixtures anew for changes from now on, and for those since the watch began. */
  readonly connect: (setup: ReloadSetup) => void;
  readonly close: () => void;
}

/** Watches from before the fixtures are first read, so that no change falls between. */
async function followChanges(
  place: FixturePlace,
  { io, log }: Pick<Context, "io" | "log">,
): Promise<Changes> {
  // Loaded here, since most starts watch nothing.
  const { watchFixtures } = await import("../node/watch-fixtures.ts");
  const { reloader } = await import("./reload.ts");
  let reload: (() => void) | undefined;
  let missed = false;
  const changed = (): void => {
    if (reload === undefined) missed = true;
    else reload();
  };
  const { close } = await watchFixtures(place.path, changed, { cwd: io.cwd, failed: log.failed });
  return {
    connect: (setup) => {
      reload = reloader(setup);
      if (missed) reload();
    },
    close,
  };
}

/** How long clients that do not read have to take what was sent, in milliseconds. */
const patienceMs = 400;

async function closeSoon(server: RunningServer): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs);
  });
  await Promise.race([server.close(), enough]);
  clearTimeout(timer);
}
