import { setImmediate } from "node:timers/promises";
import type { RecordedEnd, RecordingRules } from "../../../core/replay/cassette.ts";
import type { ReplyHeaders } from "../../../core/http/reply.ts";
import type { OpenRecording, SeenAnswer, SeenPart } from "../extras.ts";
import { decodeParts } from "./decode-parts.ts";
import { headersToRecord } from "./headers.ts";

/** The most bytes of a body that are recorded, packed and unpacked. */
const mostBytes = 64_000_000;

/** The head of an answer. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: ReplyHeaders;
  readonly afterMs: number;
  /** False for an answer that never has one, such as one to HEAD. */
  readonly hasBody: boolean;
}

/** How an exchange ended: as recordings say it, or because the client went away. */
export type ExchangeEnd = RecordedEnd | "left";

/** What the recording of an exchange needs. */
export interface ExchangeRecordingOptions {
  readonly recording: OpenRecording;
  readonly rules: RecordingRules;
  /** Whether nothing is recorded any more. */
  readonly isStopped: () => boolean;
  readonly notRecorded: (reason: string) => void;
  /** Given, once, the wait until the exchange is recorded, or is known not to be. */
  readonly over: (done: Promise<void>) => void;
}

/** Keeps what is seen of one answer until it is over, and has it recorded then. */
export class ExchangeRecording {
  readonly #options: ExchangeRecordingOptions;
  #head: AnswerHead | undefined;
  #parts: SeenPart[] = [];
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

  /** Has the exchange recorded, or tells why it is not. */
  end(how: ExchangeEnd, atMs: number): void {
    this.#close(() => this.#seen(how, atMs));
  }

  /** Drops the exchange, and tells why. */
  drop(reason: string): void {
    this.#close(() => Promise.resolve(reason));
  }

  #close(see: () => Promise<SeenAnswer | string>): void {
    const { isStopped, recording, notRecorded, over } = this.#options;
    if (this.#isOver || isStopped()) return;
    this.#isOver = true;
    const finish = async (): Promise<void> => {
      // What is read and written now goes first; a request that continues this one comes later still.
      await setImmediate();
      recording.place();
      const seen = await see();
      if (typeof seen === "string") {
        notRecorded(seen);
        return;
      }
      const keep = recording.redact(seen);
      // What is long takes a while to redact, and as long to write.
      await setImmediate();
      keep();
    };
    over(finish());
  }

  async #seen(how: ExchangeEnd, atMs: number): Promise<SeenAnswer | string> {
    const head = this.#head;
    if (head === undefined && how === "left") return "the client left before the answer";
    if (head === undefined) return { status: 0, headers: {}, afterMs: atMs };
    const { status, afterMs } = head;
    const headers = headersToRecord(head.headers);
    const reason = this.#whyNot(head, how);
    if (reason !== undefined) return reason;
    if (!head.hasBody) return { status, headers, afterMs };
    const coding = headers["content-encoding"] ?? "";
    const parts = await decodeParts(this.#parts, { coding, limit: mostBytes });
    if (typeof parts === "string") return parts;
    const end = { atMs, how: how === "left" ? "hang" : how } as const;
    return { status, headers: asDecoded(headers), afterMs, body: { parts, end } };
  }

  #whyNot({ status, headers }: AnswerHead, how: ExchangeEnd): string | undefined {
    const { headers: told } = this.#options.rules;
    if (this.#size > mostBytes) return "its body is larger than the 64 MB that are recorded";
    // These answer headers, by which a replay does not tell requests apart.
    if (status === 304 && !told.includes("if-none-match") && !told.includes("if-modified-since")) {
      return "it says only that the client's own copy is still good (304)";
    }
    if (status === 206 && !told.includes("range")) {
      return 'it is a part that the header "range" asks for (206). Name that under "recording.headers" in the fixtures\' config.json';
    }
    const isEvents = /^\s*text\/event-stream\b/i.test(headers["content-type"] ?? "");
    return how === "left" && !isEvents ? "the client left before its end" : undefined;
  }
}

/** An unpacked body has another length than the head says, which nobody can rely on any more. */
function asDecoded(headers: ReplyHeaders): ReplyHeaders {
  const { "content-encoding": coding, "content-length": _, ...others } = headers;
  return coding === undefined ? headers : others;
}
