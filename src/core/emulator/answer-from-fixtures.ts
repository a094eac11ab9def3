import type { Reply } from "../http/reply.ts";
import type { Exchange } from "./exchange.ts";

/** Answers a call. A rejection is a bug in the emulator. */
export type AnswerCall = (exchange: Exchange) => Promise<Reply>;

/** Answers from tables and scripts alone: no faults, recordings or real service. */
export const answerFromFixtures: AnswerCall = async (exchange) => {
  const { route } = exchange;
  const reply = await (route.known ? route.interface.answer(exchange) : answerElsewhere(exchange));
  return isMisplaced(exchange, reply) ? withBody(exchange, reply) : reply;
};

/** Whether a request to a wrong path may have a body that has not been read. */
function isMisplaced({ call, entry }: Exchange, reply: Reply): boolean {
  if (reply.status !== 404 && reply.status !== 405) return false;
  const mayHaveBody = !/^(?:GET|HEAD|OPTIONS)$/.test(call.method);
  return entry !== undefined && call.received === undefined && mayHaveBody;
}

/** Reads the body, so that the journal shows it to those who look for the mistake. */
async function withBody({ call }: Exchange, reply: Reply): Promise<Reply> {
  // A front that is too busy to read the body still answers.
  await call.readBody().catch(() => undefined);
  return reply;
}

/**
 * Answers a path that no interface has. The root points to the console or the API; other paths that seem to mean rows
 * get a hint where these are.
 */
async function answerElsewhere(exchange: Exchange): Promise<Reply> {
  const { call, route, settings } = exchange;
  const isRoot = route.path === "/" && /^(?:GET|HEAD|OPTIONS)$/.test(call.method);
  if (isRoot && route.interface.guides(settings)) {
    const { indexReply } = await import("./index-reply.ts");
    return indexReply(call, settings);
  }
  const { rowsElsewhere } = await import("./rows-elsewhere.ts");
  return route.interface.answerElsewhere(exchange, rowsElsewhere(exchange));
}
