import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { ChatOpenAI } from "@langchain/openai";
import { Agent, handoff, OpenAIProvider, Runner } from "@openai/agents";
import { generateText, isStepCount, streamText, tool, type ToolSet } from "ai";
import OpenAI, { APIConnectionTimeoutError, AzureOpenAI, BadRequestError } from "openai";
import { expect, test } from "vitest";
import { z } from "zod";
import { connection } from "../support/clients/stream-outcome.ts";
import type { Service } from "../support/transports.ts";
import { requestsOf, serving } from "./responses-service.ts";

// Ten ways in which programs use a model for more than one question, each with the client that people use for it.

function compatible(service: Service) {
  return createOpenAICompatible({ name: "backlot", ...connection(service) })("atlas");
}

/** A tool that notes with what it is called. */
function noting(name: string): {
  readonly cities: string[];
  readonly tools: ToolSet;
} {
  const cities: string[] = [];
  const execute = ({ city }: { city: string }): string => {
    cities.push(city);
    return `rain in ${city}`;
  };
  return {
    cities,
    tools: { [name]: tool({ inputSchema: z.object({ city: z.string() }), execute }) },
  };
}

const cities = ["Oslo", "Rome", "Lima", "Cairo", "Seoul"];

const fiveCalls = {
  name: "loop",
  when: { user: "everywhere" },
  count: "step",
  replies: [
    ...cities.map((city) => ({ toolCalls: [{ name: "get_weather", arguments: { city } }] })),
    { content: "It rains everywhere." },
  ],
};

test("the same tool is called five times in two conversations at the same time", async () => {
  await using service = await serving(fiveCalls);
  const loop = async () => {
    const { cities: asked, tools } = noting("get_weather");
    const { text } = await generateText({
      model: compatible(service),
      prompt: "Does it rain everywhere?",
      tools,
      stopWhen: isStepCount(10),
    });
    return { asked, text };
  };
  const whole = { asked: cities, text: "It rains everywhere." };
  expect(await Promise.all([loop(), loop()])).toEqual([whole, whole]);
});

test("a conversation is handed over to another agent", async () => {
  await using service = await serving(
    {
      name: "billing",
      when: { system: "You do billing." },
      reply: { content: "It is paid back." },
    },
    {
      name: "triage",
      when: { system: "You send people on.", tool: "transfer_to_Billing" },
      reply: { toolCalls: [{ name: "transfer_to_Billing", arguments: {} }] },
    },
  );
  const openAIClient = new OpenAI(connection(service));
  const modelProvider = new OpenAIProvider({ openAIClient, useResponses: false });
  const runner = new Runner({ modelProvider, tracingDisabled: true });
  const billing = new Agent({ name: "Billing", model: "atlas", instructions: "You do billing." });
  const triage = Agent.create({
    name: "Triage",
    model: "atlas",
    instructions: "You send people on.",
    handoffs: [handoff(billing)],
  });
  const { finalOutput, lastAgent } = await runner.run(triage, "I want my money back.");
  expect(lastAgent?.name).toBe("Billing");
  expect(finalOutput).toBe("It is paid back.");
});

test("a loop of tools answers the second question of a conversation", async () => {
  await using service = await serving(fiveCalls, { name: "hello", reply: { content: "Hello." } });
  const model = compatible(service);
  const first = await generateText({ model, prompt: "Hi" });
  const { cities: asked, tools } = noting("get_weather");
  const { text } = await generateText({
    model,
    messages: [
      { role: "user", content: "Hi" },
      ...first.response.messages,
      { role: "user", content: "Does it rain everywhere?" },
    ],
    tools,
    stopWhen: isStepCount(10),
  });
  expect(first.text).toBe("Hello.");
  expect(asked).toEqual(cities);
  expect(text).toBe("It rains everywhere.");
});

test("a client tries again after 429 and 503, and another model steps in for one that has no quota", async () => {
  const busy = { status: 429, message: "Slow down.", retryAfterMs: 1 };
  const down = { status: 503, message: "Overloaded.", retryAfterMs: 1 };
  const empty = {
    status: 429,
    message: "No quota.",
    code: "insufficient_quota",
    type: "insufficient_quota",
  };
  await using service = await serving(
    { when: { model: "atlas-large" }, reply: { content: "From the small one." } },
    { when: { user: "quota" }, reply: { error: empty } },
    { when: { user: "again" }, replies: [{ error: busy }, { error: down }, { content: "Here." }] },
  );
  const client = new OpenAI({ ...connection(service), maxRetries: 2 });
  const answer = await client.chat.completions.create({
    model: "atlas",
    messages: [{ role: "user", content: "again" }],
  });
  expect(answer.choices[0]?.message.content).toBe("Here.");

  const { apiKey, ...configuration } = connection(service);
  const options = { apiKey, configuration, maxRetries: 0 };
  const large = new ChatOpenAI({ model: "atlas", ...options });
  const small = new ChatOpenAI({ model: "atlas-large", ...options });
  const { content } = await large.withFallbacks([small]).invoke("Is there quota?");
  expect(content).toBe("From the small one.");
  expect(await requestsOf(service, 5)).toEqual([
    "429 /v1/chat/completions",
    "503 /v1/chat/completions",
    "200 /v1/chat/completions",
    "429 /v1/chat/completions",
    "200 /v1/chat/completions",
  ]);
});

test("a client tries again when no head comes in time, and gives up a stream that only pings", async () => {
  const aMinute = 60_000;
  await using service = await serving(
    {
      when: { user: "late" },
      replies: [{ content: "No", pace: { headersMs: aMinute } }, { content: "Here." }],
    },
    { when: { user: "never" }, reply: { content: "No", pace: { headersMs: aMinute } } },
    {
      when: { user: "story" },
      reply: {
        chunks: ["Once", { comment: "ping", everyMs: 5 }, { wait: aMinute }, " upon a time"],
      },
    },
  );
  const client = new OpenAI({ ...connection(service), timeout: 300, maxRetries: 1 });
  const ask = (content: string) =>
    client.chat.completions.create({ model: "atlas", messages: [{ role: "user", content }] });
  expect((await ask("late")).choices[0]?.message.content).toBe("Here.");
  await expect(ask("never")).rejects.toBeInstanceOf(APIConnectionTimeoutError);

  const stream = await client.chat.completions.create({
    model: "atlas",
    messages: [{ role: "user", content: "A story, please." }],
    stream: true,
  });
  const texts: string[] = [];
  for await (const { choices } of stream) {
    const text = choices[0]?.delta.content ?? "";
    if (text === "") continue;
    texts.push(text);
    // The program's own patience, which pings do not renew.
    setTimeout(() => stream.controller.abort(), 100);
  }
  expect(texts).toEqual(["Once"]);
});

test("a page shows reasoning, a tool and sources as they stream", async () => {
  const source = {
    type: "url_citation",
    url: "https://example.com/",
    title: "Rain",
    start_index: 0,
    end_index: 4,
  };
  const content = [{ type: "output_text", text: "Rain.", annotations: [source], logprobs: [] }];
  await using service = await serving({
    when: { user: "Oslo" },
    count: "step",
    replies: [
      {
        reasoning: "Oslo it is.",
        toolCalls: [{ name: "get_weather", arguments: { city: "Oslo" } }],
      },
      { chunks: [{ outputItem: { type: "message", role: "assistant", content } }] },
    ],
  });
  const result = streamText({
    model: createOpenAI(connection(service))("atlas"),
    prompt: "The weather in Oslo?",
    providerOptions: { openai: { reasoningSummary: "auto", forceReasoning: true } },
    tools: noting("get_weather").tools,
    stopWhen: isStepCount(3),
  });
  const parts: string[] = [];
  for await (const { type } of result.toUIMessageStream({ sendSources: true })) {
    if (parts.at(-1) !== type) parts.push(type);
  }
  const kinds = [
    "reasoning-delta",
    "tool-input-available",
    "tool-output-available",
    "text-delta",
    "source-url",
  ];
  expect(parts.filter((type) => kinds.includes(type))).toEqual(kinds);
});

test("a program sends back what is wrong with an extraction, and gets a right one", async () => {
  await using service = await serving({
    when: { request: { "response_format.type": "json_schema" } },
    count: "turn",
    replies: [
      { content: { name: "Ada", born: "long ago" } },
      { content: { name: "Ada", born: 1815 } },
    ],
  });
  const person = z.object({ name: z.string(), born: z.number() });
  const client = new OpenAI(connection(service));
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Who is Ada?" }];
  const found: unknown[] = [];
  for (let attempt = 0; attempt < 2; attempt++) {
    const { choices } = await client.chat.completions.create({
      model: "atlas",
      messages,
      response_format: {
        type: "json_schema",
        json_schema: { name: "person", schema: z.toJSONSchema(person) },
      },
    });
    const content = choices[0]?.message.content ?? "";
    const { success, data, error } = person.safeParse(JSON.parse(content));
    found.push(success ? data : error?.issues[0]?.path);
    messages.push(
      { role: "assistant", content },
      { role: "user", content: `Wrong: ${String(error)}` },
    );
  }
  expect(found).toEqual([["born"], { name: "Ada", born: 1815 }]);
});

test("a program finds the nearest text by embeddings, and the model answers from it", async () => {
  await using service = await serving({
    when: { system: "shop opens at nine" },
    reply: { content: "At nine." },
  });
  const client = new OpenAI(connection(service));
  const texts = ["The shop opens at nine on Mondays.", "Teapots are made of clay."];
  const question = "When does the shop open on a Monday?";
  const { data } = await client.embeddings.create({
    model: "atlas-embed",
    input: [question, ...texts],
  });
  const [asked = [], ...known] = data.map(({ embedding }) => embedding);
  const nearness = known.map((vector) =>
    vector.reduce((sum, x, i) => sum + x * (asked[i] ?? 0), 0),
  );
  const nearest = texts[nearness.indexOf(Math.max(...nearness))];
  const { choices } = await client.chat.completions.create({
    model: "atlas",
    messages: [
      { role: "system", content: `Answer from this: ${nearest}` },
      { role: "user", content: question },
    ],
  });
  expect(choices[0]?.message.content).toBe("At nine.");
});

test("a program reads from Azure's refusal which of its rules were broken", async () => {
  const filtered = {
    hate: { filtered: false, severity: "safe" },
    violence: { filtered: true, severity: "high" },
  };
  const innererror = { code: "ResponsibleAIPolicyViolation", content_filter_result: filtered };
  const refusal = {
    status: 400,
    message: "The prompt was filtered.",
    code: "content_filter",
    param: "prompt",
    extra: { innererror },
  };
  await using service = await serving({ when: { user: "fight" }, reply: { error: refusal } });
  const { apiKey, baseURL, ...options } = connection(service);
  const endpoint = baseURL.replace(/\/v1$/, "");
  const client = new AzureOpenAI({
    apiKey,
    endpoint,
    apiVersion: "2024-10-21",
    deployment: "atlas",
    ...options,
  });
  const asked = client.chat.completions.create({
    model: "atlas",
    messages: [{ role: "user", content: "How do I win a fight?" }],
  });
  const refused: unknown = await asked.catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(BadRequestError);
  expect(refused).toMatchObject({ code: "content_filter", error: { innererror } });
});

test("a program stops an answer, and has it go on from there", async () => {
  const whole = "Once upon a time there was a king who had three daughters";
  await using service = await serving(
    { when: { assistant: "Once upon", user: "Go on" }, reply: { content: "They lived happily." } },
    { when: { user: "story" }, reply: { content: whole, pace: { by: "word", gapMs: 100 } } },
  );
  const model = compatible(service);
  const stopping = new AbortController();
  const { textStream } = streamText({
    model,
    prompt: "A story, please.",
    abortSignal: stopping.signal,
  });
  let said = "";
  for await (const text of textStream) {
    said += text;
    if (said === "Once upon") stopping.abort();
  }
  expect(said).toMatch(/^Once upon/);
  expect(said.length).toBeLessThan(whole.length);
  const { text } = await generateText({
    model,
    messages: [
      { role: "user", content: "A story, please." },
      { role: "assistant", content: said },
      { role: "user", content: "Go on." },
    ],
  });
  expect(text).toBe("They lived happily.");
});
