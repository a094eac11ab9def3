import { drawDelay } from "../../chat/delay.ts";
import { retryAfter } from "../../chat/errors.ts";
import type { FaultRule, PlannedFault } from "../../fixture-set/format/fault-format.ts";
import {
  type Answerer,
  type AnswerScene,
  detailsOf,
  labelOf,
  outcomeOf,
} from "../../http/answerer.ts";
import { type Reply, noAnswer } from "../../http/reply.ts";
import { isPreflight } from "../../http/cors.ts";
import type { AnswerCall } from "../answer-from-fixtures.ts";
import type { Exchange } from "../exchange.ts";

/** With the value `none`, no planned fault acts on the request. */
const faultsHeader = "x-backlot-faults";

/**
 * Answers a call, unless a planned fault of its session acts on it. A fault changes nothing of the state except
 * random numbers and its own counter. A delay alone holds back the usual answer.
 */
export async function answerWithFaults(exchange: Exchange, answer: AnswerCall): Promise<Reply> {
  const { call, route } = exchange;
  // A page cannot see why a preflight fails, and the console only looks, so neither uses up a fault.
  if (isPreflight(call) || call.headers[faultsHeader] === "none") return answer(exchange);
  const { state } = exchange.session;
  const taken = state.faults.take(await matcherFor(exchange), state.random);
  if (taken === undefined) return answer(exchange);
  // An interface without streams answers with the error alone.
  const isWhole = taken.fault === "error" && !route.interface.hasStreams;
  const planned = isWhole ? { ...taken, status: 500 } : taken;
  const ms = drawDelay(planned.delayMs ?? 0, state.random);
  const reply = comesBefore(planned)
    ? await fail(planned, exchange)
    : await spoil(planned, await answer(exchange), exchange);
  return ms === 0 ? reply : { ...reply, delayMs: (reply.delayMs ?? 0) + ms };
}

/** Whether a fault answers in place of the service. */
function comesBefore({ status, fault, afterChunks = 0 }: PlannedFault): boolean {
  return status !== undefined || fault === "hang" || (fault === "reset" && afterChunks === 0);
}

/** Lets a fault damage the service's answer. */
async function spoil(
  { id, fault, afterChunks = 0 }: PlannedFault,
  reply: Reply,
  { route, settings }: Exchange,
): Promise<Reply> {
  if (fault === undefined) return markedBy(id, "delayed by", reply);
  const [{ breakReply }, wire] = await Promise.all([
    import("../../chat/faults/apply-faults.ts"),
    route.interface.wireAt?.(settings, route.path),
  ]);
  return markedBy(id, `${fault} by`, breakReply(reply, { kind: fault, afterChunks }, wire?.faults));
}

/** Lets a fault answer in place of the service. Reads the body only to show it in the journal. */
async function fail(
  { id, status, fault, message, retryAfterMs }: PlannedFault,
  exchange: Exchange,
): Promise<Reply> {
  await exchange.call.readBody();
  // A fault that answered in the service's place.
  const answeredBy: Answerer = {
    label: () => id,
    outcome: () => ({ fault: id }),
    details: () => ({}),
  };
  if (status === undefined) {
    return { ...noAnswer(fault === "reset" ? "reset" : "hang"), answeredBy };
  }
  const error = {
    status,
    message: message ?? `This request fails as planned by ${id}.`,
    isWorded: message !== undefined,
    waitMs: retryAfterMs,
    headers: retryAfterMs === undefined ? {} : retryAfter(retryAfterMs),
  };
  return { ...(await exchange.route.interface.fail(exchange, error)), answeredBy };
}

/** A reply that tells the log and the journal which fault affected it, and how. */
function markedBy(id: string, what: string, { answeredBy, ...reply }: Reply): Reply {
  const label = (scene: AnswerScene): string => {
    const usual = labelOf(answeredBy, scene);
    return usual === undefined ? `${what} ${id}` : `${usual}, ${what} ${id}`;
  };
  const outcome: Answerer["outcome"] = () => ({ ...outcomeOf(answeredBy), fault: id });
  const details: Answerer["details"] = (scene) => detailsOf(answeredBy, scene);
  const takeSize = (): number =>
    typeof answeredBy === "object" ? (answeredBy.takeSize?.() ?? 0) : 0;
  return { ...reply, answeredBy: { label, outcome, details, takeSize } };
}

/** Makes the test whether a rule applies to a call. All conditions of a rule must hold. */
async function matcherFor(exchange: Exchange): Promise<(rule: FaultRule) => boolean> {
  const { call, route, session, settings } = exchange;
  const asked = route.interface;
  const isScoped = session.state.faults.list().some(hasScope);
  const isInScope = isScoped && route.known ? await asked.scopeTest?.(exchange) : undefined;
  const named = session.state.faults.list().flatMap(({ table }) => table ?? []);
  const found = await Promise.all(
    named.map(async (table) => {
      const isOfTable = route.known && (await asked.isOfTable?.(settings, route.path, table));
      return isOfTable === true ? [table] : [];
    }),
  );
  const tables: ReadonlySet<string> = new Set(found.flat());
  const matches = ({ interface: name, method, path, table }: FaultRule): boolean =>
    (name === undefined || name === asked.name) &&
    // An OPTIONS request only uses up faults that are planned for OPTIONS.
    (method === undefined ? call.method !== "OPTIONS" : method === call.method) &&
    (path === undefined || call.path.startsWith(path)) &&
    (table === undefined || tables.has(table));
  return (rule) => matches(rule) && (!hasScope(rule) || isInScope?.(rule) === true);
}

/** Whether a rule looks at the conversation, which must be read for it. */
function hasScope({ when, script }: FaultRule): boolean {
  return when !== undefined || script !== undefined;
}
