import { jsonTextReply, noAnswer, type Reply } from "../../http/reply.ts";
import { type Completion, lengthOf } from "../completion/completion.ts";
import { completionJson, completionTime } from "./completion-json.ts";
import { completionStream } from "./completion-stream.ts";
import type { AdmittedRequest } from "../request/read-request.ts";
import type { ChatContext } from "../context.ts";
import { drawFaults, faultyJson, jsonFaults, mayGoWrong } from "../faults/apply-faults.ts";
import { chatErrors, errorReply } from "../errors.ts";

/** Characters of all choices together: well below what a string can hold, escapes and framing included. */
const longestAnswer = 32_000_000;

const streamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
  "x-accel-buffering": "no",
};

/** A completion as a reply: a stream when the request asks for one, else JSON. What is to go wrong does. */
export function completionReply(
  { request }: AdmittedRequest,
  completion: Completion,
  context: ChatContext,
): Reply {
  const length = lengthOf(completion);
  if (length > longestAnswer) return errorReply(chatErrors.answerTooLarge(length, longestAnswer));
  const drawn = drawFaults(completion, context.random);
  const { answeredBy } = drawn;
  if (drawn.fault?.kind === "hang") return { ...noAnswer("hang"), answeredBy };
  return request.stream
    ? streamReply(drawn, request.includeUsage, context)
    : wholeReply(drawn, context);
}

function streamReply(
  completion: Completion,
  includeUsage: boolean,
  { random, speed }: ChatContext,
): Reply {
  const { headers, answeredBy, isMiss } = completion;
  const stream = completionStream(completion, { includeUsage, random, speed });
  const { frames, end } = stream;
  if (end.how === "reset" && frames.length === 0) {
    return { ...noAnswer("reset"), delayMs: end.at, answeredBy };
  }
  return {
    status: 200,
    headers: { ...streamHeaders, ...headers },
    body: { kind: "stream", stream },
    answeredBy,
    isMiss,
  };
}

function wholeReply(completion: Completion, { random, speed }: ChatContext): Reply {
  const { answeredBy, isMiss } = completion;
  const delayMs = speed === 0 ? 0 : completionTime(completion, random) / speed;
  const { status, headers, body } = jsonTextReply(
    200,
    completionJson(completion),
    completion.headers,
  );
  const reply: Reply = { status, headers, body, delayMs, answeredBy, isMiss };
  return mayGoWrong(completion) ? faultyJson(reply, jsonFaults(completion)) : reply;
}
