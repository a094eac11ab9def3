import OpenAI from "openai";
import { zodResponsesFunction, zodTextFormat } from "openai/helpers/zod";
import { expect, test } from "vitest";
import { z } from "zod";
import { connection } from "../support/clients/stream-outcome.ts";
import type { Service } from "../support/transports.ts";
import { dinner, requestsOf, serving } from "./responses-service.ts";

function clientFor(service: Service): OpenAI {
  return new OpenAI(connection(service));
}

const model = "atlas";

test("openai creates a response, and reads it whole", async () => {
  const usage = { prompt_tokens: 30, completion_tokens: 12 };
  await using service = await serving({
    when: { system: "Be brief.", user: "hi" },
    reply: { content: "Hello, Ada.", usage },
  });
  const { responses } = clientFor(service);
  const response = await responses.create({ model, instructions: "Be brief.", input: "hi" });
  expect(response).toMatchObject({
    output_text: "Hello, Ada.",
    status: "completed",
    error: null,
    _request_id: expect.stringMatching(/^req_/),
  });
  expect(response.usage).toMatchObject({ input_tokens: 30, output_tokens: 12, total_tokens: 42 });
});

test("openai reads the events of a response, and its stream helper puts them together", async () => {
  const reply = {
    content: "one two",
    toolCalls: [{ name: "look", arguments: { at: 1 } }],
    pace: { by: "word" },
  };
  await using service = await serving({ reply });
  const { responses } = clientFor(service);
  const deltas: string[] = [];
  for await (const event of await responses.create({ model, input: "hi", stream: true })) {
    if (event.type === "response.output_text.delta") deltas.push(event.delta);
  }
  expect(deltas).toEqual(["one", " two"]);
  const stream = responses.stream({ model, input: "hi" });
  const snapshots: string[] = [];
  stream.on("response.output_text.delta", ({ snapshot }) => snapshots.push(snapshot));
  const final = await stream.finalResponse();
  expect(snapshots).toEqual(["one", "one two"]);
  expect(final).toMatchObject({ status: "completed", output_text: "one two" });
  expect(final.output).toMatchObject([
    { type: "message" },
    { type: "function_call", name: "look", arguments: '{"at":1}' },
  ]);
});

test("openai parses a response by a schema, and the arguments of a call", async () => {
  await using service = await serving(
    { when: { request: { "text.format.type": "json_schema" } }, reply: { content: dinner } },
    { reply: { toolCalls: [{ name: "cook", arguments: dinner }] } },
  );
  const { responses } = clientFor(service);
  const shape = z.object({ dish: z.string(), minutes: z.number() });
  const text = { format: zodTextFormat(shape, "dinner") };
  const parsed = await responses.parse({ model, input: "hi", text });
  expect(parsed.output_parsed).toEqual(dinner);
  const tools = [zodResponsesFunction({ name: "cook", parameters: shape })];
  const { output } = await responses.parse({ model, input: "hi", tools });
  expect(output).toMatchObject([{ type: "function_call", parsed_arguments: dinner }]);
});

test("openai goes on from a response by its id, and sends a tool's result", async () => {
  await using service = await serving(
    { when: { toolResult: { name: "look", content: "rain" } }, reply: { content: "It rains." } },
    { when: { turn: 2, anyMessage: "Look." }, reply: { content: "{{ messages.size }} messages" } },
    { when: { turn: 0 }, reply: { toolCalls: [{ name: "look", arguments: {} }] } },
  );
  const { responses } = clientFor(service);
  const asked = await responses.create({ model, input: "Look." });
  const calls = asked.output.filter((item) => item.type === "function_call");
  const output = calls.map(({ call_id }) => ({
    type: "function_call_output" as const,
    call_id,
    output: "rain",
  }));
  const told = await responses.create({ model, previous_response_id: asked.id, input: output });
  expect(told).toMatchObject({ output_text: "It rains.", previous_response_id: asked.id });
  const thanked = await responses.create({ model, previous_response_id: told.id, input: "And?" });
  expect(thanked.output_text).toBe("5 messages");
});

test("openai retrieves, lists, streams again and deletes what was kept", async () => {
  await using service = await serving({ reply: { content: "Hello." } });
  const { responses } = clientFor(service);
  const made = await responses.create({ model, input: "hi" });
  expect(await responses.retrieve(made.id)).toMatchObject({ id: made.id, output_text: "Hello." });
  const items: unknown[] = [];
  for await (const item of responses.inputItems.list(made.id)) items.push(item);
  expect(items).toMatchObject([{ role: "user", content: [{ type: "input_text", text: "hi" }] }]);
  const types: string[] = [];
  const again = await responses.retrieve(made.id, { stream: true, starting_after: 1 });
  for await (const { type } of again) types.push(type);
  expect([types[0], types.at(-1)]).toEqual(["response.output_item.added", "response.completed"]);
  await expect(responses.cancel(made.id)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("Cannot cancel a synchronous response."),
  });
  await responses.delete(made.id);
  await expect(responses.retrieve(made.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
});

test("openai counts the tokens of an input", async () => {
  await using service = await serving();
  const { input_tokens } = await clientFor(service).responses.inputTokens.count({
    model,
    input: "one two three",
  });
  expect(input_tokens).toBeGreaterThan(2);
});

test("openai gets no answer in the background, and is told why", async () => {
  await using service = await serving();
  const asked = clientFor(service).responses.create({ model, input: "hi", background: true });
  await expect(asked).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("background"),
  });
  await requestsOf(service, 1);
});
