import { interfaceOf } from "../exchange.ts";
import { retryAfter } from "../../chat/errors.ts";
import {
  type FaultDelay,
  type FaultRule,
  longestDelayMs,
  type PlannedFault,
} from "../../fixture-set/format/fault-format.ts";
import { type Answerer, type AnswerScene, labelOf } from "../../http/answerer.ts";
import { isPreflight } from "../../http/cors.ts";
import { type PlannedError, type Reply, noAnswer } from "../../http/reply.ts";
import { failTables } from "../../rest/answer-tables.ts";
import type { RestStages, TableFaults } from "../../rest/stages.ts";
import type { AnswerCall } from "../answer-from-fixtures.ts";
import type { ReceivedCall } from "../received-call.ts";
import type { ResolvedSettings } from "../settings.ts";

/**
 * Answers a call as ever, unless a fault that is planned in its session acts on it. Then nothing of the state changes
 * but random numbers and how often the fault still acts. A delay alone holds the usual answer back.
 */
export async function answerWithFaults(
  received: ReceivedCall,
  settings: ResolvedSettings,
  answer: AnswerCall,
): Promise<Reply> {
  // A page learns nothing of a preflight that fails.
  if (isPreflight(received.call)) return answer(received, settings);
  const stages = await settings.restProfile.stages();
  const { state } = received.session;
  const planned = state.faults.take(matchesRule(received, stages.faults), state.random);
  if (planned === undefined) return answer(received, settings);
  const { id, status, fault, delayMs = 0 } = planned;
  const ms = drawDelay(delayMs, state.random);
  const isDelay = status === undefined && fault === undefined;
  const reply = isDelay
    ? delayedBy(id, await answer(received, settings))
    : await fail(planned, received, { settings, stages });
  return ms === 0 ? reply : { ...reply, delayMs: (reply.delayMs ?? 0) + ms };
}

interface Failing {
  readonly settings: ResolvedSettings;
  readonly stages: RestStages;
}

/** Fails in place of the service. Nobody looks at the body, but it is read, so that the journal shows it. */
async function fail(
  planned: PlannedFault,
  received: ReceivedCall,
  failing: Failing,
): Promise<Reply> {
  const { id, status, fault = "hang" } = planned;
  await received.call.readBody();
  const reply =
    status === undefined
      ? noAnswer(fault)
      : await errorReply(errorOf(planned, status), received, failing);
  return { ...reply, answeredBy: faultAnswerer(id) };
}

function errorOf({ id, message, retryAfterMs }: PlannedFault, status: number): PlannedError {
  return {
    status,
    message: message ?? `This request was planned to fail, by ${id}.`,
    headers: retryAfterMs === undefined ? {} : retryAfter(retryAfterMs),
  };
}

/** An error in the form of the interface that is asked. */
async function errorReply(
  error: PlannedError,
  { call, route, session }: ReceivedCall,
  { settings, stages }: Failing,
): Promise<Reply> {
  const { cors } = settings;
  if (route.interface === "rest") return failTables(call, error, { stages, cors });
  const { failChat } = await import("../../chat/answer-chat.ts");
  return failChat(call, error, {
    now: session.now,
    cors,
    createId: session.state.createId,
  });
}

/** A fault that answered in the service's place. */
function faultAnswerer(id: string): Answerer {
  return { label: () => id, details: () => ({ fault: id }) };
}

/** The reply, which says in the log and the journal that a fault had it wait. */
function delayedBy(id: string, { answeredBy, ...reply }: Reply): Reply {
  const label = (scene: AnswerScene): string => {
    const usual = labelOf(answeredBy, scene);
    return usual === undefined ? `delayed by ${id}` : `${usual}, delayed by ${id}`;
  };
  const details: Answerer["details"] = (scene) => ({
    ...(typeof answeredBy === "object" ? answeredBy.details(scene) : {}),
    fault: id,
  });
  return { ...reply, answeredBy: { label, details } };
}

/** Tells whether a rule is about a call. All that a rule says of requests has to hold. */
function matchesRule(
  { call, route }: Pick<ReceivedCall, "call" | "route">,
  { isOfTable }: TableFaults,
): (rule: FaultRule) => boolean {
  const isOf = (table: string): boolean =>
    route.interface === "rest" && route.known && isOfTable(route.path, table);
  return ({ interface: asked, method, path, table }) =>
    (asked === undefined || interfaceOf(asked) === route.interface) &&
    (method === undefined || method === call.method) &&
    (path === undefined || call.path.startsWith(path)) &&
    (table === undefined || isOf(table));
}

/** How long a fault holds an answer back this time, in milliseconds. Never longer than `longestDelayMs`. */
export function drawDelay(delay: FaultDelay, random: () => number): number {
  if (typeof delay === "number") return delay;
  if ("min" in delay) return delay.min + (delay.max - delay.min) * random();
  const drawn = delay.median * Math.exp(delay.sigma * drawNormal(random));
  return Math.min(drawn, longestDelayMs);
}

/** A number of the normal distribution around 0 with a standard deviation of 1, by the method of Box and Muller. */
function drawNormal(random: () => number): number {
  // Not 0, of which there is no logarithm.
  const distance = Math.sqrt(-2 * Math.log(1 - random()));
  return distance * Math.cos(2 * Math.PI * random());
}
