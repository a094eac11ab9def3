import type { Patience } from "./answer.ts";
import { isPlaceholder } from "../../../core/replay/placeholders.ts";
import { type CompiledRules, compileRules } from "../../../core/replay/recording-rules.ts";
import type { EmulatorSettings } from "../../../core/fixture-set/settings.ts";
import type { Extras } from "../../../core/emulator/extras.ts";
import { EmulatorError } from "../../../core/errors/emulator-error.ts";
import type { FixtureSet } from "../../../core/fixture-set/fixture-set.ts";
import type { Timers } from "../../../core/http/scheduler.ts";
import { type Emulated, emulatedService } from "./ask-emulator.ts";
import { type Service, askService, spacedTurns } from "./ask-service.ts";
import { cassetteSteps } from "./cassette-steps.ts";
import { compareAnswers, type Sides } from "./compare.ts";
import { contractSteps } from "./contract-steps.ts";
import { subjectOf } from "./subject.ts";
import type { Drift } from "./drift.ts";
import { type VerifiedRequest, type VerifyReport, countOutcomes } from "./report.ts";
import { type VerifyStep, isRead, requestLine } from "./step.ts";

/** What is verified against what. */
export interface VerifySetup {
  readonly fixtures: FixtureSet;
  /** What `/v1` is of the service, without a slash at its end. */
  readonly against?: string | undefined;
  /** What `/rest` is of the service, without a slash at its end. */
  readonly restAgainst?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly token?: string | undefined;
  /** Whether requests that change something are sent. Default false. */
  readonly writes?: boolean | undefined;
  /** Default: the cassettes of an interface, and the contract of one that has none. */
  readonly only?: "cassettes" | "contract" | undefined;
  /** How many requests a second are sent at most. Default 5. */
  readonly rate?: number | undefined;
  /** Milliseconds that an answer of the service may take. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** How the emulator behaves where its fixtures do not say so. */
  readonly settings?: EmulatorSettings | undefined;
}

/** What verification works in. */
interface VerifySurroundings {
  /** As the global `fetch`. */
  readonly fetch: (request: Request) => Promise<Response>;
  readonly timers: Timers;
  /** What the emulator has besides the core. Default: nothing. */
  readonly extras?: Extras;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** Requests that are ready to be sent, one after another. */
export interface Verification {
  readonly steps: readonly VerifyStep[];
  /** Asks both and compares. Rejects where the service cannot be reached. */
  readonly run: (step: VerifyStep) => Promise<VerifiedRequest>;
}

const defaultRate = 5;
const defaultTimeoutMs = 60_000;

/** Gets ready what is to be asked. Rejects with `ERR_OPTION_INVALID` where that is nothing. */
export async function prepareVerification(
  setup: VerifySetup,
  surroundings: VerifySurroundings,
): Promise<Verification> {
  const { fixtures, only, writes = false } = setup;
  const { extras = {} } = surroundings;
  const { patience, service } = serviceOf(setup, surroundings);
  const hasCassettes = (room: "chat" | "rest"): boolean =>
    only !== "contract" && fixtures.cassettes.some((cassette) => cassette.interface === room);
  const replayed = only === "contract" ? [] : fixtures.cassettes;
  if (only === "cassettes" && replayed.length === 0) {
    throw refusal("the fixtures have no cassettes. Record some with backlot record.");
  }
  const settings = { ...setup.settings, strict: false };
  // Recordings are replayed from the first, and nothing goes wrong by plan.
  const recorded = emulatedService({ ...fixtures, state: {} }, settings, extras);
  const bare = emulatedService(withoutScripts(fixtures), settings, extras);
  const contract =
    only === "cassettes"
      ? []
      : contractSteps({
          subject: await subjectOf(fixtures, bare, patience),
          writes,
          hasKey: { chat: setup.apiKey !== undefined, rest: setup.token !== undefined },
          random: surroundings.random(),
        });
  const checks = contract.filter(
    ({ interface: room }) => !hasCassettes(room) && service.urls[room] !== undefined,
  );
  const steps = [...cassetteSteps(replayed, fixtures.recording), ...checks];
  const context = (emulated: Emulated): VerifyContext => {
    return { service, emulated, rules: compileRules(fixtures.recording), writes };
  };
  return {
    steps,
    run: (step) => verifyStep(step, context("check" in step.source ? bare : recorded)),
  };
}

/** Sends everything, one request after another, and reports. `told` hears of each as it is done. */
export async function verify(
  setup: VerifySetup,
  surroundings: VerifySurroundings,
  told: (request: VerifiedRequest) => void = () => undefined,
): Promise<VerifyReport> {
  const { steps, run } = await prepareVerification(setup, surroundings);
  const requests: VerifiedRequest[] = [];
  for (const step of steps) {
    const request = await run(step);
    requests.push(request);
    told(request);
  }
  const { against: chat, restAgainst: rest } = setup;
  const against = {
    ...(chat === undefined ? {} : { chat }),
    ...(rest === undefined ? {} : { rest }),
  };
  return { version: 1, against, counts: countOutcomes(requests), requests };
}

function serviceOf(
  setup: VerifySetup,
  { fetch, timers }: VerifySurroundings,
): { readonly patience: Patience; readonly service: Service } {
  const { against, restAgainst, apiKey, token } = setup;
  if (against === undefined && restAgainst === undefined) {
    throw refusal("no service was named. Name one with --against <url> or --rest-against <url>.");
  }
  const patience = { timers, timeoutMs: setup.timeoutMs ?? defaultTimeoutMs };
  const service: Service = {
    urls: { chat: against, rest: restAgainst },
    keys: { chat: apiKey, rest: token },
    fetch,
    patience,
    turn: spacedTurns(setup.rate ?? defaultRate, timers),
    reached: new Set(),
  };
  return { patience, service };
}

/** The interfaces themselves: what scripts say and what goes wrong by plan is the fixtures' own. */
function withoutScripts(fixtures: FixtureSet): FixtureSet {
  return { ...fixtures, scripts: [], cassettes: [], state: {} };
}

function refusal(problem: string): EmulatorError {
  return new EmulatorError("ERR_OPTION_INVALID", `Cannot verify: ${problem}`);
}

/** What requests are sent to, and by which rules answers are compared. */
interface VerifyContext {
  readonly service: Service;
  readonly emulated: Emulated;
  readonly rules: CompiledRules;
  /** Whether requests that change something are sent. */
  readonly writes: boolean;
}

/** Milliseconds in which the emulator, which waits for nothing, gives all that it has. */
const quietMs = 300;

/** Asks the service and the emulator, and compares. Rejects where the service cannot be reached. */
async function verifyStep(step: VerifyStep, context: VerifyContext): Promise<VerifiedRequest> {
  const { asked } = step;
  const reason = whySkipped(step, context);
  if (asked === undefined || reason !== undefined) return skipped(step, reason ?? "");
  const { service, emulated } = context;
  const { timers } = service.patience;
  await service.turn();
  const began = timers.now();
  const given = await askService(asked, service);
  const durationMs = timers.now() - began;
  if ("unsendable" in given) return skipped(step, given.unsendable);
  const patience = step.isUnfinished === true ? { idleMs: quietMs } : {};
  const expected = await emulated.ask(asked, { ...service.patience, ...patience });
  const { drifts, leftOut } = compareStep(step, { service: given, emulator: expected }, context);
  return {
    ...head(step),
    outcome: drifts.length === 0 ? "same" : "drift",
    drifts: drifts.map((drift) => withoutKeys(drift, service)),
    leftOut,
    durationMs: Math.round(durationMs),
  };
}

function whySkipped(
  { asked, skipped: reason }: VerifyStep,
  context: VerifyContext,
): string | undefined {
  if (reason !== undefined || asked === undefined) return reason;
  if (context.service.urls[asked.interface] === undefined) {
    return asked.interface === "chat"
      ? "no address of chat was given (--against)"
      : "no address of the tables was given (--rest-against)";
  }
  if (context.writes || isRead(asked)) return undefined;
  return "it may change something; --writes sends it";
}

function skipped(step: VerifyStep, reason: string): VerifiedRequest {
  const nothing = { drifts: [], leftOut: [], durationMs: 0 };
  return { ...head(step), outcome: "skipped", reason, ...nothing };
}

function head({
  source,
  interface: room,
  asked,
}: VerifyStep): Pick<VerifiedRequest, "source" | "interface" | "request"> {
  return {
    source,
    interface: room,
    request: asked === undefined ? undefined : requestLine(asked),
  };
}

function compareStep(
  step: VerifyStep,
  sides: Sides,
  { rules }: VerifyContext,
): ReturnType<typeof compareAnswers> {
  const { known, stable, isUnfinished = false } = step;
  const { drifts, leftOut } = compareAnswers(sides, {
    stable,
    volatile: rules.volatile,
    isRedacted: (text) => isPlaceholder(text, rules),
    isUnfinished,
    ...(known === undefined ? {} : { known }),
  });
  return { drifts: [...drifts, ...compareFacts(step, sides)], leftOut };
}

/** What holds of one answer and not of the other. Nothing can be said of answers that are no success. */
function compareFacts({ facts = [] }: VerifyStep, { service, emulator }: Sides): readonly Drift[] {
  const [given, expected] = [service, emulator].map(({ status, body }) =>
    status === 200 && body.kind === "json" ? body.value : undefined,
  );
  if (given === undefined || expected === undefined) return [];
  return facts.flatMap(({ name, holds }) => {
    const [there, here] = [holds(given), holds(expected)].map((is) => (is ? "yes" : "no"));
    if (there === undefined || here === undefined || there === here) return [];
    return [{ place: `body.result: ${name}`, service: there, emulator: here }];
  });
}

/** A service may say the key again, in an error or a header. */
function withoutKeys(drift: Drift, { keys }: Service): Drift {
  const secrets = [keys.chat, keys.rest].flatMap((key) => (key ? [keyPattern(key)] : []));
  const clean = (text: string): string =>
    secrets.reduce((left, key) => left.replaceAll(key, "[key]"), text);
  const { place, service, emulator } = drift;
  return { place: clean(place), service: clean(service), emulator: clean(emulator) };
}

/** A shorter key is found as a word of its own only: it is a part of many. */
const shortestAnywhere = 6;

function keyPattern(key: string): RegExp {
  const literal = key.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return new RegExp(key.length < shortestAnywhere ? `(?<!\\w)${literal}(?!\\w)` : literal, "g");
}
