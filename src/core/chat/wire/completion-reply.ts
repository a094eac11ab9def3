import { jsonReply, noAnswer, type Reply } from "../../http/reply.ts";
import {
  callsIn,
  type Completion,
  type CompletionChoice,
  lengthOf,
  mayGoWrong,
  type Step,
  textIn,
} from "../completion/completion.ts";
import type { ChatContext } from "../context.ts";
import { chatErrors, errorReply } from "../errors.ts";
import { drawFaults, faultyJson, jsonFaults } from "../faults/apply-faults.ts";
import type { ChatRequest } from "../request/chat-request.ts";
import type { Pace } from "../scripts/script.ts";
import { completionStream } from "./completion-stream.ts";
import { layOut } from "./timeline.ts";

/** The most characters of all choices: well below a string's limit, escapes and framing included. */
const longestAnswer = 32_000_000;

const streamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
  "x-accel-buffering": "no",
};

/** A completion as a reply: a stream if the request asks for one, else JSON. Applies its faults. */
export function completionReply(
  { stream, includeUsage }: ChatRequest,
  completion: Completion,
  context: ChatContext,
): Reply {
  const length = lengthOf(completion);
  if (length > longestAnswer) return errorReply(chatErrors.answerTooLarge(length, longestAnswer));
  const drawn = mayGoWrong(completion) ? drawFaults(completion, context.random) : completion;
  const { answeredBy } = drawn;
  if (drawn.fault?.kind === "hang") return { ...noAnswer("hang"), answeredBy };
  return stream ? streamReply(drawn, includeUsage, context) : wholeReply(drawn, context);
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
  const { status, headers, body } = jsonReply(200, bodyOf(completion), completion.headers);
  const reply: Reply = { status, headers, body, delayMs, answeredBy, isMiss };
  return mayGoWrong(completion) ? faultyJson(reply, jsonFaults(completion)) : reply;
}

/** When a JSON reply is complete: when its stream would end. In milliseconds at speed 1. */
function completionTime({ choices, pace, tokenizer }: Completion, random: () => number): number {
  const timed = choices.filter(({ steps }) => takesTime(steps, pace));
  const lists = new Set(timed.map(({ steps }) => steps));
  const ends = [...lists].map((steps) => layOut(steps, { ...pace, tokenizer }, { random }).end);
  return Math.max(0, ...ends);
}

/** Whether a choice takes any time. If not, its end is known without a timeline. */
function takesTime(steps: readonly Step[], pace: Pace): boolean {
  const { firstTokenMs = 0, gapMs = 0, tokensPerSecond } = pace;
  const waits = steps.some((step) => step.kind === "wait" && step.ms > 0);
  return waits || firstTokenMs > 0 || gapMs > 0 || tokensPerSecond !== undefined;
}

/** The body of a JSON reply. Written out, since spreading takes a microsecond; undefined values are left out. */
function bodyOf({ id, created, model, choices, usage }: Completion): object {
  return {
    id,
    object: "chat.completion",
    created,
    model,
    choices: choices.map(choiceOf),
    usage,
    system_fingerprint: null,
  };
}

function choiceOf(choice: CompletionChoice, index: number): object {
  const { steps, callIds, finishReason, logprobs } = choice;
  const calls = callsIn(steps).map(({ index: place, name, arguments: text }) => {
    return { id: callIds[place], type: "function", function: { name, arguments: text } };
  });
  const message = {
    role: "assistant",
    content: textIn(steps, "content"),
    refusal: textIn(steps, "refusal"),
    reasoning_content: textIn(steps, "reasoning") ?? undefined,
    tool_calls: calls.length > 0 ? calls : undefined,
  };
  return { index, message, logprobs, finish_reason: finishReason };
}
