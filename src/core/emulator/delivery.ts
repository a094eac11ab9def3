import { counted } from "../errors/show.ts";
import { type EventStream, textOf } from "../http/event-stream.ts";
import type { AnswerEnd } from "../http/answer-end.ts";
import type { AnswerFault, Reply, ReplyBody } from "../http/reply.ts";
import { asObject } from "../schema/json.ts";

/** How sending a reply went. */
export interface Delivery {
  /** Frames sent of a streamed body; else 0. */
  readonly chunksSent: number;
  /** Bytes of the body sent. Default: 0. */
  readonly bytes?: number | undefined;
  /** Whether the client went away before the end. */
  readonly aborted: boolean;
}

/** How an answer ended for its client, and why it broke off if it did. */
export function endOf(
  reply: Reply,
  outcome: Delivery,
): { readonly ended: AnswerEnd; readonly problem?: string | undefined } {
  const { status, body, fault } = reply;
  const { chunksSent, aborted } = outcome;
  if (body.kind === "no-answer") {
    // The client may have left before the fault broke the connection.
    const broken = aborted ? "aborted" : "reset";
    const ended = body.how === "hang" ? "hung" : broken;
    return { ended, problem: `no answer: fault ${body.how}` };
  }
  const { how } = body.kind === "stream" ? body.stream.end : { how: "close" };
  if (isAllSent(body, outcome)) {
    if (fault !== undefined) {
      const problem = `fault ${fault.kind}${placeOf(reply, chunksSent, fault)}`;
      return { ended: fault.ended, problem };
    }
    if (how === "hang") return { ended: "stalled", problem: `hang${placeOf(reply, chunksSent)}` };
  }
  if (aborted) {
    return { ended: "aborted", problem: `left by the client${placeOf(reply, chunksSent)}` };
  }
  if (how === "reset") return { ended: "reset", problem: `reset${placeOf(reply, chunksSent)}` };
  return { ended: status >= 400 ? "refused" : "complete" };
}

/** Where a stream broke, as `afterChunks` of a fault counts: comments are no chunks. */
function placeOf({ body, headers }: Reply, sent: number, fault?: AnswerFault): string {
  if (body.kind !== "stream") return "";
  const isOfEvents = headers["content-type"]?.includes("event-stream") === true;
  const chunks = isOfEvents ? eventsAmong(body.stream, sent) : sent;
  return ` after ${counted(fault?.afterChunks ?? chunks, "chunk")}`;
}

/** How many of a stream's first frames are events. The others are comments. */
function eventsAmong({ frames }: EventStream, sent: number): number {
  const first = frames.slice(0, sent);
  return first.filter((frame) => frame.isHeaded === true || /^data:/m.test(textOf(frame))).length;
}

function isAllSent(body: ReplyBody, { chunksSent, aborted }: Delivery): boolean {
  return body.kind === "stream" ? chunksSent >= body.stream.frames.length : !aborted;
}

/** The message of an error, with its hint, in the format of either interface. A recorded answer may have any format. */
export function refusalIn(body: unknown): string | undefined {
  const { error, hint } = asObject(body) ?? {};
  const message = asObject(error)?.["message"] ?? error;
  if (typeof message !== "string" || typeof hint !== "string") {
    return typeof message === "string" ? message : undefined;
  }
  return `${message}${/[.!?]$/.test(message) ? "" : "."} ${hint}`;
}
