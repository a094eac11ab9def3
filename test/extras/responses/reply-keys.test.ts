import { expect, test } from "vitest";
import { ask, emulatorWith, eventsOf, typesOf } from "./support.ts";

const request = { model: "m", input: "Hi" };

test("a call of a custom tool is an item of its own type, with its events", async () => {
  const toolCalls = [{ type: "custom", name: "run_code", input: "print({{ user }})" }];
  const emulator = await emulatorWith([{ reply: { toolCalls, pace: { by: 6 } } }]);
  const { body } = await ask(emulator, request);
  const item = {
    id: expect.stringMatching(/^ctc_/),
    type: "custom_tool_call",
    status: "completed",
    call_id: expect.stringMatching(/^call_/),
    name: "run_code",
    input: "print(Hi)",
  };
  expect(body.output).toEqual([item]);
  const events = await eventsOf(emulator, request);
  expect(typesOf(events)).toEqual([
    "created",
    "in_progress",
    "output_item.added",
    "custom_tool_call_input.delta",
    "custom_tool_call_input.done",
    "output_item.done",
    "completed",
  ]);
  expect(events.at(-2)).toMatchObject({ item });
  expect(events.at(-3)).toMatchObject({ input: "print(Hi)" });
});

test("interleaved calls are open beside each other, and done in their order", async () => {
  const toolCalls = [
    { name: "f", arguments: "12" },
    { name: "g", arguments: "345" },
  ];
  const pace = { by: 1, toolCalls: "interleaved" };
  const emulator = await emulatorWith([{ reply: { toolCalls, pace } }]);
  const events = await eventsOf(emulator, request);
  const told = events.slice(2).map(({ type, ...more }) => {
    const { output_index: index = "", delta = "" } = more as Record<string, string>;
    return `${type.split(".").at(-1)}${index}${delta}`;
  });
  expect(told).toEqual([
    ..."added0 added1 delta01 delta13 delta02 delta14 delta15".split(" "),
    ..."done0 done0 done1 done1 completed".split(" "),
  ]);
  const last = events.at(-1) as unknown as { response: { output: object[] } };
  expect(last.response.output).toMatchObject([
    { name: "f", arguments: "12" },
    { name: "g", arguments: "345" },
  ]);
});

test("more keys are in the response, in messages and in the first delta", async () => {
  const extra = {
    body: { provider: "acme" },
    message: { phase: "final_answer" },
    delta: { first: 1 },
    choice: { never: 1 },
  };
  const emulator = await emulatorWith([{ reply: { content: "one two", extra } }]);
  const { body } = await ask(emulator, request);
  expect(body).toMatchObject({ provider: "acme", output: [{ phase: "final_answer" }] });
  expect(JSON.stringify(body)).not.toContain("never");
  const events = await eventsOf(emulator, request);
  const responses = events.flatMap(({ response }) => (response === undefined ? [] : [response]));
  expect(responses).toHaveLength(3);
  for (const response of responses) expect(response).toMatchObject({ provider: "acme" });
  const first = events.filter((event) => event["first"] === 1);
  expect(first).toEqual([events.find(({ type }) => type === "response.output_text.delta")]);
});

test("an event of JSON is named by its type, and those after it go on counting", async () => {
  const chunks = ["a", { json: { type: "response.odd", n: 1 } }, "b"];
  const emulator = await emulatorWith([{ reply: { chunks } }]);
  const events = await eventsOf(emulator, request);
  const odd = events.findIndex(({ type }) => type === "response.odd");
  expect(events[odd]).toEqual({ type: "response.odd", n: 1 });
  const numbers = events.filter((_, index) => index !== odd).map((event) => event.sequence_number);
  expect(numbers).toEqual(numbers.map((_, index) => index));
});

test.each([false, true])(
  "a body takes the place of a response, where stream is %s",
  async (stream) => {
    const emulator = await emulatorWith([{ reply: { body: { output: null }, status: 202 } }]);
    expect(await ask(emulator, { ...request, stream })).toMatchObject({
      status: 202,
      body: { output: null },
    });
  },
);

test("an error has more keys as JSON and as an event", async () => {
  const error = { message: "No.", extra: { innererror: { code: "x" } } };
  const emulator = await emulatorWith([
    { when: { user: "json" }, reply: { error: { status: 400, ...error } } },
    { reply: { content: "a", fault: { kind: "error", error } } },
  ]);
  const { body } = await ask(emulator, { model: "m", input: "json" });
  expect(body.error).toMatchObject(error.extra);
  const [event] = await eventsOf(emulator, request);
  expect(event).toMatchObject({ type: "error", error: error.extra });
});

test("a custom tool that must be called is called with a text that fits its format", async () => {
  const emulator = await emulatorWith([]);
  const format = { type: "grammar", syntax: "regex", definition: "[0-9]{3}-[A-Z]" };
  const tools = [
    { type: "custom", name: "run_code" },
    { type: "custom", name: "look_up", format },
  ];
  const named = await ask(emulator, {
    ...request,
    tools,
    tool_choice: { type: "custom", name: "look_up" },
  });
  expect(named.body.output).toMatchObject([
    { type: "custom_tool_call", name: "look_up", input: expect.stringMatching(/^\d{3}-[A-Z]$/) },
  ]);
  const any = await ask(emulator, { ...request, tools, tool_choice: "required" });
  expect(any.body.output).toMatchObject([{ name: "run_code", input: "Hi" }]);
});
