import { expect, test } from "vitest";
import { ask, emulatorWith, eventsOf, typesOf } from "./support.ts";

const message = [
  "output_item.added",
  "content_part.added",
  "output_text.delta",
  "output_text.done",
  "content_part.done",
  "output_item.done",
];

test("events come in the service's order, are numbered, and end with the JSON answer", async () => {
  const reply = {
    reasoning: "Hm.",
    content: "Let me look.",
    toolCalls: [{ name: "a", arguments: { x: 1 } }, { name: "b" }],
  };
  const request = { model: "m", input: "Go", reasoning: { summary: "auto" } };
  const events = await eventsOf(await emulatorWith([{ reply }]), request);
  const call = [
    "output_item.added",
    "function_call_arguments.delta",
    "function_call_arguments.done",
    "output_item.done",
  ];
  expect(typesOf(events)).toEqual([
    "created",
    "in_progress",
    "output_item.added",
    "reasoning_summary_part.added",
    "reasoning_summary_text.delta",
    "reasoning_summary_text.done",
    "reasoning_summary_part.done",
    "output_item.done",
    ...message,
    ...call,
    ...call,
    "completed",
  ]);
  expect(events.map((event) => event.sequence_number)).toEqual([...events.keys()]);
  const done = events.filter(({ type }) => type === "response.output_item.done");
  const last = events.at(-1)?.["response"];
  expect(last).toMatchObject({ status: "completed", output: done.map((event) => event["item"]) });
  const { body } = await ask(await emulatorWith([{ reply }]), request);
  const known = ["id", "call_id"];
  const plain = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value, (key, part) => (known.includes(key) ? "" : part)));
  expect(plain(last)).toEqual(plain(body));
});

test("each delta is filled up to 16 characters, unless the request does not want it", async () => {
  const emulator = await emulatorWith([{ reply: { content: "One, two and three." } }]);
  const deltasOf = async (more: object) =>
    (await eventsOf(emulator, { model: "m", input: "Hi", ...more })).filter(({ type }) =>
      type.endsWith(".delta"),
    );
  const filled = await deltasOf({});
  expect(filled.length).toBeGreaterThan(1);
  for (const { delta, obfuscation } of filled) {
    expect((String(delta).length + String(obfuscation).length) % 16).toBe(0);
  }
  const [bare] = await deltasOf({ stream_options: { include_obfuscation: false } });
  expect(bare).not.toHaveProperty("obfuscation");
});

test("chunks are the same pieces, with comments and raw texts between them", async () => {
  const chunks = ["Hel", { comment: "ping" }, "lo", { raw: "data: oops\n\n" }, { reasoning: "So" }];
  const { fetch } = await emulatorWith([{ reply: { chunks } }]);
  const response = await fetch("/v1/responses", {
    method: "POST",
    headers: { authorization: "Bearer k", "content-type": "application/json" },
    body: JSON.stringify({ model: "m", input: "Hi", stream: true }),
  });
  const text = await response.text();
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(text.match(/"delta":"[^"]*"|^: ping$|^data: oops$/gm)).toEqual([
    '"delta":"Hel"',
    ": ping",
    '"delta":"lo"',
    "data: oops",
  ]);
  expect(text).not.toContain("[DONE]");
});

test.each([
  [0, []],
  [4, ["created", "in_progress", "output_item.added", "content_part.added"]],
  [5, ["created", "in_progress", "output_item.added", "content_part.added", "output_text.delta"]],
] as const)("a cut after %i events leaves those", async (afterChunks, types) => {
  const reply = { content: "Hello there", fault: { kind: "cut", afterChunks } };
  const events = await eventsOf(await emulatorWith([{ reply }]), { model: "m", input: "Hi" });
  expect(typesOf(events)).toEqual(types);
});

test("an error in a stream is an event in the recorded form, then the response fails", async () => {
  const fault = {
    kind: "error",
    afterChunks: 4,
    error: { message: "Gone.", code: "server_error" },
  };
  const emulator = await emulatorWith([{ reply: { content: "Hello", fault } }]);
  const events = await eventsOf(emulator, { model: "m", input: "Hi" });
  expect(events.at(-2)).toEqual({
    type: "error",
    sequence_number: 4,
    error: { type: "server_error", code: "server_error", message: "Gone.", param: null },
  });
  expect(events.at(-1)).toMatchObject({
    type: "response.failed",
    sequence_number: 5,
    response: { status: "failed", error: { code: "server_error", message: "Gone." } },
  });
  const { status } = await ask(emulator, { model: "m", input: "Hi" });
  expect(status).toBe(500);
});

test("a planned fault breaks a response like a scripted one", async () => {
  const emulator = await emulatorWith([{ reply: { content: "Hello" } }]);
  emulator.faults.add({ interface: "chat", fault: "error", afterChunks: 4, times: 1 });
  const events = await eventsOf(emulator, { model: "m", input: "Hi" });
  expect(typesOf(events).slice(-2)).toEqual(["error", "failed"]);
});

test("a stream without its end has no last event, and a JSON answer is still in progress", async () => {
  const reply = { content: "Hello", fault: { kind: "noFinish" } };
  const emulator = await emulatorWith([{ reply }]);
  expect(typesOf(await eventsOf(emulator, { model: "m", input: "Hi" }))).toEqual([
    "created",
    "in_progress",
    ...message,
  ]);
  const { body } = await ask(emulator, { model: "m", input: "Hi" });
  expect(body).toMatchObject({ status: "in_progress", usage: null });
});

test("an event that comes twice has the same number, and one that is broken is no JSON", async () => {
  const duplicate = await emulatorWith([
    { reply: { content: "Hi", fault: { kind: "duplicate", afterChunks: 4 } } },
  ]);
  const events = await eventsOf(duplicate, { model: "m", input: "Hi" });
  expect(events.map((event) => event.sequence_number).slice(3, 7)).toEqual([3, 4, 4, 5]);
  const malformed = await emulatorWith([
    { reply: { content: "Hi", fault: { kind: "malformed", afterChunks: 4 } } },
  ]);
  await expect(eventsOf(malformed, { model: "m", input: "Hi" })).rejects.toThrow(SyntaxError);
});
