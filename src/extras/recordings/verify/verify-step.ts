import type { RecordingRules } from "../../../core/replay/cassette.ts";
import { type Place, readPlace } from "../../../core/replay/recording-path.ts";
import type { Answer } from "./answer.ts";
import type { Emulated } from "./ask-emulator.ts";
import { askService, type Service } from "./ask-service.ts";
import { isRead, requestLine } from "./asked.ts";
import { compareAnswers } from "./compare.ts";
import type { Drift } from "./drift.ts";
import { placeholdersOf } from "./placeholders.ts";
import type { VerifiedRequest } from "./report.ts";
import type { Step } from "./step.ts";

/** What requests are sent to, and by which rules answers are compared. */
export interface VerifyContext {
  readonly service: Service;
  readonly emulated: Emulated;
  readonly rules: RecordingRules;
  /** Whether requests that change something are sent. */
  readonly writes: boolean;
}

/** Milliseconds in which the emulator, which waits for nothing, gives all that it has. */
const quietMs = 300;

/** Asks the service and the emulator, and compares. Rejects where the service cannot be reached. */
export async function verifyStep(step: Step, context: VerifyContext): Promise<VerifiedRequest> {
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

function whySkipped({ asked, skipped: reason }: Step, context: VerifyContext): string | undefined {
  if (reason !== undefined || asked === undefined) return reason;
  if (context.service.urls[asked.interface] === undefined) {
    return asked.interface === "chat"
      ? "no address of chat was given (--against)"
      : "no address of the tables was given (--rest-against)";
  }
  if (context.writes || isRead(asked)) return undefined;
  return "it may change something; --writes sends it";
}

function skipped(step: Step, reason: string): VerifiedRequest {
  const nothing = { drifts: [], leftOut: [], durationMs: 0 };
  return { ...head(step), outcome: "skipped", reason, ...nothing };
}

function head({
  source,
  interface: room,
  asked,
}: Step): Pick<VerifiedRequest, "source" | "interface" | "request"> {
  return {
    source,
    interface: room,
    request: asked === undefined ? undefined : requestLine(asked),
  };
}

interface Sides {
  readonly service: Answer;
  readonly emulator: Answer;
}

function compareStep(
  step: Step,
  sides: Sides,
  { rules }: VerifyContext,
): ReturnType<typeof compareAnswers> {
  const { known, stable, isUnfinished = false } = step;
  const { drifts, leftOut } = compareAnswers(sides, {
    stable,
    volatile: placesOf(rules.volatile),
    isRedacted: placeholdersOf(rules).is,
    isUnfinished,
    ...(known === undefined ? {} : { known }),
  });
  return { drifts: [...drifts, ...compareFacts(step, sides)], leftOut };
}

function placesOf(paths: readonly string[]): readonly Place[] {
  return paths.map(readPlace);
}

/** What holds of one answer and not of the other. Nothing can be said of answers that are no success. */
function compareFacts({ facts = [] }: Step, { service, emulator }: Sides): readonly Drift[] {
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
