import { expect, test } from "vitest";
import type { EventStream, StreamEnd } from "../../../src/core/http/event-stream.ts";
import { type Sink, Scheduler } from "../../../src/core/http/scheduler.ts";
import { HandTimers } from "../../support/hand-timers.ts";
import { RecordingSink } from "../../support/recording-sink.ts";

function streamAt(times: readonly number[], how: StreamEnd = "close"): EventStream {
  const frames = times.map((at, index) => ({ at, data: `${index};` }));
  return { frames, end: { how, at: times.at(-1) ?? 0 } };
}

function arrange(start = 0): { timers: HandTimers; scheduler: Scheduler; sink: RecordingSink } {
  const timers = new HandTimers(start);
  return { timers, scheduler: new Scheduler(timers), sink: new RecordingSink(timers.now) };
}

function nothing(): void {}

test("writes what is due at the start before play returns", () => {
  const { scheduler, sink } = arrange();
  scheduler.play(streamAt([0, 0, 10]), sink);
  expect(sink.writes).toMatchObject([{ at: 0, data: "0;1;" }]);
});

test("writes each frame at its time and then ends", () => {
  const { timers, scheduler, sink } = arrange(1_000);
  scheduler.play(streamAt([5, 20, 35]), sink);
  timers.advance(100);
  expect(sink.times).toEqual([1_005, 1_020, 1_035]);
  expect(sink.ends).toEqual(["close"]);
});

test("ends at the stream's own time when that is after the last frame", () => {
  const { timers, scheduler, sink } = arrange();
  scheduler.play({ frames: [{ at: 0, data: "x" }], end: { how: "reset", at: 50 } }, sink);
  timers.advance(49);
  expect(sink.ends).toEqual([]);
  timers.advance(1);
  expect(sink.ends).toEqual(["reset"]);
});

test("ends an empty stream at once", () => {
  const { timers, scheduler, sink } = arrange();
  scheduler.play(streamAt([]), sink);
  expect(sink.ends).toEqual(["close"]);
  expect(timers.pending).toBe(0);
});

test("does not drift when every alarm rings late", () => {
  const { timers, scheduler, sink } = arrange();
  timers.delayAlarms(7);
  const times = Array.from({ length: 100 }, (_, index) => (index + 1) * 10);
  scheduler.play(streamAt(times), sink);
  timers.advance(2_000);
  expect(sink.times).toEqual(times.map((time) => time + 7));
});

test("sends headed frames behind the head of their stream", () => {
  const { scheduler, sink } = arrange();
  const frames = [
    { at: 0, data: "one;", isHeaded: true },
    { at: 0, data: "two;" },
    { at: 0, data: new Uint8Array([51]), isHeaded: false },
  ];
  scheduler.play({ frames, head: "head ", end: { how: "close", at: 0 } }, sink);
  scheduler.play({ frames: frames.slice(0, 1), end: { how: "close", at: 0 } }, sink);
  const texts = sink.writes.map(({ data }) => Buffer.from(data).toString());
  expect(texts).toEqual(["head one;two;3", "one;"]);
});

test("joins frames that are late together in one write", () => {
  const { timers, scheduler, sink } = arrange();
  timers.delayAlarms(25);
  scheduler.play(streamAt([10, 20, 30, 60]), sink);
  timers.advance(200);
  expect(sink.writes).toMatchObject([
    { at: 35, data: "0;1;2;" },
    { at: 85, data: "3;" },
  ]);
});

test("joins text and bytes as bytes, text in UTF-8", () => {
  const { scheduler, sink } = arrange();
  const frames = [
    { at: 0, data: "é" },
    { at: 0, data: new Uint8Array([0xff, 0x00]) },
    { at: 0, data: "a" },
  ];
  scheduler.play({ frames, end: { how: "close", at: 0 } }, sink);
  expect(sink.writes).toMatchObject([
    { at: 0, data: new Uint8Array([0xc3, 0xa9, 0xff, 0x00, 0x61]) },
  ]);
});

test("writes much that is due at once in parts, so that a full sink holds up the rest", () => {
  const { scheduler, sink } = arrange();
  const frames = Array.from({ length: 100 }, () => ({ at: 0, data: "x".repeat(10_000) }));
  sink.takesMore = false;
  const playback = scheduler.play({ frames, end: { how: "close", at: 0 } }, sink);
  expect(sink.text.length).toBeLessThan(100_000);
  expect(playback.framesSent()).toBe(sink.text.length / 10_000);
});

test("writes nothing to a full sink, and all that became due once it resumes", () => {
  const { timers, scheduler, sink } = arrange();
  const playback = scheduler.play(streamAt([0, 10, 20, 1_000]), sink);
  sink.takesMore = false;
  timers.advance(15);
  timers.advance(85);
  expect(sink.text).toBe("0;1;");
  expect(timers.pending).toBe(0);
  sink.takesMore = true;
  playback.resume();
  expect(sink.text).toBe("0;1;2;");
  timers.advance(900);
  expect(sink.text).toBe("0;1;2;3;");
});

test("finishes only after a full sink has taken the last frame", () => {
  const { scheduler, sink } = arrange();
  sink.takesMore = false;
  const playback = scheduler.play(streamAt([0]), sink);
  expect(sink.ends).toEqual([]);
  playback.resume();
  playback.resume();
  expect(sink.ends).toEqual(["close"]);
});

test("ignores resume while the sink is not full", () => {
  const { timers, scheduler, sink } = arrange();
  const playback = scheduler.play(streamAt([10]), sink);
  playback.resume();
  playback.resume();
  timers.advance(50);
  expect(sink.text).toBe("0;");
  expect(sink.ends).toEqual(["close"]);
});

test("writes each frame once when a sink resumes from within a write", () => {
  const { timers, scheduler } = arrange();
  const texts: string[] = [];
  const ends: string[] = [];
  let resume = nothing;
  const sink: Sink = {
    write: (data) => {
      texts.push(String(data));
      resume();
      return texts.length > 1;
    },
    finish: (how) => ends.push(how),
  };
  const playback = scheduler.play(streamAt([0, 10, 20]), sink);
  timers.advance(15);
  resume = playback.resume;
  playback.resume();
  timers.advance(100);
  expect([texts.join(""), ends]).toEqual(["0;1;2;", ["close"]]);
});

test("writes nothing more and drops its alarm when the only stream is stopped", () => {
  const { timers, scheduler, sink } = arrange();
  const playback = scheduler.play(streamAt([0, 10, 20]), sink);
  timers.advance(10);
  playback.stop();
  expect(timers.pending).toBe(0);
  timers.advance(100);
  expect(sink.text).toBe("0;1;");
  expect(sink.ends).toEqual([]);
  expect(playback.framesSent()).toBe(2);
});

test("goes on with the others when one of several streams is stopped", () => {
  const { timers, scheduler, sink } = arrange();
  const stopped = new RecordingSink(timers.now);
  const playback = scheduler.play(streamAt([5, 15]), stopped);
  scheduler.play(streamAt([10, 20]), sink);
  playback.stop();
  timers.advance(100);
  expect(stopped.writes).toEqual([]);
  expect(sink.times).toEqual([10, 20]);
  expect(timers.pending).toBe(0);
});

test("takes a stop from within a write", () => {
  const { timers, scheduler, sink } = arrange();
  let stop = nothing;
  const stopping: Sink = {
    write: (data) => {
      sink.write(data);
      stop();
      return true;
    },
    finish: sink.finish,
  };
  const playback = scheduler.play(streamAt([10, 20]), stopping);
  stop = playback.stop;
  timers.advance(100);
  expect(sink.text).toBe("0;");
  expect(sink.ends).toEqual([]);
  expect(timers.pending).toBe(0);
});

test("keeps one alarm for any number of streams", () => {
  const { timers, scheduler, sink } = arrange();
  for (let count = 1; count <= 50; count++) scheduler.play(streamAt([count]), sink);
  expect(timers.pending).toBe(1);
  timers.advance(50);
  expect(sink.ends).toHaveLength(50);
  expect(timers.pending).toBe(0);
});

test("sets its alarm once where it is to ring at the same time, and clears none that is not set", () => {
  const { timers, sink } = arrange();
  const calls: string[] = [];
  const scheduler = new Scheduler({
    now: timers.now,
    set: (run, ms) => {
      calls.push(`set ${ms}`);
      return timers.set(run, ms);
    },
    clear: () => calls.push("clear"),
  });
  for (let count = 0; count < 3; count++) scheduler.play(streamAt([10, 20]), sink);
  expect(calls).toEqual(["set 10"]);
  timers.advance(10);
  expect(calls).toEqual(["set 10", "set 10"]);
});

test("wakes up less often for many streams, and is late by 8 ms at most", () => {
  const { timers, scheduler } = arrange();
  const rings = new Set<number>();
  const late: number[] = [];
  for (let stream = 0; stream < 2_000; stream++) {
    const at = 1 + stream / 10;
    const note = (): boolean => {
      rings.add(timers.now());
      return late.push(timers.now() - at) > 0;
    };
    const frames = [{ at, data: "x" }];
    scheduler.play({ frames, end: { how: "close", at: 10_000 } }, { write: note, finish: nothing });
  }
  timers.advance(300);
  expect(late).toHaveLength(2_000);
  expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...late)).toBeLessThanOrEqual(9);
  expect(rings.size).toBeLessThan(30);
});

test("sends a frame at its very time, also where floating point rounds that down", () => {
  const start = 12_345.678;
  const at = 33.3;
  // The sum is rounded, so that the way back gives less than the frame's time.
  expect(start + at - start).toBeLessThan(at);
  let now = start;
  let ring = nothing;
  const scheduler = new Scheduler({ now: () => now, set: (run) => (ring = run), clear: nothing });
  const sink = new RecordingSink(() => now);
  scheduler.play(streamAt([at]), sink);
  now = start + at;
  ring();
  expect(sink.text).toBe("0;");
});

test("waits for a frame that is further away than a timer can count", () => {
  const { timers, scheduler, sink } = arrange();
  scheduler.play(streamAt([2 ** 32]), sink);
  timers.advance(2 ** 32 - 1);
  expect(sink.text).toBe("");
  timers.advance(1);
  expect(sink.text).toBe("0;");
});
