import { Core } from "../../../core/emulator/core.ts";
import { defaultHost, startServer } from "../../node/server.ts";
import { nodeTimers } from "../../node/timers.ts";
import { createLog } from "../create-log.ts";
import { observerOf } from "../log.ts";
import { entryPoints } from "../curl-lines.ts";
import { describeFailure, exitCodeFor, exitCodes } from "../describe-failure.ts";
import { nodeExtras } from "../../node/extras.ts";
import { emulatorSettings } from "../emulator-settings.ts";
import { countFixtures } from "../fixture-counts.ts";
import { type FixturePlace, fixturePlace } from "../../node/fixture-place.ts";
import type { Io } from "../io.ts";
import { styleFor } from "../style.ts";
import { commandEnvironment } from "./command-environment.ts";
import type { ExecFlags } from "./exec-options.ts";
import { loadToServe } from "../load-to-serve.ts";
import { runCommand } from "./run-command.ts";

/** What `exec` is told: the options, the command, and fixtures where they were named. */
export interface ExecOptions extends ExecFlags {
  readonly fixtures?: string;
  /** The command and its arguments. */
  readonly command: readonly [name: string, ...args: string[]];
  /** Backlot's own version, for the log. */
  readonly version: string;
}

/**
 * Serves fixtures while a command runs, which finds the server by its environment, and resolves with the command's
 * exit code. Rejects with an `EmulatorError`, before the command runs, when it cannot serve.
 */
export async function exec(options: ExecOptions, io: Io): Promise<number> {
  const { command, version } = options;
  // Stdout is the command's.
  const log = await createLog(options.log ?? "silent", { ...io, stdout: io.stderr });
  const place = fixturePlace(options.fixtures, io.cwd);
  const core = new Core(await loadToServe(place, { options, io }), emulatorSettings(options), {
    extras: nodeExtras,
    observer: observerOf(log),
    timers: nodeTimers,
  });
  const write = await exportAtEnd(core, { options, place, io });
  const server = await startServer({ core }, { port: options.port ?? 0, host: defaultHost });
  log.ready({
    version,
    url: server.url,
    ...entryPoints(core, server.url),
    fixtures: place.label,
    counts: countFixtures(core.fixtures),
    watching: false,
  });
  const [name, ...args] = command;
  const env = { ...io.env, ...commandEnvironment(core, server.url) };
  const tell = teller(io);
  let exitCode: number;
  try {
    exitCode = await runCommand({ name, args, env, cwd: io.cwd, tell });
  } finally {
    await server.close();
  }
  try {
    await write?.();
    return exitCode;
  } catch (error) {
    tell(describeFailure(error));
    // What the command has to say comes first.
    return exitCode === exitCodes.done ? exitCodeFor(error) : exitCode;
  }
}

/** What writes the state when the command is over; undefined where that is not wanted. */
async function exportAtEnd(
  core: Core,
  { options, place, io }: ExportContext,
): Promise<(() => Promise<void>) | undefined> {
  const { exportOnExit } = options;
  if (exportOnExit === undefined) return undefined;
  const { prepareExport } = await import("../export-on-exit.ts");
  return prepareExport(exportOnExit, { core, place, cwd: io.cwd });
}

interface ExportContext {
  readonly options: ExecOptions;
  readonly place: FixturePlace;
  readonly io: Io;
}

/** Tells a line in the colours of errors. */
function teller({ stderr, env }: Io): (text: string) => void {
  const { red } = styleFor(stderr, env);
  return (text) => stderr.write(`${red(text)}\n`);
}
