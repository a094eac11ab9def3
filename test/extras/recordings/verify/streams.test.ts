import { expect, test } from "vitest";
import { readEvents } from "../../../../src/extras/recordings/event-stream.ts";
import { chunk, compare, streamAnswer } from "./answers.ts";

const finish = {
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
};
const usage = chunk(null, { usage: { total_tokens: 3 } });
const whole = [
  chunk({ role: "assistant", content: "" }),
  chunk({ content: "Hi" }),
  chunk({ content: " you" }),
  finish,
  usage,
  "[DONE]",
];

function wholeBy(model: string): readonly unknown[] {
  return whole.map((event) => (typeof event === "string" ? event : { ...event, model }));
}

test("names the kinds of events and their order, each run once", () => {
  const events = [
    ...whole.slice(0, 3),
    chunk({ tool_calls: [{ index: 0 }] }),
    chunk({ reasoning_content: "Hm" }),
    { error: { message: "overloaded" } },
    "no JSON",
    ...whole.slice(3),
  ];
  expect(compare(streamAnswer(events), streamAnswer([])).drifts).toEqual([
    {
      place: "stream.events",
      service: "role, content, tool_calls, reasoning, error, text, finish, usage, [DONE]",
      emulator: "nothing",
    },
  ]);
});

test("reads events by the rules of event streams", () => {
  const text =
    "\uFEFF: ping\r\n\r\ndata: a\rdata:b\n\nevent: error\ndata: {}\n\nid: 1\n\ndata: cut";
  expect(readEvents(text)).toEqual([
    { event: undefined, data: "a\nb" },
    { event: "error", data: "{}" },
  ]);
});

test.each([
  [whole.slice(0, -1), "role, content, finish, usage"],
  [whole.filter((event) => event !== usage), "role, content, finish, [DONE]"],
  [whole.slice(1), "content, finish, usage, [DONE]"],
  [[...whole.slice(1), whole[0]], "content, finish, usage, [DONE], role"],
  [[], "nothing"],
])("tells another order of events, %#", (events, order) => {
  const { drifts } = compare(streamAnswer(events), streamAnswer(whole));
  expect(drifts).toEqual([
    {
      place: "stream.events",
      service: order,
      emulator: "role, content, finish, usage, [DONE]",
    },
  ]);
});

test("takes how a text is cut into chunks for no difference", () => {
  const other = [...whole.slice(0, 2), ...whole.slice(1)];
  expect(compare(streamAnswer(other), streamAnswer(whole)).drifts).toEqual([]);
});

test("tells another shape by the kinds of events that have it", () => {
  const added = whole.map((event) => (typeof event === "string" ? event : { ...event, extra: 1 }));
  expect(compare(streamAnswer(added), streamAnswer(whole)).drifts).toEqual([
    { place: "stream.*.extra", service: "number", emulator: "nothing" },
  ]);
  const changed = whole.map((event) => (event === usage ? chunk(null, { usage: {} }) : event));
  expect(compare(streamAnswer(changed), streamAnswer(whole)).drifts).toEqual([
    { place: "stream.usage.usage.total_tokens", service: "nothing", emulator: "number" },
  ]);
});

test("compares the distinct values of what is declared stable", () => {
  const stable = ["body.model", "body.choices.*.finish_reason"];
  expect(
    compare(streamAnswer(wholeBy("b")), streamAnswer(wholeBy("a")), { stable }).drifts,
  ).toEqual([{ place: "stream.model", service: '"b"', emulator: '"a"' }]);
});

test.each([
  ["reset", "broken off"],
  ["hang", "no end in time"],
  ["too-long", "too long to read"],
] as const)("tells no more of a stream that ended by %s", (end, words) => {
  const { drifts } = compare(streamAnswer(whole.slice(0, 2), { end }), streamAnswer(whole));
  expect(drifts).toEqual([{ place: "end", service: words, emulator: "complete" }]);
});

test("expects nothing behind the end of a recording whose client left", () => {
  const recorded = streamAnswer(whole.slice(0, 2), { end: "hang" });
  expect(compare(streamAnswer(whole), recorded, { isUnfinished: true }).drifts).toEqual([]);
});

test("tells a JSON answer in place of a stream once", () => {
  const { drifts } = compare(
    streamAnswer([], {
      body: { kind: "json", value: {} },
      headers: new Map([["content-type", "application/json"]]),
    }),
    streamAnswer(whole),
  );
  expect(drifts).toEqual([
    { place: "header.content-type", service: "application/json", emulator: "text/event-stream" },
  ]);
});
