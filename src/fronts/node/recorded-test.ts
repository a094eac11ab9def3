import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { type Emulator, emulatorFrom, fixtureSetFrom } from "../../core/emulator/emulator.ts";
import { invalidOption } from "../../core/errors/emulator-error.ts";
import type {
  NamedCassette,
  RecordedRequest,
  Recording,
  RecordingRules,
} from "../../core/replay/cassette.ts";
import { agePattern, hasExpired } from "../../core/replay/expiry.ts";
import {
  isContinuous,
  modeFor,
  type RecordMode,
  recordPlan,
} from "../../core/replay/record-mode.ts";
import { describeUnused } from "../../core/replay/unused-recordings.ts";
import { defined } from "../../core/schema/json.ts";
import type { EmulatorSettings } from "../../core/settings/settings.ts";
import { loadRecorder, nodeExtras } from "./extras.ts";
import { makeFolders } from "./make-folders.ts";
import { replaceFile } from "./replace-file.ts";
import { nodeTimers } from "./timers.ts";
import { proxyFrom } from "./upstream/proxy.ts";
import { recordingUpstream } from "./upstream/recording-upstream.ts";

/** A cassette for each test: recorded from real services once, and replayed from then on. */
export interface TestRecording {
  /** Base URL of the real chat service, such as `https://api.example.com/v1`. */
  readonly upstream?: string;
  /** Base URL of its tables, such as `https://db.example.com/rest`. */
  readonly restUpstream?: string;
  /** Default: the environment variable `BACKLOT_RECORD`; without it `none` in CI (`CI` is set), else `once`. */
  readonly mode?: RecordMode;
  /** The folder of the cassettes, beside the test file. Default: `__cassettes__`. */
  readonly folder?: string;
  /** The age at which cassettes are recorded anew, such as `30d`, `12h` or `90m`; mode `none` and CI warn. Default: never. */
  readonly expiresIn?: string;
  /** What happens if a passing test has not used all its recordings. Default: `warn`. */
  readonly unusedRecordings?: RecordingRules["unusedRecordings"];
  /** Changes a recording, or leaves it out with `undefined`, after keys are removed and before it is written. */
  readonly redact?: (recording: Recording) => Recording | undefined;
  /** What a request is compared by, recorded or sent: without what may differ. Default: the request. */
  readonly sameRequest?: (request: RecordedRequest) => RecordedRequest;
}

/** The test that is run. */
interface RunningTest {
  readonly file: string;
  /** With the names of its suites. */
  readonly name: string;
  readonly hasPassed: () => boolean;
}

/** An emulator with the test's cassette. */
export interface RecordedTest {
  readonly emulator: Emulator;
  /** Writes what was recorded, and reports what was not used. Rejects if that is a failure. */
  readonly finish: () => Promise<void>;
}

/** Starts to replay or record a test. */
export async function startRecordedTest(
  recording: TestRecording,
  { fixtures, ...settings }: EmulatorSettings & { readonly fixtures?: unknown },
  test: RunningTest,
): Promise<RecordedTest> {
  const { upstream: chat, restUpstream: rest, folder = "__cassettes__" } = recording;
  const path = resolve(dirname(test.file), folder, tapeName(test));
  const shown = relative(process.cwd(), path);
  // A document with the test's cassettes.
  const tape: unknown = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
  const own = await fixtureSetFrom(tape, {});
  const others = await fixtureSetFrom(fixtures, settings, { extras: nodeExtras });
  const rules = { ...others.recording, ...rulesOf(recording) };
  const isOld = own.cassettes.some((one) => hasExpired(one, rules.expiresIn, Date.now()));
  const mode = modeOf(recording, { isOld, shown });
  const { records, replays } = recordPlan(mode, tape !== undefined);
  const cassettes = replays ? own.cassettes : [];
  const { Recorder } = await loadRecorder();
  const services = defined({ chat, rest });
  const recorder = new Recorder({
    rules,
    upstreams: services,
    recordedAt: new Date().toISOString(),
    continued: cassettes,
    changed() {},
  });
  const upstream = recordingUpstream({
    // Fixtures that are given answer what they can.
    asked: fixtures === undefined ? "always" : "on-miss",
    services,
    recorder,
    rules,
    timers: nodeTimers,
    proxyTo: proxyFrom(process.env),
    notRecorded: ({ method, path: of, reason }) => warn(`not recorded: ${method} ${of}: ${reason}`),
    failed: (error) => warn(String(error)),
  });
  const set = { ...others, recording: rules, cassettes: [...others.cassettes, ...cassettes] };
  const emulator = await emulatorFrom(
    set,
    { auth: false, ...settings, ...(records ? {} : { strict: true }) },
    { extras: nodeExtras, ...(records ? { upstream } : {}) },
  );
  const finish = async (): Promise<void> => {
    await upstream.finish();
    upstream.close();
    if (recorder.kept > 0) {
      const made = new Map([...cassettes, ...recorder.cassettes()].map((one) => [one.name, one]));
      const kept = [...made.values()].map((one) => redacted(one, recording.redact));
      await writeTape(path, kept);
    }
    if (test.hasPassed())
      tellUnused(cassettes, emulator, { shown, unused: rules.unusedRecordings });
    else if (!records && tape === undefined) {
      warn(`${shown} does not exist. Record it with BACKLOT_RECORD=new, and commit it.`);
    }
  };
  return { emulator, finish };
}

/** Says which recordings a test has not used. Throws where that is a failure. */
function tellUnused(
  cassettes: readonly NamedCassette[],
  { core: { plays } }: Emulator,
  { shown, unused }: { readonly shown: string; readonly unused: TestRecording["unusedRecordings"] },
): void {
  if (unused === "ignore") return;
  const message = describeUnused(cassettes, plays, {
    of: ` of ${shown}`,
    how: "BACKLOT_RECORD=all",
  });
  if (message !== undefined && unused === "fail") throw new Error(message);
  if (message !== undefined) warn(message);
}

async function writeTape(path: string, cassettes: readonly NamedCassette[]): Promise<void> {
  await makeFolders(dirname(path));
  await replaceFile(path, [`${JSON.stringify({ cassettes }, undefined, 2)}\n`], {
    isPrivate: true,
  });
}

/** `weather.test/tells the weather.json`: the test's file without its extension, and the test's name. */
function tapeName({ file, name }: RunningTest): string {
  const plain = name
    .replaceAll(/[^\p{L}\p{N}._ -]+/gu, "-")
    .slice(0, 100)
    .trim();
  return join(basename(file).replace(/\.[^.]+$/, ""), `${plain === "" ? "test" : plain}.json`);
}

/** What of it fixtures say, too. */
function rulesOf({
  sameRequest,
  expiresIn,
  unusedRecordings,
}: TestRecording): Partial<RecordingRules> {
  if (expiresIn === undefined || agePattern.test(expiresIn)) {
    return defined({ sameRequest, expiresIn, unusedRecordings });
  }
  throw invalidOption(
    `Cannot record: "expiresIn" is ${JSON.stringify(expiresIn)}. Use a time such as "30d", "12h" or "90m".`,
  );
}

/** Without the service, and where nobody looks at it, nothing is recorded anew. */
function modeOf(
  { mode: asked }: TestRecording,
  { isOld, shown }: { readonly isOld: boolean; readonly shown: string },
): RecordMode {
  const mode = modeFor(asked ?? process.env["BACKLOT_RECORD"], process.env, "once");
  if (!isOld) return mode;
  if (mode !== "none" && !isContinuous(process.env)) return "all";
  warn(`${shown} has expired. Record it anew with BACKLOT_RECORD=all.`);
  return mode;
}

function redacted(cassette: NamedCassette, redact: TestRecording["redact"]): NamedCassette {
  const { recordings } = cassette;
  if (redact === undefined) return cassette;
  return { ...cassette, recordings: recordings.flatMap((one) => redact(one) ?? []) };
}

function warn(message: string): void {
  process.stderr.write(`[backlot] ${message}\n`);
}
