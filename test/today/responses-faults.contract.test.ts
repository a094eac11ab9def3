import { setTimeout as delay } from "node:timers/promises";
import { createOpenAI } from "@ai-sdk/openai";
import { Agent as MastraAgent } from "@mastra/core/agent";
import { Agent, OpenAIProvider, Runner } from "@openai/agents";
import { generateText, streamText } from "ai";
import OpenAI from "openai";
import { beforeAll, expect, test, vi } from "vitest";
import { shortenWaits } from "../support/clients/shortened-waits.ts";
import { connection, nameOf } from "../support/clients/stream-outcome.ts";
import type { Service } from "../support/transports.ts";
import { langchainModel, mastraModel, requestsOf, serving } from "./responses-service.ts";

/** What a client makes of a streamed answer. */
interface Outcome {
  text: string;
  /** How it says that the answer ended. Undefined: it does not say. */
  finish: string | null | undefined;
  /** What it throws, or reports among the parts of a stream. */
  error: string | undefined;
}

/** Reads one streamed answer. The signal is for what never ends. */
type Read = (service: Service, outcome: Outcome, signal: AbortSignal) => Promise<void>;

const model = "atlas";
const input = "hi";

const readers = {
  "openai create": async (service, outcome, signal) => {
    const { responses } = new OpenAI(connection(service));
    for await (const event of await responses.create({ model, input, stream: true }, { signal })) {
      if (event.type === "response.output_text.delta") outcome.text += event.delta;
      if ("response" in event) outcome.finish = event.response.status;
    }
  },
  "openai stream": async (service, outcome, signal) => {
    const { responses } = new OpenAI(connection(service));
    const final = await responses.stream({ model, input }, { signal }).finalResponse();
    outcome.text = final.output_text;
    outcome.finish = final.status;
  },
  "AI SDK": async (service, outcome, abortSignal) => {
    const provider = createOpenAI(connection(service))(model);
    const asked = { model: provider, prompt: input, abortSignal };
    const { fullStream } = streamText({ ...asked, onError: () => undefined });
    for await (const part of fullStream) {
      if (part.type === "text-delta") outcome.text += part.text;
      if (part.type === "finish") outcome.finish = part.finishReason;
      if (part.type === "error") outcome.error = nameOf(part.error);
      if (part.type === "abort") outcome.error = "abort";
    }
  },
  "Agents SDK": async (service, outcome, signal) => {
    const modelProvider = new OpenAIProvider({ openAIClient: new OpenAI(connection(service)) });
    const runner = new Runner({ modelProvider, tracingDisabled: true });
    const agent = new Agent({ name: "Guide", model });
    const result = await runner.run(agent, input, { stream: true, signal });
    for await (const piece of result.toTextStream()) outcome.text += piece;
    await result.completed;
    outcome.finish = result.finalOutput === undefined ? undefined : "final";
  },
  LangChain: async (service, outcome, signal) => {
    const chat = langchainModel(service);
    for await (const { text, response_metadata: end } of await chat.stream(input, { signal })) {
      outcome.text += text;
      if (typeof end["status"] === "string") outcome.finish = end["status"];
    }
  },
  Mastra: async (service, outcome, abortSignal) => {
    const agent = new MastraAgent({
      id: "guide",
      name: "Guide",
      instructions: "",
      model: mastraModel(service),
    });
    const result = await agent.stream(input, { abortSignal });
    for await (const piece of result.textStream) outcome.text += piece;
    outcome.finish = await result.finishReason;
    outcome.error = result.error === undefined ? undefined : nameOf(result.error);
  },
} satisfies Record<string, Read>;

/** What each client makes of it, by the text, and how it says that the answer ended or what the error is. */
interface Row {
  readonly what: string;
  readonly replies: readonly object[];
  readonly made: Readonly<Record<keyof typeof readers, string>>;
  /** How many requests it takes, where that is not one for each reply. */
  readonly requests?: Partial<Readonly<Record<keyof typeof readers, number>>>;
}

const whole = { content: "one two three", pace: { by: "word" } };

/** A fault behind the second word: four events begin the text. */
function breaking(kind: string): readonly object[] {
  return [{ ...whole, fault: { kind, afterChunks: 6 } }];
}

const rows: readonly Row[] = [
  {
    what: "is cut",
    replies: breaking("cut"),
    made: {
      "openai create": "one two, in_progress",
      "openai stream": "one two, in_progress",
      "AI SDK": "one two, interrupted",
      "Agents SDK": "one two, throws ModelBehaviorError",
      LangChain: "one two",
      // It goes on, and refers to a message that the server has not kept.
      Mastra: "one two, error AI_APICallError",
    },
    requests: { Mastra: 2 },
  },
  {
    what: "has no last event",
    replies: [{ ...whole, fault: { kind: "noFinish" } }],
    made: {
      "openai create": "one two three, in_progress",
      "openai stream": "one two three, in_progress",
      "AI SDK": "one two three, interrupted",
      "Agents SDK": "one two three, throws ModelBehaviorError",
      LangChain: "one two three",
      // It takes the answer for a step, and asks again until it may no more.
      Mastra: `${"one two three".repeat(5)}, other`,
    },
    requests: { Mastra: 5 },
  },
  {
    what: "breaks off with a reset",
    replies: breaking("reset"),
    made: {
      "openai create": "one two, throws TypeError",
      "openai stream": "throws OpenAIError",
      "AI SDK": "one two, throws AI_APICallError",
      "Agents SDK": "one two, throws TypeError",
      LangChain: "one two, throws TypeError",
      Mastra: "one two, error AI_APICallError",
    },
  },
  {
    what: "stalls until the client leaves",
    replies: breaking("stall"),
    made: {
      "openai create": "one two, in_progress",
      "openai stream": "throws APIUserAbortError",
      "AI SDK": "one two, error abort",
      "Agents SDK": "one two",
      LangChain: "one two, throws TimeoutError",
      Mastra: "one two, aborted",
    },
  },
  {
    what: "has an error",
    replies: breaking("error"),
    made: {
      "openai create": "one two, throws APIError",
      "openai stream": "throws APIError",
      "AI SDK": "one two, error AI_StreamProviderError",
      "Agents SDK": "one two, throws APIError",
      LangChain: "one two, throws APIError",
      Mastra: "one two, error Error",
    },
  },
  {
    what: "ends at the limit of tokens",
    replies: [{ ...whole, finishReason: "length" }],
    made: {
      "openai create": "one two three, incomplete",
      "openai stream": "one two three, incomplete",
      "AI SDK": "one two three, length",
      "Agents SDK": "one two three, throws ModelBehaviorError",
      LangChain: "one two three, incomplete",
      Mastra: "one two three, length",
    },
  },
  {
    what: "is a refusal",
    replies: [{ refusal: "No." }],
    made: {
      "openai create": "completed",
      "openai stream": "completed",
      "AI SDK": "No., content-filter",
      "Agents SDK": "throws ModelRefusalError",
      LangChain: "completed",
      Mastra: "stop",
    },
  },
  {
    what: "comes after a 429",
    replies: [{ error: { status: 429, message: "Slow down.", retryAfterMs: 1 } }, whole],
    made: {
      "openai create": "one two three, completed",
      "openai stream": "one two three, completed",
      "AI SDK": "one two three, stop",
      "Agents SDK": "one two three, final",
      LangChain: "one two three, completed",
      // It does not try again unless told to.
      Mastra: "error AI_APICallError",
    },
    requests: { Mastra: 1 },
  },
  {
    what: "comes after a connection that breaks",
    replies: [{ ...whole, fault: { kind: "reset" } }, whole],
    made: {
      "openai create": "one two three, completed",
      "openai stream": "one two three, completed",
      "AI SDK": "one two three, stop",
      "Agents SDK": "one two three, final",
      LangChain: "one two three, completed",
      Mastra: "error AI_APICallError",
    },
    requests: { Mastra: 1 },
  },
];

async function madeOf(read: Read, service: Service, leaving: AbortSignal): Promise<string> {
  const outcome: Outcome = { text: "", finish: undefined, error: undefined };
  try {
    await read(service, outcome, leaving);
  } catch (error) {
    return [outcome.text, `throws ${nameOf(error)}`].filter(Boolean).join(", ");
  }
  const { text, finish, error } = outcome;
  return [text, error === undefined ? finish : `error ${error}`].filter(Boolean).join(", ");
}

/** Leaves once all that comes before the fault was sent, and a little later, when the client has read it. */
async function leaveWhenStalled(service: Service, leaving: AbortController): Promise<void> {
  const isStalled = async (): Promise<boolean> =>
    (await (await service.fetch("/__backlot/requests")).text()).includes('"chunksSent":6,');
  await vi.waitUntil(isStalled, { timeout: 30_000, interval: 10 });
  await delay(100);
  leaving.abort(new DOMException("It takes too long.", "TimeoutError"));
}

beforeAll(() => {
  // Mastra writes each error there, too.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  return () => vi.restoreAllMocks();
});

for (const { what, replies, made, requests = {} } of rows) {
  for (const name of namesOf(readers)) {
    test(`${name} reads a response that ${what}`, async () => {
      await using service = await serving({ replies });
      using _ = shortenWaits();
      const leaving = new AbortController();
      if (what.startsWith("stalls")) void leaveWhenStalled(service, leaving);
      expect(await madeOf(readers[name], service, leaving.signal)).toBe(made[name]);
      await requestsOf(service, requests[name] ?? replies.length);
    });
  }
}

function namesOf<Name extends string>(from: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(from) as Name[];
}

/** Asks once, without another try and with a timeout of the client's own in milliseconds. */
type AskOnce = (service: Service, timeout: number) => PromiseLike<unknown>;

const once = { maxRetries: 0 };

const clients: Readonly<Record<string, AskOnce>> = {
  openai: (service, timeout) =>
    new OpenAI({ ...connection(service), ...once, timeout }).responses.create({ model, input }),
  "AI SDK": (service, timeout) => {
    const provider = createOpenAI(connection(service))(model);
    return generateText({ model: provider, prompt: input, ...once, timeout });
  },
  "Agents SDK": (service, timeout) => {
    const openAIClient = new OpenAI({ ...connection(service), ...once, timeout });
    const modelProvider = new OpenAIProvider({ openAIClient });
    const runner = new Runner({ modelProvider, tracingDisabled: true });
    return runner.run(new Agent({ name: "Guide", model }), input);
  },
  LangChain: (service, timeout) => langchainModel(service, { ...once, timeout }).invoke(input),
};

/** What each then says. */
const timeoutErrors: Readonly<Record<string, string>> = {
  openai: "APIConnectionTimeoutError",
  "AI SDK": "TimeoutError",
  "Agents SDK": "APIConnectionTimeoutError",
  LangChain: "TimeoutError",
};

test.each(Object.entries(clients))(
  "%s runs into its own timeout when nothing comes",
  async (name, ask) => {
    await using service = await serving({ reply: { content: "x", fault: { kind: "hang" } } });
    const error: unknown = await ask(service, 300).then(undefined, (reason: unknown) => reason);
    expect(nameOf(error)).toBe(timeoutErrors[name]);
    await requestsOf(service, 1);
  },
);

const halfAnswerErrors: Readonly<Record<string, string>> = {
  openai: "TypeError",
  "AI SDK": "AI_APICallError",
  "Agents SDK": "TypeError",
  LangChain: "TypeError",
};

test.each(Object.entries(clients))(
  "%s has an error when a JSON answer breaks off half-way",
  async (name, ask) => {
    const fault = { kind: "reset", afterChunks: 1 };
    await using service = await serving({ reply: { content: "one two", fault } });
    const error: unknown = await ask(service, 30_000).then(undefined, (reason: unknown) => reason);
    expect(nameOf(error)).toBe(halfAnswerErrors[name]);
    await requestsOf(service, 1);
  },
);
