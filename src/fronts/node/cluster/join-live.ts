import type { Exchange } from "../../../core/emulator/exchange.ts";
import type { Call } from "../../../core/http/call.ts";
import type { Playback, Sink } from "../../../core/http/scheduler.ts";
import type { Answers, CallOf } from "./answers.ts";
import {
  forWorker,
  type Positions,
  positionsIn,
  readPositions,
  withPosition,
} from "./journal-position.ts";
import { variedCall } from "./sent-call.ts";

const lastEventId = "last-event-id";

/** What all workers tell of requests as they end, in one stream. */
export async function joinLive(
  call: Call,
  ask: (callOf: CallOf) => Promise<Answers>,
  counts: () => Promise<readonly number[]>,
): Promise<Exchange> {
  const last = readPositions(call.headers[lastEventId] ?? "");
  const begin = last ?? (await beginning(call, counts));
  const { own, all } = await ask((worker) => {
    const query = forWorker(call.query, worker);
    if (last === undefined) return variedCall(call, { query });
    const headers = { ...call.headers, [lastEventId]: String(last[worker] ?? 0) };
    return variedCall(call, { query, headers });
  });
  const settle: Exchange["settle"] = (outcome) => {
    for (const exchange of all) exchange.settle(outcome);
  };
  const refusal = all.find(({ reply }) => reply.status !== 200);
  if (refusal !== undefined) return { reply: refusal.reply, settle };
  if (own.reply.body.kind !== "live") return { reply: own.reply, settle };
  const play = (sink: Sink): Playback => new JoinedLive(sink, all, begin);
  return { reply: { ...own.reply, body: { kind: "live", play } }, settle };
}

/** The place at which a stream begins. */
async function beginning(
  { query }: Call,
  counts: () => Promise<readonly number[]>,
): Promise<Positions> {
  const now = await counts();
  const isReplayed = /(?:^|&)(?:since=|replay=true)/.test(query);
  return isReplayed ? positionsIn(query, now.length) : now;
}

class JoinedLive implements Playback {
  readonly #playbacks: readonly Playback[];
  readonly #sink: Sink;
  #positions: Positions;
  #sent = 0;
  #isOver = false;

  constructor(sink: Sink, exchanges: readonly Exchange[], begin: Positions) {
    this.#sink = sink;
    this.#positions = begin;
    this.#playbacks = exchanges.flatMap(({ reply: { body } }, worker) =>
      body.kind === "live" ? [body.play(this.#sinkOf(worker))] : [],
    );
  }

  readonly framesSent = (): number => this.#sent;

  readonly resume = (): void => {
    for (const playback of this.#playbacks) playback.resume();
  };

  readonly stop = (): void => {
    this.#isOver = true;
    for (const playback of this.#playbacks) playback.stop();
  };

  #sinkOf(worker: number): Sink {
    return {
      write: (data) => {
        const text = typeof data === "string" ? data : new TextDecoder().decode(data);
        // Of what is no event one is enough.
        if (worker > 0 && !text.startsWith("event:")) return true;
        this.#sent++;
        return this.#sink.write(this.#renumbered(text, worker));
      },
      finish: (how) => {
        if (!this.#isOver) this.#sink.finish(how);
        this.#isOver = true;
      },
    };
  }

  #renumbered(text: string, worker: number): string {
    const [line, id] = /^id: (\d+)$/m.exec(text) ?? [];
    if (line === undefined) return text;
    this.#positions = withPosition(this.#positions, worker, Number(id));
    const whole = this.#positions.join(".");
    return text
      .replace(line, `id: ${whole}`)
      .replace(/^data: \{"id":"\d+"/m, () => `data: {"id":"${whole}"`);
  }
}
