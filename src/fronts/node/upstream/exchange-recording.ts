import { setImmediate } from "node:timers/promises";
import type { RecordedEnd, RecordingRules } from "../../../core/recordings/cassette.ts";
import type { ReplyHeaders } from "../../../core/http/reply.ts";
import type { OpenRecording, ReceivedAnswer, ReceivedPart } from "../extras.ts";
import { decodeParts } from "./decode-parts.ts";

/** The most bytes of a recorded body, compressed and decompressed. */
const mostBytes = 64_000_000;

/** Why an incomplete answer is not recorded, unless it is an event stream. */
const clientLeft = "the client left before its end";

/** The head of an answer. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: ReplyHeaders;
  readonly afterMs: number;
  /** False for an answer that never has a body, such as the answer to HEAD. */
  readonly hasBody: boolean;
}

/** How an exchange ended: in the terms of recordings, or because the client left. */
export type ExchangeEnd = RecordedEnd | "left";

export interface ExchangeRecordingOptions {
  readonly recording: OpenRecording;
  readonly rules: RecordingRules;
  /** Whether recording has stopped. */
  readonly isStopped: () => boolean;
  readonly notRecorded: (reason: string) => void;
  /** Receives, once, a promise that resolves when the recording has ended. */
  readonly over: (done: Promise<void>) => void;
}

/** Collects an answer and records it when it ends. */
export class ExchangeRecording {
  readonly #options: ExchangeRecordingOptions;
  #head: AnswerHead | undefined;
  #parts: ReceivedPart[] = [];
  #size = 0;
  #isOver = false;

  constructor(options: ExchangeRecordingOptions) {
    this.#options = options;
  }

  head(head: AnswerHead): void {
    this.#head = head;
  }

  part(atMs: number, bytes: Uint8Array): void {
    this.#size += bytes.length;
    if (this.#size <= mostBytes) this.#parts.push({ atMs, bytes });
    else this.#parts = [];
  }

  /** Records the exchange, or reports why not. */
  end(how: ExchangeEnd, atMs: number): void {
    this.#close(() => this.#seen(how, atMs));
  }

  /** Drops the exchange, and reports why. */
  drop(reason: string): void {
    this.#close(() => Promise.resolve(reason));
  }

  #close(see: () => Promise<ReceivedAnswer | string>): void {
    const { isStopped, recording, notRecorded, over } = this.#options;
    if (this.#isOver || isStopped()) return;
    this.#isOver = true;
    const finish = async (): Promise<void> => {
      // Waits for current reads and writes. Requests that continue this one come later.
      await setImmediate();
      recording.place();
      const seen = await see();
      if (typeof seen === "string") {
        notRecorded(seen);
        return;
      }
      const keep = recording.redact(seen);
      // Redacting a long body takes a while, and so does writing it, so other work runs in between.
      await setImmediate();
      keep();
    };
    over(finish());
  }

  async #seen(how: ExchangeEnd, atMs: number): Promise<ReceivedAnswer | string> {
    const head = this.#head;
    if (head === undefined && how === "left") return "the client left before the answer";
    if (head === undefined) return { status: 0, headers: {}, afterMs: atMs };
    const { status, afterMs } = head;
    const { headers } = head;
    const reason = this.#whyNot(head);
    if (reason !== undefined) return reason;
    if (!head.hasBody) return how === "left" ? clientLeft : { status, headers, afterMs };
    const coding = headers["content-encoding"] ?? "";
    const parts = await decodeParts(this.#parts, { coding, limit: mostBytes });
    if (typeof parts === "string") return parts;
    const end = { atMs, how: how === "left" ? "hang" : how } as const;
    const seen = { status, headers: asDecoded(headers), afterMs, body: { parts, end } };
    return how === "left" && !this.#options.recording.isStream(seen) ? clientLeft : seen;
  }

  #whyNot({ status }: AnswerHead): string | undefined {
    const { headers: told } = this.#options.rules;
    if (this.#size > mostBytes) return "its body is larger than the 64 MB that are recorded";
    // A 304 and a 206 depend on request headers that replay does not compare.
    if (status === 304 && !told.includes("if-none-match") && !told.includes("if-modified-since")) {
      return "it only says that the client's copy is still good (304)";
    }
    if (status === 206 && !told.includes("range")) {
      return 'it is a part that the header "range" asks for (206). Name that under "recording.headers" in the fixtures\' config.json';
    }
    return undefined;
  }
}

/** The headers for a decompressed body, without the length of the compressed one. */
function asDecoded(headers: ReplyHeaders): ReplyHeaders {
  const { "content-encoding": coding, "content-length": _, ...others } = headers;
  return coding === undefined ? headers : others;
}
