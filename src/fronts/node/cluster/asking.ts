import type { Exchange } from "../../../core/emulator/exchange.ts";
import type { Call } from "../../../core/http/call.ts";
import { noAnswer, type Reply, type ReplyBody } from "../../../core/http/reply.ts";
import type { Playback, Sink } from "../../../core/http/scheduler.ts";
import type { Answer, QuestionPart, SentReply } from "./messages.ts";

/** What a client gets whose worker died: its connection breaks, as it would with a server that dies. */
export const brokenExchange: Exchange = { reply: noAnswer("reset"), settle: () => undefined };

interface Links {
  readonly resolve: (exchange: Exchange) => void;
  readonly send: (message: QuestionPart) => void;
  readonly over: () => void;
}

/** A call that another worker answers, from the side of the one that has the client. */
export class Asking {
  readonly #call: Call;
  readonly #links: Links;
  #sink: Sink | undefined;
  #isFull = false;
  #framesSent = 0;

  constructor(call: Call, links: Links) {
    this.#call = call;
    this.#links = links;
  }

  readonly take = (answer: Answer): void => {
    switch (answer.type) {
      case "read":
        void this.#call
          .readBody(answer.limit)
          .then((body) => this.#links.send({ type: "body", body }));
        return;
      case "reply":
        this.#links.resolve(this.#exchange(answer.reply));
        return;
      case "write":
        this.#write(answer.data);
        return;
      case "finish":
        this.#sink?.finish(answer.how);
        return;
      case "done":
        return;
    }
  };

  /** The other worker is gone. */
  readonly lost = (): void => {
    this.#links.over();
    this.#links.resolve(brokenExchange);
    this.#sink?.finish("reset");
    this.#sink = undefined;
  };

  #exchange(sent: SentReply): Exchange {
    const { body, ...rest } = sent;
    const whole: ReplyBody = body.kind === "live" ? { kind: "live", play: this.#play } : body;
    const reply: Reply = { ...rest, body: whole };
    return {
      reply,
      settle: (outcome) => {
        this.#links.send({ type: "settle", outcome });
        this.#links.over();
      },
    };
  }

  readonly #play = (sink: Sink): Playback => {
    this.#sink = sink;
    this.#links.send({ type: "play" });
    return {
      framesSent: () => this.#framesSent,
      resume: () => {
        if (this.#isFull) this.#links.send({ type: "taken" });
        this.#isFull = false;
      },
      stop: () => {
        this.#sink = undefined;
        this.#links.send({ type: "stop" });
      },
    };
  };

  #write(data: string | Uint8Array): void {
    if (this.#sink === undefined) return;
    this.#framesSent++;
    // Told once the client has taken it, so that the other worker sends no more than it can read.
    if (this.#sink.write(data)) this.#links.send({ type: "taken" });
    else this.#isFull = true;
  }
}
