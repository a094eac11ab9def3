import { expect, test } from "vitest";
import { withFault } from "../../../src/core/chat/faults/apply-faults.ts";
import type { Fault } from "../../../src/core/chat/scripts/script.ts";
import { completionsWire } from "../../../src/core/chat/wire/completions-wire.ts";
import { jsonReply } from "../../../src/core/http/reply.ts";
import { bodyOf, streamOf } from "./support.ts";

const full = { ...jsonReply(429, { error: { message: "Full" } }), delayMs: 5, answeredBy: "it" };
const wire = completionsWire.faults;
const always = { random: () => 0, headMs: 0, speed: 1 };

test("leaves an answer alone that has no fault, or whose fault does not happen", () => {
  expect(withFault(full, undefined, always, wire)).toBe(full);
  expect(
    withFault(full, { kind: "hang", probability: 0.5 }, { ...always, random: () => 0.5 }, wire),
  ).toBe(full);
});

test.each(["hang", "reset"] as const)("gives no answer at all for a %s", (how) => {
  expect(withFault(full, { kind: how }, always, wire)).toEqual({
    status: 0,
    headers: {},
    body: { kind: "no-answer", how },
    delayMs: 5,
    answeredBy: "it",
  });
});

test.each([
  ["stall", "hang"],
  ["cut", "close"],
  ["reset", "reset"],
] as const)("sends half of the body for a %s after a chunk", (kind, how) => {
  const reply = withFault(full, { kind, afterChunks: 1 }, always, wire);
  expect(reply.status).toBe(429);
  const frames = [{ at: 0, data: '{"error":{"mes' }];
  expect(streamOf(reply)).toEqual({ frames, end: { how, at: 0, fault: kind } });
});

test("never sends half of a character", () => {
  const reply = jsonReply(200, "a😀😀b");
  const fault: Fault = { kind: "cut", afterChunks: 1 };
  const [frame] = streamOf(
    withFault({ ...reply, body: { kind: "text", text: "a😀😀bc" } }, fault, always, wire),
  ).frames;
  expect(frame?.data).toBe("a😀");
});

test.each(["ab\u{10000}\u{10000}c", "ab\u{103ff}\u{103ff}c"])(
  "ends before a character in the middle: %s",
  (text) => {
    const reply = { ...jsonReply(200, ""), body: { kind: "text", text } } as const;
    const [frame] = streamOf(
      withFault(reply, { kind: "cut", afterChunks: 1 }, always, wire),
    ).frames;
    expect(frame?.data).toBe("ab");
  },
);

test("puts a 500 in the place of another error", () => {
  const reply = withFault(full, { kind: "error", error: { message: "Odd" } }, always, wire);
  expect(reply).toMatchObject({ status: 500, delayMs: 5, answeredBy: "it" });
  expect(bodyOf(reply)).toEqual({
    error: { message: "Odd", type: "server_error", param: null, code: null },
  });
});
