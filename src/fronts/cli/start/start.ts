import { Core } from "../../../core/emulator/core.ts";
import type { FixtureSet } from "../../../core/fixture-set/fixture-set.ts";
import { nodeExtras } from "../../node/extras.ts";
import { type FixturePlace, fixturePlace } from "../../node/fixture-place.ts";
import { defaultPort } from "../../../core/settings/settings.ts";
import { defaultHost, serve } from "../../node/server.ts";
import { nodeTimers } from "../../node/timers.ts";
import { exitCodes, type Io } from "../io.ts";
import { fixturesHelp } from "../help-text.ts";
import { loadToServe } from "../load-fixtures.ts";
import { createLog, type Log, observerOf } from "../log.ts";
import { readyFacts, warnIfOpen, warnIfRefused } from "../ready.ts";
import type { MissesRecording, recordMisses } from "../record/record-misses.ts";
import type { RunningRecording } from "../record/recording.ts";
import { keepFresh, tellUnused } from "../record/upkeep.ts";
import { type CommandDefinition, nameOf, UsageError } from "../command.ts";
import { emulatorSettings, pickOptions, type StartFlags, startOptions } from "../flags.ts";
import type { ServerTables } from "./shared-tables.ts";
import type { Changes } from "./watch.ts";

/** The options of `start`, and the fixtures. */
export interface StartOptions extends StartFlags {
  readonly fixtures?: string;
}

export const startCommand: CommandDefinition = {
  arguments: [["[fixtures]", fixturesHelp]],
  options: startOptions,
  check: refuseExcluded,
  run: serveUntilStopped,
};

/** Options that cannot be combined, and why. */
const excluded = [
  ["tables", "watch", "tables in PostgreSQL do not follow changes of the fixtures"],
  ["tables", "maxSessions", "tables in PostgreSQL have no sessions"],
  ["record", "watch", "each recording would reload the fixtures"],
  ["recordTables", "watch", "each recording would reload the fixtures"],
] as const;

function refuseExcluded(options: StartOptions): void {
  const isGiven = (key: keyof StartFlags): boolean => (options[key] ?? false) !== false;
  for (const [one, other, why] of excluded) {
    if (!isGiven(one) || !isGiven(other)) continue;
    const [first, second] = [one, other].flatMap((key) => pickOptions([key]).map(nameOf));
    throw new UsageError(`options '--${first}' and '--${second}' cannot be combined: ${why}`);
  }
}

const defaultAddress = { port: defaultPort, host: defaultHost };

/** Serves fixtures until the user stops it. Rejects with an `EmulatorError` if it cannot start. */
export async function serveUntilStopped(options: StartOptions, io: Io): Promise<number> {
  const log = createLog(options.log ?? "pretty", io);
  const place = fixturePlace(options.fixtures, io.cwd);
  const record = await loadRecorder(options, place, io);
  const kept = await keptTables(options, log);
  const watcher = options.watch === true ? await import("./watch.ts") : undefined;
  const watch = await watcher?.followChanges(place, { cwd: io.cwd, log });
  try {
    const fixtures = await loadToServe(place, { options, io });
    // Listen only now: no handler can run while large fixtures are read, so until then Ctrl-C must end the process
    // directly.
    const stopped = io.untilStopped(options.exportOnExit === undefined ? 0 : 1);
    const { port, host } = { ...defaultAddress, ...fixtures.settings, ...options };
    const address = { port, host };
    const recording = await record?.(fixtures, { options, place, io, log, address });
    // Ctrl-C also ends waiting for the database.
    const making = makeCore(fixtures, { options, log, recording, kept, watch });
    const core = await Promise.race([making, stopped]);
    if (core === undefined) return exitCodes.done;
    const leave = await exportAtEnd(core, { options, place, io, kept });
    const server = await serve({ core }, address);
    log.ready(readyFacts(core, server.url, { place, watching: watch !== undefined }));
    warnIfOpen(server, io, log.warned);
    warnIfRefused(server, log.warned);
    tellWhatIsServed(fixtures, { log, io, recording, kept });
    const load = (signal: AbortSignal): Promise<FixtureSet> =>
      loadToServe(place, { options, io, signal });
    watch?.connect({ core, place, load, log });
    await stopped;
    // Stop a reload that may be under way: nobody needs its fixtures any more.
    watch?.close();
    // Recording stops first, since connections that this server cuts must not be recorded as broken.
    const recorded = recording?.finish();
    await server.close();
    await leave?.();
    const unused = tellUnused(core, { io, warn: log.warned });
    return ((await recorded) ?? exitCodes.done) || unused;
  } finally {
    watch?.close();
    await kept?.close();
  }
}

/** The recorder, if requested. Rejects if these fixtures have no place for recordings. */
async function loadRecorder(
  options: StartOptions,
  place: FixturePlace,
  { cwd }: Io,
): Promise<typeof recordMisses | undefined> {
  if (options.record === undefined && options.recordTables === undefined) return undefined;
  const recorder = await import("../record/record-misses.ts");
  recorder.refuseToRecord(place, cwd);
  return recorder.recordMisses;
}

/** The shared tables, if requested. Rejects if they are impossible here. */
async function keptTables(options: StartOptions, log: Log): Promise<ServerTables | undefined> {
  if (options.tables === undefined) return undefined;
  const { keepTables } = await import("./shared-tables.ts");
  return keepTables(options.tables, log);
}

/** Reports tables in PostgreSQL, a running recording, and expired cassettes. */
function tellWhatIsServed(
  fixtures: FixtureSet,
  {
    log,
    io,
    recording,
    kept,
  }: Pick<CoreContext<MissesRecording>, "log" | "recording" | "kept"> & { io: Io },
): void {
  kept?.tell();
  if (recording !== undefined) recording.tell();
  else keepFresh(fixtures, { now: io.now(), warn: log.warned });
}

interface CoreContext<Recording = RunningRecording> {
  readonly options: StartOptions;
  readonly log: Log;
  readonly recording: Recording | undefined;
  readonly kept?: ServerTables | undefined;
  readonly watch?: Changes | undefined;
}

/** Makes the core of a server. Real services only answer while recording. */
export async function makeCore(
  fixtures: FixtureSet,
  { options, log, recording, kept, watch }: CoreContext,
): Promise<Core> {
  // The real service checks the keys instead.
  const auth = recording === undefined ? {} : { auth: false };
  const { fixtures: served, ...recorded } = recording?.serves ?? { fixtures };
  const { upstream, ...strict } = recorded;
  const core = new Core(served, emulatorSettings({ ...options, ...auth, ...strict }), {
    extras: nodeExtras,
    observer: observerOf(log),
    timers: nodeTimers,
    folder: watch?.folder,
    ...(upstream === undefined ? {} : { upstream }),
    ...(kept === undefined ? {} : { sharedTables: kept.shared }),
  });
  await kept?.begin(core);
  return core;
}

interface ExportContext extends Pick<CoreContext, "options" | "kept"> {
  readonly place: FixturePlace;
  readonly io: Io;
}

/** Writes the state on exit; undefined if not requested. Rejects if that is impossible. */
async function exportAtEnd(
  core: Core,
  { options, place, io, kept }: ExportContext,
): Promise<(() => Promise<void>) | undefined> {
  const { exportOnExit: file, log = "pretty" } = options;
  if (file === undefined) return undefined;
  const { prepareExport } = await import("../export/export-on-exit.ts");
  const write = await prepareExport(file, { core, place, cwd: io.cwd });
  return async () => {
    const { reportWritten } = await import("../write-file.ts");
    const isReported = log === "pretty";
    if (isReported) io.stderr.write(`writing the state to ${file} …\n`);
    await (kept === undefined ? write() : kept.upToDate(write));
    if (isReported) reportWritten("the state", file, io);
  };
}
