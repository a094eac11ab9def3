import type { Exchange } from "../../../core/emulator/exchange.ts";
import type { Call, CallBody } from "../../../core/http/call.ts";
import { bytesOf } from "../../../core/http/event-stream.ts";
import type { MaybePromise } from "../../../core/http/maybe-promise.ts";
import type { Reply, ReplyBody } from "../../../core/http/reply.ts";
import type { Playback } from "../../../core/http/scheduler.ts";
import type { AnswerPart, QuestionPart, SentCall, SentReply } from "./messages.ts";
import { ReceivedCall } from "./sent-call.ts";

interface Links {
  readonly send: (message: AnswerPart) => void;
  readonly over: () => void;
}

/** Writes that a client may be behind with, before its worker is sent no more. */
const mostUntaken = 16;

const broken = { kind: "no-answer", how: "reset" } as const;

/** A call that another worker has received, from the side of the one that answers it. */
export class Answering {
  readonly #call: ReceivedCall;
  readonly #links: Links;
  #bodyCame: ((body: CallBody) => void) | undefined;
  #exchange: Exchange | undefined;
  #playback: Playback | undefined;
  #untaken = 0;
  #isLost = false;

  constructor(call: SentCall, links: Links) {
    this.#links = links;
    this.#call = new ReceivedCall(call, (limit) => {
      links.send({ type: "read", limit });
      return new Promise((resolve) => (this.#bodyCame = resolve));
    });
  }

  async answer(give: (call: Call) => MaybePromise<Exchange>): Promise<void> {
    const exchange = await give(this.#call);
    this.#exchange = exchange;
    if (this.#isLost) exchange.settle({ chunksSent: 0, aborted: true });
    else this.#links.send({ type: "reply", reply: sentReply(exchange.reply) });
  }

  /** There is no answer, by a bug of ours. */
  fail(): void {
    this.#links.send({ type: "reply", reply: { status: 0, headers: {}, body: broken } });
  }

  take(question: QuestionPart): void {
    switch (question.type) {
      case "body":
        this.#bodyCame?.(question.body);
        return;
      case "play":
        this.#play();
        return;
      case "taken":
        this.#untaken--;
        if (this.#untaken === mostUntaken - 1) this.#playback?.resume();
        return;
      case "stop":
        this.#playback?.stop();
        return;
      case "settle":
        this.#exchange?.settle(question.outcome);
        this.#links.over();
        return;
      case "ask":
      case "errand":
        return;
    }
  }

  /** The other worker is gone, and its clients with it. */
  lost(): void {
    this.#isLost = true;
    this.#bodyCame?.({ kind: "aborted" });
    this.#call.abort();
    this.#playback?.stop();
    this.#exchange?.settle({ chunksSent: this.#playback?.framesSent() ?? 0, aborted: true });
    this.#links.over();
  }

  #play(): void {
    const body = this.#exchange?.reply.body;
    if (body?.kind !== "live") return;
    this.#playback = body.play({
      write: (data) => {
        this.#links.send({ type: "write", data });
        this.#untaken++;
        return this.#untaken < mostUntaken;
      },
      finish: (how) => this.#links.send({ type: "finish", how }),
    });
  }
}

/** Without what gave the answer: that is for the journal, which is here. */
function sentReply({ status, headers, body, delayMs }: Reply): SentReply {
  return {
    status,
    headers,
    body: sentBody(body),
    ...(delayMs === undefined ? {} : { delayMs }),
  };
}

/** All of it as data: frames may be worked out when they are asked for. */
function sentBody(body: ReplyBody): SentReply["body"] {
  if (body.kind === "live") return { kind: "live" };
  if (body.kind !== "stream") return body;
  const { frames, end } = body.stream;
  const list = frames.map((frame) => ({ at: frame.at, data: bytesOf(frame, body.stream) }));
  return { kind: "stream", stream: { frames: list, end: { how: end.how, at: end.at } } };
}
