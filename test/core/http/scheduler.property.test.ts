import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { EventStream } from "../../../src/core/http/event-stream.ts";
import { type Due, DueQueue, Scheduler } from "../../../src/core/http/scheduler.ts";
import { HandTimers } from "../../support/hand-timers.ts";
import { RecordingSink } from "../../support/recording-sink.ts";
import { tries } from "../../support/tries.ts";

const gaps = fc.array(
  fc.oneof(fc.integer({ min: 0, max: 40 }), fc.double({ min: 0, max: 40, noNaN: true })),
  {
    maxLength: 12,
  },
);

function streamOf(waits: readonly number[]): EventStream {
  let at = 0;
  const frames = waits.map((wait, index) => {
    at += wait;
    return { at, data: `<${index}>` };
  });
  return { frames, end: { how: "close", at } };
}

/** The frames in a text, in order. */
function framesIn(text: string): number[] {
  return [...text.matchAll(/<(\d+)>/g)].map(([, index]) => Number(index));
}

test("delivers every frame of every stream once, in order and never early, however late alarms ring", () => {
  fc.assert(
    fc.property(
      fc.array(gaps, { minLength: 1, maxLength: 6 }),
      fc.double({ min: 0, max: 1_000, noNaN: true }),
      fc.integer({ min: 0, max: 30 }),
      (allGaps, start, late) => {
        const timers = new HandTimers(start);
        timers.delayAlarms(late);
        const scheduler = new Scheduler(timers);
        const playing = allGaps.map((waits) => {
          const stream = streamOf(waits);
          const sink = new RecordingSink(timers.now);
          scheduler.play(stream, sink);
          return { stream, sink };
        });
        timers.advance(1_000);
        for (const { stream, sink } of playing) {
          expect(framesIn(sink.text)).toEqual(stream.frames.map((_, index) => index));
          expect(sink.ends).toEqual(["close"]);
          for (const { at, data } of sink.writes) {
            for (const index of framesIn(String(data))) {
              expect(at).toBeGreaterThanOrEqual(start + (stream.frames[index]?.at ?? 0));
            }
          }
        }
        expect(timers.pending).toBe(0);
      },
    ),
    { numRuns: tries(150) },
  );
});

test("delivers every frame once and in order to sinks that fill up, resume and stop at any time", () => {
  const action = fc.record({
    advance: fc.integer({ min: 0, max: 30 }),
    stream: fc.nat(3),
    does: fc.constantFrom("fill", "resume", "stop", "nothing"),
  });
  fc.assert(
    fc.property(
      fc.array(gaps, { minLength: 4, maxLength: 4 }),
      fc.array(action, { maxLength: 40 }),
      (allGaps, actions) => {
        const timers = new HandTimers();
        const scheduler = new Scheduler(timers);
        const playing = allGaps.map((waits) => {
          const stream = streamOf(waits);
          const sink = new RecordingSink(timers.now);
          return { stream, sink, playback: scheduler.play(stream, sink), stopped: false };
        });
        for (const { advance, stream, does } of actions) {
          timers.advance(advance);
          const one = playing[stream];
          if (one === undefined) continue;
          one.sink.takesMore = does !== "fill";
          if (does === "resume") one.playback.resume();
          if (does === "stop") one.stopped = true;
          if (does === "stop") one.playback.stop();
        }
        for (const { sink, playback } of playing) {
          sink.takesMore = true;
          playback.resume();
        }
        timers.advance(1_000);
        for (const { stream, sink, playback, stopped } of playing) {
          const seen = framesIn(sink.text);
          expect(seen).toEqual(stream.frames.map((_, index) => index).slice(0, seen.length));
          expect(playback.framesSent()).toBe(seen.length);
          // A stream may also be over before it is stopped.
          const isComplete = seen.length === stream.frames.length && sink.ends[0] === "close";
          expect(isComplete || stopped).toBe(true);
        }
        expect(timers.pending).toBe(0);
      },
    ),
    { numRuns: tries(150) },
  );
});

test("a queue gives the earliest entry after any sequence of adding and taking", () => {
  const step = fc.oneof(fc.integer({ min: -50, max: 50 }), fc.constant("take" as const));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const queue = new DueQueue<Due>();
      const model: number[] = [];
      for (const value of steps) {
        const first = model[0];
        const taken = value === "take" ? queue.takeFirst()?.due : first;
        if (value === "take") model.shift();
        else model.push(value);
        if (value !== "take") queue.add({ due: value });
        model.sort((left, right) => left - right);
        expect([taken, queue.first()?.due]).toEqual([first, model[0]]);
      }
    }),
  );
});
