import { counted } from "../errors/show.ts";
import type { AnswerEnd, Reply, ReplyBody } from "../http/reply.ts";
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
  const place = body.kind === "stream" ? ` after ${counted(chunksSent, "chunk")}` : "";
  if (isAllSent(body, outcome)) {
    if (fault !== undefined) return { ended: fault.ended, problem: `fault ${fault.kind}${place}` };
    if (how === "hang") return { ended: "stalled", problem: `hang${place}` };
  }
  if (aborted) return { ended: "aborted", problem: `left by the client${place}` };
  if (how === "reset") return { ended: "reset", problem: `reset${place}` };
  return { ended: status >= 400 ? "refused" : "complete" };
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
