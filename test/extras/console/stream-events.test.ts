import fc from "fast-check";
import { expect, test } from "vitest";
import { eventReader, type StreamEvent } from "../../../src/extras/console/api/stream-events.ts";

function readAll(pieces: readonly string[]): StreamEvent[] {
  const read = eventReader();
  return pieces.flatMap((piece) => read(piece));
}

test.each([
  ["data: a\n\n", "message", "a"],
  ["data:a\r\n\r\n", "message", "a"],
  ["event: request\ndata: {}\n\n", "request", "{}"],
  ["data: a\ndata: b\n\n", "message", "a\nb"],
  [": ping\n\n", undefined, "ping"],
  ["id: 7\nretry: 10\ndata: x: y\n\n", "message", "x: y"],
])("reads the event %j", (text, type, data) => {
  expect(readAll([text])).toEqual([{ type, data }]);
});

test("waits for the end of an event", () => {
  const read = eventReader();
  expect(read("data: a\n\ndata: b")).toEqual([{ type: "message", data: "a" }]);
  expect(read("\n\n")).toEqual([{ type: "message", data: "b" }]);
});

test("reads the same events in whatever pieces they come", () => {
  const text = "data: one\n\n: ping\n\nevent: x\ndata: 日本\ndata:\n\ndata: [DONE]\n\n";
  const whole = readAll([text]);
  expect(whole).toHaveLength(4);
  const cuts = fc.array(fc.nat(text.length), { maxLength: 6 });
  fc.assert(
    fc.property(cuts, (places) => {
      const ends = [...new Set([0, ...places, text.length])].toSorted(
        (left, right) => left - right,
      );
      const pieces = ends.slice(1).map((end, index) => text.slice(ends[index], end));
      expect(readAll(pieces)).toEqual(whole);
    }),
  );
});
