import type { Reply } from "../http/reply.ts";
import type { ReceivedCall } from "./received-call.ts";

/** Answers a call. A rejection is a bug in the emulator. */
export type AnswerCall = (received: ReceivedCall) => Promise<Reply>;

/** Answers from tables and scripts alone: no faults, recordings or real service. */
export const answerFromFixtures: AnswerCall = async (received) => {
  const { route } = received;
  const reply = await (route.known ? route.interface.answer(received) : answerElsewhere(received));
  return isMisplaced(received, reply) ? withBody(received, reply) : reply;
};

/** Whether a request for which there is no place may have a body that nobody has read. */
function isMisplaced({ call: { method, received }, entry }: ReceivedCall, reply: Reply): boolean {
  if (reply.status !== 404 && reply.status !== 405) return false;
  return entry !== undefined && received === undefined && !/^(?:GET|HEAD|OPTIONS)$/.test(method);
}

/** Reads the body, since whoever looks for the mistake in the journal looks there. */
async function withBody({ call }: ReceivedCall, reply: Reply): Promise<Reply> {
  // A front that is too busy to read it still answers.
  await call.readBody().catch(() => undefined);
  return reply;
}

/** Answers a path of no interface: the root leads on, and other paths learn where the rows are that they mean. */
async function answerElsewhere(received: ReceivedCall): Promise<Reply> {
  const { call, route, settings } = received;
  const isRoot = route.path === "/" && /^(?:GET|HEAD|OPTIONS)$/.test(call.method);
  if (isRoot && route.interface.guides(settings)) {
    const { indexReply } = await import("./index-reply.ts");
    return indexReply(call, settings);
  }
  const { rowsElsewhere } = await import("./rows-elsewhere.ts");
  return route.interface.answerElsewhere(received, rowsElsewhere(received));
}
