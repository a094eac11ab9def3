import fc from "fast-check";
import { expect, test } from "vitest";
import { type ReceivedPart, splitEvents } from "../../../../src/extras/recordings/event-stream.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function parts(...texts: readonly string[]): readonly ReceivedPart[] {
  return texts.map((text, index) => ({ atMs: 10 * (index + 1), bytes: encoder.encode(text) }));
}

function shown(events: readonly ReceivedPart[]): readonly (readonly [number, string])[] {
  return events.map(({ atMs, bytes }) => [atMs, decoder.decode(bytes)]);
}

test.each([
  [
    "one part has two events",
    ["a\n\nb\n\n"],
    [
      [10, "a\n\n"],
      [10, "b\n\n"],
    ],
  ],
  ["an event comes in two parts", ["da", "ta\n\n"], [[20, "data\n\n"]]],
  ["the empty line comes by itself", ["data\n", "\n"], [[20, "data\n\n"]]],
  [
    "the empty line comes with the next event",
    ["data\n", "\nmore\n\n"],
    [
      [20, "data\n\n"],
      [20, "more\n\n"],
    ],
  ],
  [
    "lines end with both characters",
    ["a\r\n\r\nb\r\n\r\n"],
    [
      [10, "a\r\n\r\n"],
      [10, "b\r\n\r\n"],
    ],
  ],
  [
    "lines end with carriage returns",
    ["a\r\rb\r\r"],
    [
      [10, "a\r\r"],
      [10, "b\r\r"],
    ],
  ],
  [
    "the last event has no end",
    ["a\n\nb"],
    [
      [10, "a\n\n"],
      [10, "b"],
    ],
  ],
  ["nothing comes", [], []],
])("cuts events where %s", (_, texts, expected) => {
  expect(shown(splitEvents(parts(...texts)))).toEqual(expected);
});

test("all parts together are the bytes that came, however they came", () => {
  const text = fc.string({ unit: fc.constantFrom("a", ":", "\n", "\r", "é"), maxLength: 12 });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 6 }), (texts) => {
      const events = splitEvents(parts(...texts));
      expect(
        shown(events)
          .map(([, piece]) => piece)
          .join(""),
      ).toBe(texts.join(""));
      const times = events.map(({ atMs }) => atMs);
      expect(times).toEqual(times.toSorted((left, right) => left - right));
    }),
  );
});
