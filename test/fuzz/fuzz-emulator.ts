import { inspect } from "node:util";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../src/index.ts";
import type { ReplyBody } from "../../src/core/http/reply.ts";
import type { Playback } from "../../src/core/http/scheduler.ts";
import { ObserverLog } from "../support/observer-log.ts";
import { type Answer, answerOf } from "./envelopes.ts";
import type { Problem } from "./fuzz-kind.ts";
import { fuzzFixtures, untouched } from "./fuzz-fixtures.ts";
import { callOf, type SentCall } from "./sent-call.ts";

const authorization = "Bearer local-token";

/** An emulator that is asked by calls, and told of its own failures. */
export class FuzzEmulator {
  readonly emulator: Emulator;
  readonly #log: ObserverLog;
  readonly #live: Playback[] = [];

  private constructor(emulator: Emulator, log: ObserverLog) {
    this.emulator = emulator;
    this.#log = log;
  }

  static async open(options: EmulatorOptions = {}): Promise<FuzzEmulator> {
    const log = new ObserverLog();
    const settings = { seed: 1, clock: "2024-01-01T00:00:00Z", speed: 0, ...options };
    const emulator = await createEmulator({ fixtures: fuzzFixtures, ...settings, observer: log });
    const opened = new FuzzEmulator(emulator, log);
    // What is loaded with the first requests is loaded now.
    await opened.check();
    return opened;
  }

  /** Asks, and has the answer judged. */
  async ask(sent: SentCall, judge: (answer: Answer) => Problem): Promise<Problem> {
    const inProcess = sent.headers["x-in-process"] === "1";
    const exchange = await this.emulator.core.handle(callOf(sent), { inProcess });
    const { reply } = exchange;
    const answer = answerOf(sent.method, reply);
    if (reply.body.kind === "live") this.#listen(reply.body);
    exchange.settle({ chunksSent: 0, aborted: false });
    return this.failure() ?? (typeof answer === "string" ? answer : judge(answer));
  }

  /** Reads what happens from now on, as a client that is full now and then; not more of them than a browser has. */
  #listen({ play }: Extract<ReplyBody, { readonly kind: "live" }>): void {
    let written = 0;
    const playback = play({ write: () => ++written % 3 !== 0, finish: () => undefined });
    this.#live.push(playback);
    if (this.#live.length > 6) this.#live.shift()?.stop();
    for (const one of this.#live) one.resume();
  }

  /** What the observer was told of. */
  failure(): Problem {
    this.#log.records.length = 0;
    const [error] = this.#log.takeFailures();
    if (error === undefined) return undefined;
    return `a failure was reported: ${inspect(error)}`;
  }

  /** Whether known requests are answered as ever; the journal can be read; then all begins anew. */
  async check(): Promise<Problem> {
    const { emulator } = this;
    for (const one of this.#live.splice(0)) one.stop();
    try {
      JSON.stringify(emulator.journal.list());
    } catch (error) {
      return `the journal cannot be read: ${error instanceof Error ? error.stack : String(error)}`;
    }
    const problem = (await this.#checkTables()) ?? (await this.#checkChat());
    // Sessions, too, which a reset leaves alone.
    emulator.core.load(emulator.core.fixtures);
    return problem ?? this.failure();
  }

  get #isLimited(): boolean {
    const { requestsPerMinute } = this.emulator.core.settings.limits;
    return requestsPerMinute !== undefined;
  }

  async #checkTables(): Promise<Problem> {
    const reply = await this.emulator.fetch(`/rest/${untouched}`, { headers: { authorization } });
    const text = await reply.text();
    const expected = '{"result":[{"id":1,"said":"still here"},{"id":2,"said":null}]}';
    return text === expected ? undefined : `afterwards the untouched table is ${text}`;
  }

  async #checkChat(): Promise<Problem> {
    const body = JSON.stringify({
      model: "atlas",
      messages: [{ role: "user", content: "known request" }],
    });
    const headers = { authorization: "Bearer k", "content-type": "application/json" };
    const reply = await this.emulator.fetch("/v1/chat/completions", {
      method: "POST",
      headers,
      body,
    });
    const text = await reply.text();
    // Who has limits may have reached them.
    if (reply.status === 429 && this.#isLimited) return undefined;
    return text.includes('"known answer"') ? undefined : `afterwards a chat is answered by ${text}`;
  }
}
