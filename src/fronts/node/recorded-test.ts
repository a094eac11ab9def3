import { join, relative } from "node:path";
import { type Emulator, emulatorFrom, fixtureSetFrom } from "../../core/emulator/emulator.ts";
import { invalidOption } from "../../core/errors/emulator-error.ts";
import { visibleLines } from "../../core/errors/visible-text.ts";
import type {
  NamedCassette,
  RecordedRequest,
  Recording,
  RecordingRules,
} from "../../core/recordings/cassette.ts";
import { agePattern, hasExpired } from "../../core/recordings/expiry.ts";
import {
  isContinuous,
  modeFor,
  type RecordMode,
  recordPlan,
} from "../../core/recordings/record-mode.ts";
import { describeUnused } from "../../core/recordings/unused-recordings.ts";
import { defined } from "../../core/schema/json.ts";
import type { EmulatorSettings } from "../../core/settings/settings.ts";
import { loadRenewed, loadRecorder, nodeExtras, type Recorder } from "./extras.ts";
import { warnOrThrow, warn } from "./warn-or-throw.ts";
import { missingCassette } from "./missing-cassette.ts";
import { readTape, writeTape } from "./tape-file.ts";
import { namedTape, tapeFolder } from "./tape-place.ts";
import { nodeTimers } from "./timers.ts";
import { proxyFrom } from "./upstream/proxy.ts";
import {
  type RecordingUpstream,
  recordingUpstream,
  type UpstreamOptions,
} from "./upstream/recording-upstream.ts";

/** Gives each test a cassette, recorded from real services once and replayed from then on. */
export interface TestRecording {
  /** Base URL of the real chat service, such as `https://api.example.com/v1`. */
  readonly upstream?: string;
  /** Base URL of the real tables service, such as `https://db.example.com/rest`. */
  readonly tablesUpstream?: string;
  /**
   * The name of one cassette for all tests that name it, also those of other files: `weather` is
   * `__cassettes__/weather.json`. Unused recordings of it are not reported, since other tests may use them. Default: a
   * cassette for each test, by the test's name.
   */
  readonly name?: string;
  /**
   * Default: the environment variable `BACKLOT_RECORD`; without it `none` in CI (`CI` is set), else `once`, and `new` for
   * a cassette with a `name`.
   */
  readonly mode?: RecordMode;
  /** The folder of the cassettes, beside the test file. Default: `__cassettes__`. */
  readonly folder?: string;
  /** The age at which cassettes are recorded anew, such as `30d`, `12h` or `90m`; mode `none` and CI warn. Default: never. */
  readonly expiresIn?: string;
  /**
   * What happens if a passing test has not used all its recordings, or no test requests a cassette any more. Default:
   * `warn`.
   */
  readonly unusedRecordings?: RecordingRules["unusedRecordings"];
  /**
   * What replay ignores in requests: places such as `body.user`, and matches such as `{ regex: "\\d{4}-\\d\\d-\\d\\d" }`,
   * besides those of the fixtures. Default: nothing.
   */
  readonly volatile?: RecordingRules["volatile"];
  /** Changes a recording, or leaves it out with `undefined`, after keys are removed and before it is written. */
  readonly redact?: (recording: Recording) => Recording | undefined;
  /**
   * The form in which a request, recorded or sent, is compared: without the parts that may differ. Default: the request
   * as it is.
   */
  readonly sameRequest?: (request: RecordedRequest) => RecordedRequest;
}

/** The test that is run. */
interface RunningTest {
  readonly file: string;
  /** The name of its cassette's file. */
  readonly tape: string;
  readonly hasPassed: () => boolean;
}

/** The paths of the cassettes that the tests of this process have requested. */
export const askedTapes: Set<string> = new Set();

/** The paths of the named cassettes that did not exist when this process began: mode `once` still records into them. */
const begunTapes: Set<string> = new Set();

/** The emulator of a test, with the test's cassette. */
export interface RecordedTest {
  readonly emulator: Emulator;
  readonly rules: RecordingRules;
  /** Writes what was recorded, and reports unused recordings. Rejects if they count as a failure. */
  readonly finish: () => Promise<void>;
}

/** Starts to replay or record a test. */
export async function startRecordedTest(
  recording: TestRecording,
  { fixtures, ...settings }: EmulatorSettings & { readonly fixtures?: unknown },
  test: RunningTest,
): Promise<RecordedTest> {
  const { upstream: chat, tablesUpstream: tables } = recording;
  const path = tapePath(recording, test);
  askedTapes.add(path);
  const shown = relative(process.cwd(), path);
  const tape = await readTape(path);
  const own = tape ?? [];
  const others = await fixtureSetFrom(fixtures, settings, { extras: nodeExtras });
  const rules = rulesOf(recording, others.recording);
  const isOld = own.some((one) => hasExpired(one, rules.expiresIn, Date.now()));
  const mode = modeOf(recording, { isOld, shown });
  const { records, replays } = recordPlan(mode, tape !== undefined && !begunTapes.has(path));
  if (tape === undefined && recording.name !== undefined) begunTapes.add(path);
  const cassettes = replays ? own : [];
  const services = defined({ chat, tables });
  // With fixtures, the service only answers what they do not.
  const asked = fixtures === undefined ? "always" : "on-miss";
  const missing = missingCassette({
    asked,
    services,
    shown,
    cassettes: tape,
    how: inMode(recording, "new"),
  });
  const { recorder, upstream } = await startRecorder({ asked, services, rules, cassettes });
  const set = { ...others, recording: rules, cassettes: [...others.cassettes, ...cassettes] };
  const emulator = await emulatorFrom(
    set,
    { auth: false, ...settings, ...(records ? {} : { strict: true }) },
    { extras: nodeExtras, upstream: records ? upstream : missing },
  );
  const finish = async (): Promise<void> => {
    await upstream.finish();
    upstream.close();
    if (recorder.kept > 0) {
      const made = new Map([...cassettes, ...recorder.cassettes()].map((one) => [one.name, one]));
      const kept = [...made.values()].map((one) => redacted(one, recording.redact));
      const isShared = recording.name !== undefined && !replays;
      await writeTape(path, kept, isShared ? await renewedOf(own, recorder, rules) : own);
    }
    // Thrown here, too, since a test that ignores errors would pass.
    const refusal = missing.firstRefusal();
    if (refusal !== undefined) throw new Error(visibleLines(refusal));
    if (!test.hasPassed() || recording.name !== undefined) return;
    const of = ` of ${shown}`;
    const unused = describeUnused(cassettes, emulator.core.plays, {
      of,
      how: inMode(recording, "all"),
    });
    if (unused !== undefined) warnOrThrow(unused, rules.unusedRecordings);
  };
  return { emulator, rules, finish };
}

/** Starts the recorder, with connections to the real services. */
async function startRecorder({
  asked,
  services,
  rules,
  cassettes,
}: Pick<UpstreamOptions, "asked" | "services" | "rules"> & {
  readonly cassettes: readonly NamedCassette[];
}): Promise<{ readonly recorder: Recorder; readonly upstream: RecordingUpstream }> {
  const { Recorder: TapeRecorder } = await loadRecorder();
  const recorder = new TapeRecorder({
    rules,
    upstreams: services,
    recordedAt: new Date().toISOString(),
    continued: cassettes,
    changed() {},
  });
  const upstream = recordingUpstream({
    asked,
    services,
    recorder,
    rules,
    timers: nodeTimers,
    proxyTo: proxyFrom(process.env),
    notRecorded: ({ method, path, reason }) => warn(`not recorded: ${method} ${path}: ${reason}`),
    failed: (error) => warn(String(error)),
  });
  return { recorder, upstream };
}

/** How to choose a mode, as text: code wins over the environment. */
function inMode({ mode }: TestRecording, wanted: RecordMode): string {
  return mode === undefined ? `BACKLOT_RECORD=${wanted}` : `mode: "${wanted}"`;
}

/** The file of a test's cassette. */
function tapePath(recording: TestRecording, { file, tape }: RunningTest): string {
  if (recording.name === undefined) return join(tapeFolder(file, recording), tape);
  return namedTape(recording.name, { ...recording, file });
}

/** What is replaced in a shared cassette: the rest of it belongs to other tests. */
async function renewedOf(
  own: readonly NamedCassette[],
  recorder: Recorder,
  rules: RecordingRules,
): Promise<readonly NamedCassette[]> {
  const { keepRenewed } = await loadRenewed();
  return keepRenewed(own, recorder.cassettes(), rules);
}

/** The rules of the fixtures, and the options that are rules, too. */
function rulesOf(
  { sameRequest, expiresIn, unusedRecordings, volatile = [] }: TestRecording,
  ofFixtures: RecordingRules,
): RecordingRules {
  if (expiresIn === undefined || agePattern.test(expiresIn)) {
    return {
      ...ofFixtures,
      ...defined({ sameRequest, expiresIn, unusedRecordings }),
      volatile: [...volatile, ...ofFixtures.volatile],
    };
  }
  throw invalidOption(
    `Cannot record: "expiresIn" is ${JSON.stringify(expiresIn)}. Use a time such as "30d", "12h" or "90m".`,
  );
}

/**
 * The mode of a test. In mode `none` and in continuous integration, expired cassettes are replayed with a warning, not
 * recorded again.
 */
function modeOf(
  recording: TestRecording,
  { isOld, shown }: { readonly isOld: boolean; readonly shown: string },
): RecordMode {
  // Tests of other files may have begun a cassette with a name.
  const usual = recording.name === undefined ? "once" : "new";
  const mode = modeFor(recording.mode ?? process.env["BACKLOT_RECORD"], process.env, usual);
  if (!isOld) return mode;
  if (mode !== "none" && !isContinuous(process.env)) return "all";
  warn(`${shown} has expired. Record it anew with ${inMode(recording, "all")}.`);
  return mode;
}

function redacted(cassette: NamedCassette, redact: TestRecording["redact"]): NamedCassette {
  const { recordings } = cassette;
  if (redact === undefined) return cassette;
  return { ...cassette, recordings: recordings.flatMap((one) => redact(one) ?? []) };
}
