import { drawDelay } from "../../chat/delay.ts";
import { retryAfter } from "../../chat/errors.ts";
import type { FaultRule, PlannedFault } from "../../fixture-set/format/fault-format.ts";
import { type Answerer, type AnswerScene, labelOf } from "../../http/answerer.ts";
import { type PlannedError, type Reply, noAnswer } from "../../http/reply.ts";
import { isPreflight } from "../../http/cors.ts";
import { failTables } from "../../tables/answer-tables.ts";
import type { TableFaults } from "../../tables/profile-answers.ts";
import type { AnswerCall } from "../answer-from-fixtures.ts";
import type { ReceivedCall } from "../received-call.ts";
import type { ResolvedSettings } from "../../settings/resolve-settings.ts";

/** With the value `none`, no planned fault acts on the request. */
const faultsHeader = "x-backlot-faults";

/**
 * Answers a call, unless a planned fault of its session acts on it. A fault changes nothing of the state except
 * random numbers and its own counter. A delay alone holds back the usual answer.
 */
export async function answerWithFaults(
  received: ReceivedCall,
  settings: ResolvedSettings,
  answer: AnswerCall,
): Promise<Reply> {
  const { call } = received;
  // A page cannot see why a preflight fails. Who only looks, as the console does, uses up no fault.
  if (isPreflight(call) || call.headers[faultsHeader] === "none") return answer(received, settings);
  const answers = await settings.tablesProfile.answers();
  const { state } = received.session;
  const taken = state.faults.take(matchesRule(received, answers.faults), state.random);
  if (taken === undefined) return answer(received, settings);
  // Tables have no streams, and errors in a form of their own.
  const isTableError = taken.fault === "error" && received.route.interface === "tables";
  const planned = isTableError ? { ...taken, status: 500 } : taken;
  const ms = drawDelay(planned.delayMs ?? 0, state.random);
  const reply = comesBefore(planned)
    ? await fail(planned, received, settings)
    : await spoil(planned, await answer(received, settings));
  return ms === 0 ? reply : { ...reply, delayMs: (reply.delayMs ?? 0) + ms };
}

/** Whether a fault answers in place of the service. */
function comesBefore({ status, fault, afterChunks = 0 }: PlannedFault): boolean {
  return status !== undefined || fault === "hang" || (fault === "reset" && afterChunks === 0);
}

/** The service's answer, with what goes wrong in it. */
async function spoil({ id, fault, afterChunks = 0 }: PlannedFault, reply: Reply): Promise<Reply> {
  if (fault === undefined) return markedBy(id, "delayed by", reply);
  const { breakReply } = await import("../../chat/faults/apply-faults.ts");
  return markedBy(id, `${fault} by`, breakReply(reply, { kind: fault, afterChunks }));
}

/** Answers in place of the service. Reads the body only to show it in the journal. */
async function fail(
  { id, status, fault, message, retryAfterMs }: PlannedFault,
  received: ReceivedCall,
  settings: ResolvedSettings,
): Promise<Reply> {
  await received.call.readBody();
  // A fault that answered in the service's place.
  const answeredBy: Answerer = { label: () => id, details: () => ({ fault: id }) };
  if (status === undefined) {
    return { ...noAnswer(fault === "reset" ? "reset" : "hang"), answeredBy };
  }
  const error = {
    status,
    message: message ?? `This request fails as planned by ${id}.`,
    headers: retryAfterMs === undefined ? {} : retryAfter(retryAfterMs),
  };
  return { ...(await errorReply(error, received, settings)), answeredBy };
}

/** An error in the form of the call's interface. */
async function errorReply(
  error: PlannedError,
  { call, route, session }: ReceivedCall,
  { cors, tablesProfile }: ResolvedSettings,
): Promise<Reply> {
  if (route.interface === "tables") {
    return failTables(call, error, { answers: await tablesProfile.answers(), cors });
  }
  const { failChat } = await import("../../chat/answer-chat.ts");
  return failChat(call, error, {
    now: session.now,
    cors,
    createId: session.state.createId,
  });
}

/** The reply, marked with what a fault did to it for the log and the journal. */
// oxlint-disable-next-line max-params
function markedBy(id: string, what: string, { answeredBy, ...reply }: Reply): Reply {
  const label = (scene: AnswerScene): string => {
    const usual = labelOf(answeredBy, scene);
    return usual === undefined ? `${what} ${id}` : `${usual}, ${what} ${id}`;
  };
  const details: Answerer["details"] = (scene) => ({
    ...(typeof answeredBy === "object" ? answeredBy.details(scene) : {}),
    fault: id,
  });
  return { ...reply, answeredBy: { label, details } };
}

/** Tells whether a rule applies to a call: all its conditions must hold. */
function matchesRule(
  { call, route }: Pick<ReceivedCall, "call" | "route">,
  { isOfTable }: TableFaults,
): (rule: FaultRule) => boolean {
  const isOf = (table: string): boolean =>
    route.interface === "tables" && route.known && isOfTable(route.path, table);
  return ({ interface: asked, method, path, table }) =>
    (asked === undefined || asked === route.interface) &&
    // Who asks what a path allows uses up no fault, unless it is for them.
    (method === undefined ? call.method !== "OPTIONS" : method === call.method) &&
    (path === undefined || call.path.startsWith(path)) &&
    (table === undefined || isOf(table));
}
