import { HumanMessage } from "@langchain/core/messages";
import { generateText, jsonSchema, Output, tool } from "ai";
import { zodResponseFormat } from "openai/helpers/zod";
import { expect } from "vitest";
import { z } from "zod";
import { compatibleModel, openaiModel } from "../../support/clients/ai-sdk.ts";
import { langchainModel } from "../../support/clients/langchain.ts";
import { hello, openaiClient } from "../../support/clients/openai.ts";
import { strict } from "../../support/clients/stream-outcome.ts";
import { contract } from "../../support/contract.ts";
import { contractModels as models } from "../../support/contract-chats.ts";

const trip = z.object({
  city: z.string().min(3),
  days: z.number().int().min(1).max(9),
  at: z.iso.datetime(),
  guests: z.array(z.object({ name: z.string(), email: z.email() })).min(1),
  class: z.enum(["first", "second"]),
  note: z.string().nullable(),
  stay: z.union([
    z.object({ kind: z.literal("hotel"), stars: z.number() }),
    z.object({ kind: z.literal("tent") }),
  ]),
});

contract("gives the openai client a parsed object without a script", async (transport) => {
  await using service = await transport.open({ models }, strict);
  const { chat } = openaiClient(service);
  const body = { ...hello, response_format: zodResponseFormat(trip, "trip") };
  const { choices } = await chat.completions.parse(body);
  expect(trip.parse(choices[0]?.message.parsed)).toEqual(choices[0]?.message.parsed);
  const streamed = await chat.completions.stream(body).finalChatCompletion();
  expect(streamed.choices[0]?.message.parsed).toEqual(choices[0]?.message.parsed);
});

contract("gives the AI SDK an object without a script", async (transport) => {
  await using service = await transport.open({ models }, strict);
  for (const provide of [openaiModel, compatibleModel]) {
    const { output } = await generateText({
      model: provide(service),
      prompt: "hi",
      output: Output.object({ schema: trip }),
    });
    expect(trip.parse(output)).toEqual(output);
  }
});

contract("calls the AI SDK's tool where it requires one, without a script", async (transport) => {
  await using service = await transport.open({ models }, strict);
  const book = tool({
    inputSchema: jsonSchema<object>({
      type: "object",
      properties: { city: { type: "string" } },
      required: ["city"],
      additionalProperties: false,
    }),
    execute: () => "done",
  });
  const { toolCalls } = await generateText({
    model: openaiModel(service),
    prompt: "hi",
    tools: { book },
    toolChoice: "required",
  });
  expect(toolCalls).toMatchObject([{ toolName: "book", input: { city: expect.any(String) } }]);
});

for (const method of ["functionCalling", "jsonSchema", "jsonMode"] as const) {
  contract(
    `gives LangChain a structured answer by ${method}, without a script`,
    async (transport) => {
      await using service = await transport.open({ models }, strict);
      // The service wants the word in the messages for JSON mode.
      const schema = method === "jsonMode" ? z.object({ echo: z.literal("hi, in JSON") }) : trip;
      const model = langchainModel(service).withStructuredOutput<object>(schema, { method });
      const answer = await model.invoke([new HumanMessage("hi, in JSON")]);
      expect(schema.parse(answer)).toEqual(answer);
    },
  );
}
