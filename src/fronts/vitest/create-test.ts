import {
  type RunnerTask,
  type RunnerTestFile,
  type RunnerTestSuite,
  test,
  type TestAPI,
} from "vitest";
import type { AnyTables } from "../../core/emulator/typed-tables.ts";
import type { Emulator, EmulatorOptions, EmulatorSession } from "../../core/emulator/emulator.ts";
import type { SessionOptions } from "../../core/emulator/session-options.ts";
import type { Snapshot } from "../../core/emulator/state.ts";
import type { RecordingRules } from "../../core/recordings/cassette.ts";
import type { TestRecording } from "../node/recorded-test.ts";
import {
  type EmulatorError,
  invalidOption,
  refuseUnknown,
} from "../../core/errors/emulator-error.ts";
import { checkEmulatorOptions } from "../../core/settings/resolve-settings.ts";
import { type EmulatorSettings, settingNames } from "../../core/settings/settings.ts";
import { type CollectionTables, createEmulator, type TablesOf } from "../../index.ts";
import { connect } from "../node/connect.ts";
import type { RemoteSession } from "../remote/connect.ts";

/** What a test gets as `backlot`: a session of its own. */
export interface TestSession<Tables = AnyTables> extends EmulatorSession<Tables> {
  /** The session's id, for clients that send it themselves: in a base URL that ends in `/@<id>`, or in a header. */
  readonly id: string;
}

/** An existing emulator, such as the one of a server. */
export interface GivenEmulator<Tables = AnyTables> {
  readonly emulator: Emulator<Tables>;
  /**
   * A snapshot of the emulator, or the name of one, from which each session starts. Default: the base session at that
   * time.
   */
  readonly from?: string | Snapshot;
}

/** A running server, started by `backlot exec` or by a global setup with `serveTests`. */
export interface ServedEmulator {
  /** Such as `inject("backlot")`, or `process.env.BACKLOT_URL`. */
  readonly url: string | URL | undefined;
  /** The server's control token, if it has one. */
  readonly controlToken?: string;
  /** The name of a snapshot from which each session starts. Default: the base session at that time. */
  readonly from?: string;
}

/** Options of `createEmulator`, and a cassette for each test. */
export interface RecordedEmulator<Fixtures = unknown> extends EmulatorOptions<Fixtures> {
  readonly recording: TestRecording;
}

/** Vitest's `test`, whose functions get a session of a server as `backlot`. */
export type ServedTest<Fixtures = unknown> = TestAPI<{
  readonly backlot: RemoteSession<Fixtures>;
}>;

/** Vitest's `test`, whose functions get `backlot` too. */
export type BacklotTest<Tables = AnyTables> = TestAPI<{ readonly backlot: TestSession<Tables> }>;

/**
 * Makes a `test` for vitest that gives each test a session of its own as `backlot`; from vitest 4 on, each retry, too.
 * All tests of a file share one emulator, which is created when the first test needs it; its base session stays
 * unchanged. Tests may run concurrently. With a `url`, the emulator is that of a server, which all files can share, and the session's functions are
 * asynchronous: `createTest<typeof fixtures>({ url })` gives the types of rows.
 *
 * @example
 * const test = createTest({ fixtures: { tables: { users: [{ id: 1, name: "Ada" }] } } });
 * test("finds a user", ({ backlot }) => {
 *   expect(backlot.tables.users.get(1)?.name).toBe("Ada");
 * });
 */
export function createTest<Fixtures = unknown>(options: ServedEmulator): ServedTest<Fixtures>;
export function createTest<Tables>(options: GivenEmulator<Tables>): BacklotTest<Tables>;
export function createTest<const Fixtures = unknown, const Given extends CollectionTables = never>(
  options?: RecordedEmulator<Fixtures> | EmulatorOptions<Fixtures, Given>,
): BacklotTest<TablesOf<Fixtures, Given>>;
export function createTest<Fixtures, Tables>(
  options:
    | ServedEmulator
    | RecordedEmulator
    | EmulatorOptions<unknown, CollectionTables>
    | GivenEmulator<Tables> = {},
): ServedTest<Fixtures> | BacklotTest<Tables> {
  if ("url" in options) return servedTest<Fixtures>(options);
  if ("emulator" in options) return givenTest<Tables>(options);
  return "recording" in options ? recordedTest<Tables>(options) : ownTest<Tables>(options);
}

function recordedTest<Tables>({
  recording,
  tables,
  observer,
  ...options
}: RecordedEmulator): BacklotTest<Tables> {
  refuseRecording(recording, { tables, observer });
  checkEmulatorOptions(options);
  return test.extend<{
    readonly backlot: TestSession<Tables>;
    readonly recorded: RecordedTests;
  }>({
    recorded: [
      // Vitest reads from this pattern that no other fixture is needed.
      // oxlint-disable-next-line no-empty-pattern
      async ({}, use) => {
        const recorded: RecordedTests = {};
        await use(recorded);
        const { file, tapes, rules = {} } = recorded;
        if (file === undefined || tapes === undefined) return;
        const { finishRecordedFile } = await import("../node/recorded-file.ts");
        const tests = Array.from(tapes, ([task, tape]) => {
          return { tape, hasPassed: task.result?.state === "pass" };
        });
        const { filepath: path, projectName: project = "" } = file;
        finishRecordedFile({ path, project, tests }, recording, rules);
      },
      { scope: "file" },
    ],
    backlot: async ({ task, recorded }, use) => {
      const { startRecordedTest } = await import("../node/recorded-test.ts");
      recorded.tapes ??= await tapesOf(task.file);
      const { emulator, rules, finish } = await startRecordedTest(recording, options, {
        file: task.file.filepath,
        tape: recorded.tapes.get(task) ?? "",
        hasPassed: () => task.result?.state !== "fail" && !task.result?.errors?.length,
      });
      recorded.file = task.file;
      recorded.rules = rules;
      const id = nextSessionId();
      // The static type of the document is assumed for the emulator's tables.
      await use({ id, ...(emulator as Emulator<Tables>).session(id) });
      await finish();
    },
  });
}

/** A file's tests with cassettes; known once one of them has run. */
interface RecordedTests {
  file?: RunnerTestFile;
  /** The names of the cassettes of all the file's tests. */
  tapes?: ReadonlyMap<RunnerTask, string>;
  rules?: Pick<RecordingRules, "unusedRecordings">;
}

/** The names of the cassettes of all tests of a file, including skipped ones. */
async function tapesOf(file: RunnerTestFile): Promise<ReadonlyMap<RunnerTask, string>> {
  const { tapeNames } = await import("../node/tape-place.ts");
  const tasks = testsIn(file);
  const names = tapeNames({ project: file.projectName ?? "", tests: tasks.map(fullName) });
  return new Map(tasks.map((task, index) => [task, names[index] ?? ""]));
}

function testsIn(suite: RunnerTestSuite): readonly RunnerTask[] {
  return suite.tasks.flatMap((task) => (task.type === "suite" ? testsIn(task) : [task]));
}

/** A test's name, with the names of its suites. */
function fullName(task: RunnerTask): string {
  const names = [task.name];
  for (let { suite } = task; suite !== undefined; suite = suite.suite) {
    if (suite.name !== "") names.unshift(suite.name);
  }
  return names.join(" ");
}

const recordingNames: readonly (keyof TestRecording)[] = [
  "upstream",
  "tablesUpstream",
  "name",
  "mode",
  "folder",
  "expiresIn",
  "unusedRecordings",
  "volatile",
  "redact",
  "sameRequest",
];

function refuseRecording(recording: TestRecording, others: object): void {
  refuseUnknown(recording, recordingNames, { cannot: "Cannot record tests", noun: "option" });
  const [other] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  if (other !== undefined) throw refusal(`"${other}" cannot be combined with "recording".`);
  if (recording.upstream === undefined && recording.tablesUpstream === undefined) {
    throw refusal('"recording" names no service. Give "upstream", "tablesUpstream" or both.');
  }
  const { name, unusedRecordings = "ignore" } = recording;
  if (name !== undefined && unusedRecordings !== "ignore") {
    throw refusal(
      '"unusedRecordings" cannot be combined with the "name" of a cassette, whose recordings other tests may use. Leave one of them out.',
    );
  }
}

function servedTest<Fixtures>({
  url,
  controlToken,
  from,
  ...others
}: ServedEmulator): ServedTest<Fixtures> {
  refuseSettings(others, '"url", whose server');
  if (url === undefined) {
    throw refusal(
      '"url" is undefined. Name a file with `export default serveTests(emulator)` in vitest\'s "globalSetup", ' +
        "or run vitest with `backlot exec -- vitest run`.",
    );
  }
  const server = connect<Fixtures>(url, controlToken === undefined ? {} : { controlToken });
  return test.extend<{ readonly backlot: RemoteSession<Fixtures> }>({
    // Vitest reads from this pattern that no other fixture is needed.
    // oxlint-disable-next-line no-empty-pattern
    backlot: async ({}, use) => {
      // Each file has modules of its own, or even a process, in which a counter would start over.
      const session = server.session(`vitest-${crypto.randomUUID()}`);
      try {
        if (from !== undefined) await session.begin({ from });
        await use(session);
      } finally {
        await session.forget();
      }
    },
  });
}

/** Makes a `test` that uses an existing emulator. */
function givenTest<Tables>({
  emulator,
  from,
  ...others
}: GivenEmulator<Tables>): BacklotTest<Tables> {
  refuseSettings(others, '"emulator", which');
  if (!isEmulator(emulator)) {
    throw refusal(`"emulator" is not an emulator. Pass the result of \`await createEmulator()\`.`);
  }
  return testOf(() => Promise.resolve(emulator), from === undefined ? undefined : { from });
}

/** Makes a `test` that creates an emulator when the first test needs it. */
function ownTest<Tables>(options: EmulatorOptions<unknown, CollectionTables>): BacklotTest<Tables> {
  checkEmulatorOptions(options);
  let made: Promise<Emulator<unknown>> | undefined;
  // The static types of the options are assumed for the emulator's tables.
  return testOf(() => (made ??= createEmulator(options)) as Promise<Emulator<Tables>>);
}

/** Makes a `test`. Without a `start`, a session starts when it is first used. */
function testOf<Tables>(
  emulator: () => Promise<Emulator<Tables>>,
  start?: SessionOptions,
): BacklotTest<Tables> {
  return test.extend<{ readonly backlot: TestSession<Tables> }>({
    // Vitest reads from this pattern that no other fixture is needed.
    // oxlint-disable-next-line no-empty-pattern
    backlot: async ({}, use) => {
      const shared = await emulator();
      const id = nextSessionId();
      try {
        await use({ id, ...shared.session(id, start) });
      } finally {
        shared.core.sessions.delete(id);
      }
    },
  });
}

let sessionsMade = 0;

/** Counts across emulators, since several calls of `createTest` may share one. */
function nextSessionId(): string {
  sessionsMade++;
  return `vitest-${sessionsMade}`;
}

/** The options that are not settings of the emulator. */
const besideOthers = Object.keys({
  url: true,
  controlToken: true,
  from: true,
  emulator: true,
  recording: true,
  fixtures: true,
  tables: true,
  observer: true,
} satisfies Readonly<
  Record<keyof (ServedEmulator & GivenEmulator), true> &
    Record<Exclude<keyof RecordedEmulator, keyof EmulatorSettings>, true>
>);

/** Throws for settings, since an existing emulator has its own. */
function refuseSettings(others: object, beside: string): void {
  const given = Object.fromEntries(
    Object.entries(others).filter(([, value]) => value !== undefined),
  );
  const [other] = Object.keys(given);
  if (other === undefined) return;
  refuseUnknown(given, [...besideOthers, ...settingNames], {
    cannot: "Cannot make a test",
    noun: "option",
  });
  throw refusal(
    `"${other}" cannot be combined with ${beside} already has its settings. Give one of the two.`,
  );
}

function isEmulator(value: unknown): boolean {
  return typeof value === "object" && value !== null && "session" in value && "core" in value;
}

function refusal(problem: string): EmulatorError {
  return invalidOption(`Cannot make a test: ${problem}`);
}
