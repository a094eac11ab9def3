import { jsonReply, type Reply } from "../http/reply.ts";
import { type Completion, lengthOf } from "./completion.ts";
import { completionJson, completionTime } from "./completion-json.ts";
import { completionStream } from "./completion-stream.ts";
import type { Asked } from "./compose.ts";
import type { ChatContext } from "./context.ts";
import { chatErrors, errorReply } from "./errors.ts";

/** Characters of all choices together: well below what a string can hold, escapes and framing included. */
const longestAnswer = 32_000_000;

const streamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
  "x-accel-buffering": "no",
};

/** A completion as a reply: a stream when the request asks for one, else JSON. */
export function completionReply(
  { request }: Asked,
  completion: Completion,
  context: ChatContext,
): Reply {
  const length = lengthOf(completion);
  if (length > longestAnswer) return errorReply(chatErrors.answerTooLarge(length, longestAnswer));
  const { headers, answeredBy } = completion;
  const { random, speed } = context;
  if (request.stream) {
    const { includeUsage } = request;
    const stream = completionStream(completion, { includeUsage, random, speed });
    return {
      status: 200,
      headers: { ...streamHeaders, ...headers },
      body: { kind: "stream", stream },
      answeredBy,
    };
  }
  const delayMs = speed === 0 ? 0 : completionTime(completion, random) / speed;
  return { ...jsonReply(200, completionJson(completion), headers), delayMs, answeredBy };
}
