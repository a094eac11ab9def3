import { expect, test } from "vitest";
import { Core } from "../../../src/core/emulator/core.ts";
import { readFixtureDocument } from "../../../src/core/fixture-set/read-fixtures.ts";
import { answerControl } from "../../../src/core/control/answer-control.ts";
import { Scheduler } from "../../../src/core/http/scheduler.ts";
import { call } from "../../support/calls.ts";
import { leaveOnceAsked } from "../../support/leaving.ts";
import { serve } from "../../support/served.ts";
import { HandTimers } from "../../support/hand-timers.ts";

/** What a client saw: its status, the journal's time in the queue, and when its tokens came. */
interface Seen {
  readonly status: number;
  /** Milliseconds after it asked. */
  readonly tokens: number[];
  endedAt: number;
}

/** A service under load, whose time is moved by hand. */
class Loaded {
  readonly timers = new HandTimers();
  readonly #scheduler = new Scheduler(this.timers);
  readonly seen: Seen[] = [];
  readonly core: Core;

  private constructor(core: (timers: HandTimers) => Core) {
    this.core = core(this.timers);
  }

  static async of(load: object, pace: object, seed = 1): Promise<Loaded> {
    const chats = [{ name: "only", reply: { content: "one two three", pace } }];
    const fixtures = await readFixtureDocument({ seed, chats, chat: { load } });
    const extras = { control: async () => answerControl };
    return new Loaded((timers) => new Core(fixtures, { auth: false }, { timers, extras }));
  }

  /** Asks for a stream, and reads it to its end. */
  async ask(): Promise<void> {
    const started = this.timers.now();
    const body = { model: "m", stream: true, messages: [{ role: "user", content: "Hi" }] };
    const { reply, settle } = await this.core.handle(
      call("POST", "/v1/chat/completions", { body }),
    );
    const seen: Seen = { status: reply.status, tokens: [], endedAt: NaN };
    this.seen.push(seen);
    if (reply.body.kind !== "stream") return settle({ chunksSent: 0, aborted: false });
    const playback = this.#scheduler.play(reply.body.stream, {
      write: () => seen.tokens.push(this.timers.now() - started) > 0,
      finish: () => {
        seen.endedAt = this.timers.now();
        settle({ chunksSent: playback.framesSent(), aborted: false });
      },
    });
  }

  /** Moves time on by single milliseconds, so that who waits gets its turn at its time. */
  async advance(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed++) {
      await new Promise<void>((resolve) => void setImmediate(resolve));
      this.timers.advance(1);
    }
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }

  async metrics(): Promise<string> {
    const source = { inProcess: true };
    const { reply } = await this.core.handle(call("GET", "/__backlot/metrics"), source);
    return reply.body.kind === "text" ? reply.body.text : "";
  }
}

test("the first token and the gaps of a chat grow with the chats that run", async () => {
  const pace = { firstTokenMs: 100, gapMs: 10, by: "word" };
  const loaded = await Loaded.of({ capacity: 3, timeFactor: 2 }, pace);
  for (let chats = 0; chats < 3; chats++) await loaded.ask();
  await loaded.advance(300);
  const times = loaded.seen.map(({ tokens }) => tokens);
  expect(times).toEqual([
    [100, 110, 120],
    [150, 165, 180],
    [200, 220, 240],
  ]);
});

test("beyond the capacity chats wait in turn, and beyond the queue they are refused", async () => {
  const loaded = await Loaded.of(
    { capacity: 1, queue: 2, status: 503, retryAfterMs: 1500 },
    { firstTokenMs: 100 },
  );
  for (let chats = 0; chats < 4; chats++) void loaded.ask();
  await loaded.advance(350);
  expect(loaded.seen.map(({ status, tokens }) => [status, tokens[0]])).toEqual([
    [503, undefined],
    [200, 100],
    [200, 200],
    [200, 300],
  ]);
  const entries = loaded.core.sessions.base.journal.list();
  expect(entries.map(({ status, queuedMs }) => [status, queuedMs])).toEqual([
    [200, 0],
    [200, 100],
    [200, 200],
    [503, 0],
  ]);
  expect(entries.at(-1)).toMatchObject({
    answeredBy: "load: 1 running, 2 waiting",
    problem: expect.stringContaining("1 chat running, 2 waiting. Try again in 1.5 s."),
    response: { headers: { "retry-after-ms": "1500", "retry-after": "2" } },
  });
});

test("the same seed gives the same times, another one others", async () => {
  const load = { capacity: 2, queue: 9, timeFactor: 1.5 };
  const pace = { firstTokenMs: { p50: 50, p99: 200 }, gapMs: { exponential: 10 }, by: "word" };
  const times = async (seed: number): Promise<readonly Seen[]> => {
    const loaded = await Loaded.of(load, pace, seed);
    for (let chats = 0; chats < 8; chats++) {
      void loaded.ask();
      await loaded.advance(20);
    }
    await loaded.advance(1500);
    return loaded.seen;
  };
  const first = await times(1);
  expect(first.every(({ endedAt }) => endedAt > 0)).toBe(true);
  expect(await times(1)).toEqual(first);
  expect(await times(2)).not.toEqual(first);
});

test("metrics count what was answered, what runs and waits, and when tokens came", async () => {
  const pace = { firstTokenMs: 100, gapMs: 20, by: "word" };
  const loaded = await Loaded.of({ capacity: 1, queue: 1 }, pace);
  for (let chats = 0; chats < 3; chats++) void loaded.ask();
  await loaded.advance(1);
  const early = await loaded.metrics();
  expect(early).toContain("backlot_chats_running 1\n");
  expect(early).toContain("backlot_chats_waiting 1\n");
  expect(early).toContain("backlot_streams_running 1\n");
  await loaded.advance(400);
  const late = await loaded.metrics();
  for (const line of [
    'backlot_requests_total{interface="chat",status="200"} 2',
    'backlot_requests_total{interface="chat",status="429"} 1',
    'backlot_streams_total{ended="complete"} 2',
    "backlot_streams_running 0",
    "backlot_chats_refused_total 1",
    'backlot_queue_seconds_bucket{le="0.1"} 1',
    'backlot_queue_seconds_bucket{le="0.25"} 2',
    "backlot_queue_seconds_count 2",
    // 0.1 and, after 0.14 in the queue, 0.24 seconds.
    'backlot_time_to_first_token_seconds_bucket{le="0.1"} 1',
    "backlot_time_to_first_token_seconds_sum 0.34",
    'backlot_time_between_tokens_seconds_bucket{le="0.01"} 0',
    'backlot_time_between_tokens_seconds_bucket{le="0.025"} 4',
    "backlot_time_between_tokens_seconds_count 4",
    "# TYPE backlot_time_between_tokens_seconds histogram",
  ]) {
    expect(late).toContain(`${line}\n`);
  }
});

test("a request that is over has left its place, however it ended", async () => {
  const loaded = await Loaded.of({ capacity: 1 }, { firstTokenMs: 100 });
  const body = { model: "m", messages: [{ role: "user", content: "Hi" }] };
  for (const aborted of [true, false, true]) {
    const { reply, settle } = await loaded.core.handle(
      call("POST", "/v1/chat/completions", { body }),
    );
    expect(reply).toMatchObject({ status: 200, delayMs: 100 });
    settle({ chunksSent: 0, aborted });
  }
});

test("a client of the server that leaves while it waits gives up its place, and the journal says so", async () => {
  const pace = { firstTokenMs: 60_000 };
  const chats = [{ name: "only", reply: { content: "one", pace } }];
  const chat = { load: { capacity: 1, queue: 1 } };
  await using served = await serve({ chats, chat }, { auth: false });
  const { journal } = served.emulator;
  const body = JSON.stringify({
    model: "m",
    stream: true,
    messages: [{ role: "user", content: "" }],
  });
  const headers = { "content-type": "application/json" };
  const ask = (leaving: AbortController): Promise<number> =>
    served
      .fetch("/v1/chat/completions", { method: "POST", headers, body, signal: leaving.signal })
      .then(({ status }) => status);
  const waiting = (): number => journal.list().filter(({ ended }) => ended === "pending").length;
  const [first, second] = [new AbortController(), new AbortController()];
  expect(await ask(first)).toBe(200);
  const left = ask(second).catch(() => "left");
  await expect.poll(waiting).toBe(2);
  expect(await ask(new AbortController())).toBe(429);
  void leaveOnceAsked(served, second);
  expect(await left).toBe("left");
  await expect.poll(waiting).toBe(1);
  expect(journal.list({ limit: 9 }).map(({ ended }) => ended)).toEqual([
    "pending",
    "aborted",
    "refused",
  ]);
  const third = ask(new AbortController());
  await expect.poll(waiting).toBe(2);
  void leaveOnceAsked(served, first);
  expect(await third).toBe(200);
});
