import type { InterfaceName } from "../../../core/interface.ts";
import { type EmulatorError, invalidOption } from "../../../core/errors/emulator-error.ts";
import type { FixtureSet } from "../../../core/fixture-set/fixture-set.ts";
import {
  isContinuous,
  modeFor,
  type RecordMode,
  recordPlan,
} from "../../../core/recordings/record-mode.ts";
import { loadRecorder } from "../extras.ts";
import { cassetteFolder, prepareFolder } from "../../node/cassette-folder.ts";
import { nodeTimers } from "../../node/timers.ts";
import {
  type RecordingUpstream,
  recordingUpstream,
} from "../../node/upstream/recording-upstream.ts";
import { proxyFrom } from "../../node/upstream/proxy.ts";
import { exitCodes, type Io } from "../io.ts";
import type { Log } from "../log.ts";
import { writeReason } from "../write-file.ts";
import { keepFresh } from "./upkeep.ts";
import { join, resolve } from "node:path";

/** What is recorded, and how. */
export interface RecordingSetup {
  readonly asked: RecordingUpstream["asked"];
  readonly upstreams: Readonly<Partial<Record<InterfaceName, string>>>;
  /** Where Backlot itself listens. */
  readonly address: { readonly host: string; readonly port: number };
  /** With the rules, and the cassettes to continue. */
  readonly fixtures: FixtureSet;
  /** The mode. Default: `all` if the service answers every request, else `new`; in continuous integration `none`. */
  readonly mode: RecordMode | undefined;
  /** The folder, as the user wrote it. */
  readonly out: string;
  readonly as: "cassettes" | "scripts";
  readonly io: Io;
  readonly log: Log;
}

/** A running recording. */
export interface RunningRecording {
  /** What the emulator serves in the meantime. Without the service, requests that are not recorded are refused. */
  readonly serves: {
    readonly fixtures: FixtureSet;
    readonly strict?: true;
    readonly upstream?: RecordingUpstream;
  };
  /** Stops recording unfinished exchanges, writes complete ones, and resolves with the exit code. */
  readonly finish: () => Promise<number>;
}

/** Starts recording. Rejects with `ERR_OPTION_INVALID` if nothing could be written. */
export async function beginRecording(setup: RecordingSetup): Promise<RunningRecording> {
  const { asked, upstreams, fixtures, out, as, io, log } = setup;
  refuseOwnAddress(setup);
  const rules = fixtures.recording;
  const { cassettes, records } = replayedOf(setup);
  const path = resolve(io.cwd, out);
  await prepareFolder(path).catch((error: unknown) => {
    throw cannotRecord(out, error);
  });
  const { failed } = log;
  const folder = cassetteFolder(path, (file, error) => failed(cannotWrite(join(out, file), error)));
  const isRaw = as === "cassettes";
  const { Recorder } = await loadRecorder();
  const recorder = new Recorder({
    rules,
    upstreams,
    recordedAt: new Date(io.now()).toISOString(),
    continued: cassettes,
    changed: (cassette) => (isRaw ? folder.put(cassette) : undefined),
  });
  const upstream = recordingUpstream({
    asked,
    services: upstreams,
    recorder,
    rules,
    timers: nodeTimers,
    proxyTo: proxyFrom(io.env),
    notRecorded: (exchange) => log.recording({ event: "not-recorded", ...exchange }),
    failed,
  });
  const finish = async (): Promise<number> => {
    const unfinished = await upstream.finish();
    upstream.close();
    const done = {
      event: "recorded",
      out,
      exchanges: recorder.kept,
      unfinished,
      secrets: recorder.likelySecrets(),
      redacted: rules.secrets !== "warn",
    } as const;
    if (isRaw) {
      const isWhole = await folder.finish();
      log.recording({ ...done, files: folder.written(), remarks: [] });
      return isWhole ? exitCodes.done : exitCodes.problem;
    }
    const { writeScripts } = await import("./write-scripts.ts");
    const written = await writeScripts(recorder.cassettes(), { rules, path, out, failed });
    if (written === undefined) return exitCodes.problem;
    log.recording({ ...done, ...written });
    return exitCodes.done;
  };
  return {
    serves: {
      fixtures: { ...fixtures, cassettes },
      ...(records ? { upstream } : { strict: true }),
    },
    finish,
  };
}

/** The mode of this run. Warns if nothing is recorded although no mode was given. */
function modeOf({ mode: given, asked, as, io, log }: RecordingSetup): RecordMode {
  const mode = modeFor(given, io.env, asked === "always" ? "all" : "new");
  if (as === "scripts" && mode !== "all") {
    throw invalidOption(
      `Cannot record scripts in mode ${mode}${mode === "none" ? ", the default in CI" : ""}: only cassettes can be replayed. Add --mode all, or leave out --as scripts.`,
    );
  }
  if (mode === "none" && given === undefined) {
    log.warned(
      "Nothing is recorded: the mode is none, the default in CI. To record all the same, add --mode new.",
    );
  }
  return mode;
}

/** The cassettes to replay, and whether anything is recorded. Expired cassettes are left out. */
function replayedOf(setup: RecordingSetup): {
  readonly cassettes: FixtureSet["cassettes"];
  readonly records: boolean;
} {
  const { fixtures, io, log } = setup;
  const mode = modeOf(setup);
  const isRecording = mode !== "none" && !isContinuous(io.env);
  const cassettes =
    mode === "all" ? [] : keepFresh(fixtures, { now: io.now(), isRecording, warn: log.warned });
  const isWhole = cassettes.length > 0 && cassettes.length === fixtures.cassettes.length;
  return { cassettes, records: recordPlan(mode, isWhole).records };
}

function cannotRecord(out: string, error: unknown): EmulatorError {
  const { code } = error as Partial<NodeJS.ErrnoException>;
  const reason = code === "EEXIST" ? "it is not a folder" : writeReason(error);
  return invalidOption(
    `Cannot record into ${JSON.stringify(out)}: ${reason}. Name another folder.`,
    error,
  );
}

function cannotWrite(file: string, error: unknown): EmulatorError {
  return invalidOption(
    `Cannot write ${JSON.stringify(file)}: ${writeReason(error)}. Its recordings are kept in memory and written with the next one or at the end.`,
    error,
  );
}

/** Refuses a service with the recorder's own address, since it would call itself without end. */
function refuseOwnAddress({ upstreams, address: { host, port } }: RecordingSetup): void {
  for (const upstream of Object.values(upstreams)) {
    const url = new URL(upstream);
    const isLocal = [host, "localhost", "127.0.0.1", "[::1]", "0.0.0.0"].includes(url.hostname);
    if (!isLocal || Number(url.port || (url.protocol === "https:" ? 443 : 80)) !== port) continue;
    throw invalidOption(
      `Cannot record ${upstream}: this is where Backlot itself listens. Give it another --port.`,
    );
  }
}
