import { expect, test } from "vitest";
import {
  type ReceivedFrame,
  frameOf,
  newsOf,
  placesOf,
  ticksOf,
  axisTimes,
  showDuration,
  timelineOf,
  withDuplicate,
} from "../../../src/extras/console/parts/stream.ts";

function event(data: string): { raw: string; type: string; data: string } {
  return { raw: `data: ${data}\n\n`, type: "message", data };
}

function chunk(delta: object, finish: string | null = null): string {
  return JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] });
}

/** Frames of a stream, each with its time. */
function stream(...sent: readonly (readonly [number, string])[]): ReceivedFrame[] {
  return sent.map(([at, data]) => frameOf(event(data), at));
}

test.each([
  [chunk({ role: "assistant", content: "" }), "role"],
  [chunk({ content: "a" }), "content"],
  [chunk({ reasoning_content: "a" }), "reasoning"],
  [chunk({ refusal: "no" }), "refusal"],
  [chunk({ tool_calls: [{ index: 0 }] }), "tool"],
  [chunk({}, "stop"), "finish"],
  ['{"choices":[],"usage":{"total_tokens":1}}', "usage"],
  ["[DONE]", "done"],
  ['{"error":{"message":"x"}}', "error"],
  ['{"choices":', "malformed"],
  ["[1]", "other"],
  ["null", "other"],
])("takes the event %s for %s", (data, kind) => {
  expect(frameOf(event(data), 0).kind).toBe(kind);
});

test("takes an event without data for a comment, however often it comes", () => {
  const comment = { raw: ": ping\n\n", type: undefined, data: "" };
  expect(frameOf(comment, 1)).toMatchObject({ kind: "comment", isDuplicate: false });
});

test("tells the first token, the gaps that stand out, and that all is well", () => {
  const frames = stream(
    [10, chunk({ role: "assistant" })],
    [30, chunk({ content: "a" })],
    [50, chunk({ content: "b" })],
    [70, chunk({ content: "c" })],
    [700, chunk({ content: "d" })],
    [720, chunk({}, "stop")],
    [720, "[DONE]"],
  );
  expect(timelineOf(frames, { elapsedMs: 721, outcome: "complete" })).toEqual({
    firstTokenMs: 30,
    totalMs: 721,
    longestGap: { from: 70, to: 700 },
    gaps: [{ from: 70, to: 700 }],
    oddities: [],
  });
});

test("sees no gap in an even pace, however slow it is", () => {
  const sent = Array.from(
    { length: 9 },
    (_, index) => [index * 400, chunk({ content: `${index}` })] as const,
  );
  expect(timelineOf(stream(...sent), { elapsedMs: 3200, outcome: "complete" }).gaps).toEqual([]);
});

test("counts the time in which nothing came any more as a gap, where the stream was not over", () => {
  const frames = stream([10, chunk({ content: "a" })]);
  const { longestGap } = timelineOf(frames, { elapsedMs: 2000, outcome: "aborted" });
  expect(longestGap).toEqual({ from: 10, to: 2000 });
});

test("a chunk that a script has twice is no fault, and one that a fault sent again is marked", () => {
  const laugh = chunk({ content: " ha" });
  const frames = [
    frameOf({ type: undefined, data: "" }, 0),
    ...stream([1, chunk({ content: "Ha" })], [2, laugh], [3, laugh], [4, laugh]),
    ...stream([5, chunk({}, "stop")], [6, "[DONE]"]),
  ];
  const told = { elapsedMs: 7, outcome: "complete" } as const;
  expect(timelineOf(frames, told).oddities).toEqual([]);
  const marked = withDuplicate(frames, { kind: "duplicate", afterChunks: 1 });
  expect(marked.flatMap(({ isDuplicate }, index) => (isDuplicate ? [index] : []))).toEqual([3]);
  expect(timelineOf(marked, told).oddities).toEqual([
    "Frame 4 is the one before, sent again by a fault.",
  ]);
});

test("says what is odd", () => {
  const twice = chunk({ content: "a" });
  const frames = stream([0, twice], [1, twice], [2, "{"], [3, '{"error":{}}']);
  expect(timelineOf(frames, { elapsedMs: 4, outcome: "cut" }).oddities).toEqual([
    "Frame 3 is not valid JSON.",
    "Frame 4 is an error.",
    "No chunk has a finish reason.",
    "The stream ended too soon, without its last event.",
  ]);
  expect(timelineOf([], { elapsedMs: 4, outcome: "reset" }).oddities).toEqual([
    "The connection broke.",
  ]);
});

test.each([
  [0, [0]],
  [1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [90, [0, 20, 40, 60, 80]],
  [1510, [0, 500, 1000, 1500]],
  [60_000, [0, 20_000, 40_000, 60_000]],
])("divides an axis of %i ms at %j", (total, times) => {
  const rounded = axisTimes(total).map((time) => Number(time.toFixed(3)));
  expect(rounded.slice(0, times.length)).toEqual(times);
  expect(rounded.length).toBeLessThan(8);
});

test.each([
  [0, "0 ms"],
  [0.44, "0.4 ms"],
  [12.4, "12.4 ms"],
  [312.4, "312 ms"],
  [1510, "1.51 s"],
  [61_240, "61.2 s"],
])("shows %i ms as %s", (ms, text) => {
  expect(showDuration(ms)).toBe(text);
});

test("shows of a frame what changed since the one before, and all of its deltas", () => {
  const frames = [
    '{"id":"a","choices":[{"index":0,"delta":{"content":"ha"}}]}',
    '{"id":"a","choices":[{"index":0,"delta":{"content":"ha"}}]}',
    '{"id":"a","choices":[],"usage":{"total_tokens":3}}',
    "[DONE]",
  ].map((data) => frameOf(event(data), 0));
  expect(frames.map((frame, index) => newsOf(frame, frames[index - 1]))).toEqual([
    'id "a"\nchoices.0.index 0\nchoices.0.delta.content "ha"',
    'choices.0.delta.content "ha"',
    "usage.total_tokens 3",
    "data: [DONE]",
  ]);
});

test("draws one tick for all frames of a kind at a place, however many there are", () => {
  const content = event(chunk({ content: "a" }));
  const frames = Array.from({ length: 40_000 }, (_, at) => frameOf(content, at / 40));
  const error = frameOf(event('{"error":{"message":"x"}}'), 500);
  const ticks = ticksOf([...frames, error], 1000);
  expect(ticks.length).toBeLessThan(1000);
  expect(ticks.at(-1)).toEqual({ at: 0.5, frame: error });
  expect(ticks[0]).toEqual({ at: 0, frame: frames[0] });
  expect(placesOf([0, 0.1, 500, 500, 2000], 1000)).toEqual([0, 0.5, 1]);
});
