import { expect, test } from "vitest";
import { ask, emulatorWith, eventsOf, typesOf } from "./support.ts";

const search = {
  type: "web_search_call",
  status: "completed",
  action: { type: "search", query: "weather Oslo" },
};
const found = {
  type: "message",
  role: "assistant",
  status: "completed",
  content: [
    {
      type: "output_text",
      text: "It rains, says the institute.",
      logprobs: [],
      annotations: [
        { type: "url_citation", start_index: 0, end_index: 8, url: "https://a.b", title: "A" },
      ],
    },
  ],
};
const chunks = [{ outputItem: search }, { outputItem: found }];

test("items of hosted tools are answered as the script has them, with their events", async () => {
  const emulator = await emulatorWith([{ reply: { chunks } }]);
  const request = { model: "m", input: "The weather?", tools: [{ type: "web_search" }] };
  const { body } = await ask(emulator, request);
  expect(body.output).toEqual([
    { id: expect.stringMatching(/^web_search_call_/), ...search },
    { id: expect.stringMatching(/^message_/), ...found },
  ]);
  const events = await eventsOf(emulator, request);
  expect(typesOf(events)).toEqual([
    "created",
    "in_progress",
    "output_item.added",
    "web_search_call.in_progress",
    "web_search_call.searching",
    "web_search_call.completed",
    "output_item.done",
    "output_item.added",
    "content_part.added",
    "output_text.delta",
    "output_text.annotation.added",
    "output_text.delta",
    "output_text.done",
    "content_part.done",
    "output_item.done",
    "completed",
  ]);
  const texts = events.filter(({ type }) => type === "response.output_text.delta");
  expect(texts.map(({ delta }) => delta)).toEqual(["It rains", ", says the institute."]);
});

test("between texts they stand in their place, and chat completions leave them out", async () => {
  const mixed = ["Let me search.", { outputItem: search }, "It rains."];
  const emulator = await emulatorWith([{ reply: { chunks: mixed } }]);
  const { body } = await ask(emulator, { model: "m", input: "Weather?" });
  expect(body.output.map(({ type }: { type: string }) => type)).toEqual([
    "message",
    "web_search_call",
    "message",
  ]);
  const messages = [{ role: "user", content: "Weather?" }];
  for (const stream of [false, true]) {
    const { fetch } = emulator;
    const response = await fetch("/v1/chat/completions", {
      method: "POST",
      headers: { authorization: "Bearer k", "content-type": "application/json" },
      body: JSON.stringify({ model: "m", messages, stream }),
    });
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(text).not.toContain("web_search_call");
    expect(text).toContain("It rains.");
  }
});

test.each([
  [
    "image_generation_call",
    { status: "completed", result: "aGk=" },
    [
      "image_generation_call.in_progress",
      "image_generation_call.generating",
      "image_generation_call.completed",
    ],
  ],
  [
    "code_interpreter_call",
    { status: "completed", code: "1+1", outputs: [] },
    [
      "code_interpreter_call.in_progress",
      "code_interpreter_call_code.delta",
      "code_interpreter_call_code.done",
      "code_interpreter_call.interpreting",
      "code_interpreter_call.completed",
    ],
  ],
  [
    "mcp_call",
    { status: "completed", name: "ask", arguments: "{}", output: "yes", server_label: "x" },
    [
      "mcp_call.in_progress",
      "mcp_call_arguments.delta",
      "mcp_call_arguments.done",
      "mcp_call.completed",
    ],
  ],
  [
    "shell_call",
    { status: "completed", call_id: "call_1", action: { commands: ["ls"] } },
    ["shell_call_command.added", "shell_call_command.delta", "shell_call_command.done"],
  ],
  ["compaction", { encrypted_content: "x" }, []],
] as const)("a %s has its own events", async (type, more, types) => {
  const emulator = await emulatorWith([{ reply: { chunks: [{ outputItem: { type, ...more } }] } }]);
  const events = await eventsOf(emulator, { model: "m", input: "Go" });
  expect(typesOf(events)).toEqual([
    "created",
    "in_progress",
    "output_item.added",
    ...types,
    "output_item.done",
    "completed",
  ]);
  expect(events.at(-1)?.["response"]).toMatchObject({ output: [{ type, ...more }] });
});
