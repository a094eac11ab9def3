import { expect } from "vitest";
import type { Fields, StreamOutcome } from "./stream-outcome.ts";

/** Each way of a client to read a stream. */
export type ReaderName =
  | "openai create"
  | "openai stream"
  | "ai-sdk openai-compatible"
  | "ai-sdk openai"
  | "langchain";

type Expected = Partial<StreamOutcome>;

/** A kind of stream, and what each reader makes of it. */
export interface WireVariant {
  readonly what: string;
  readonly reply: object;
  readonly fields?: Fields;
  /** What readers have that `but` does not name. */
  readonly all: Expected;
  readonly but?: Readonly<Partial<Record<ReaderName, Expected>>>;
}

/** Chunks: the role, "one", " two", the finish. */
const oneTwo = { content: "one two", pace: { by: "word" } };
const ok: Expected = { texts: ["one two"], finish: "stop", error: undefined };

function chunk(content: string, lineEnd: string): string {
  const choices = [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }];
  const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "atlas" };
  return `data: ${JSON.stringify({ ...head, choices })}${lineEnd}${lineEnd}`;
}

const withoutChoices =
  'data: {"id":"","object":"","created":0,"model":"","choices":[],"prompt_filter_results":[]}\n\n';

const weather = { name: "a", arguments: { city: "Oslo" } };
const time = { name: "b", arguments: { zone: "é😀" } };

/** Streams as a service should send them. */
const correct: readonly WireVariant[] = [
  { what: "a text", reply: oneTwo, all: ok },
  {
    what: "a text in single characters",
    reply: { content: "aé👩‍👩‍👧😀b", pace: { by: "character" } },
    all: { ...ok, texts: ["aé👩‍👩‍👧😀b"] },
  },
  {
    what: "a text under the content type text/plain",
    reply: { ...oneTwo, headers: { "content-type": "text/plain" } },
    all: ok,
  },
  {
    what: "a text between heartbeat comments",
    reply: { chunks: [{ comment: "ping" }, "one", { comment: "ping" }, " two"] },
    all: ok,
  },
  {
    what: "events that end in CRLF",
    reply: { chunks: [{ raw: chunk("one two", "\r\n") }] },
    all: ok,
  },
  {
    what: "a first chunk without choices",
    reply: { chunks: [{ raw: withoutChoices }, "one", " two"] },
    all: ok,
  },
  {
    what: "a chunk with the usage",
    reply: { ...oneTwo, usage: { prompt_tokens: 30, completion_tokens: 12 } },
    fields: { stream_options: { include_usage: true } },
    all: { ...ok, tokens: 42 },
  },
  {
    what: "parallel tool calls",
    reply: { toolCalls: [weather, time], pace: { by: "character" } },
    all: {
      calls: [
        ["a", '{"city":"Oslo"}'],
        ["b", '{"zone":"é😀"}'],
      ],
      finish: "tool_calls",
      error: undefined,
    },
  },
  {
    what: "a text and a tool call",
    reply: { ...oneTwo, toolCalls: [weather] },
    all: { ...ok, calls: [["a", '{"city":"Oslo"}']], finish: "tool_calls" },
  },
  {
    what: "a tool call that finishes with stop",
    reply: { toolCalls: [weather], finishReason: "stop" },
    all: { calls: [["a", '{"city":"Oslo"}']], finish: "stop", error: undefined },
  },
  {
    what: "reasoning",
    reply: { ...oneTwo, reasoning: "hmm so" },
    all: { ...ok, reasoning: "" },
    but: {
      "openai create": { ...ok, reasoning: "hmm so" },
      // It has no field for it, and of those that it does not know keeps the last.
      "openai stream": { ...ok, reasoning: " so" },
      "ai-sdk openai-compatible": { ...ok, reasoning: "hmm so" },
    },
  },
  {
    what: "two choices in turn",
    reply: { choices: [{ content: "one two" }, { content: "three four" }], pace: { by: "word" } },
    fields: { n: 2 },
    all: { ...ok, texts: ["onethree two four"] },
    but: {
      "openai create": { ...ok, texts: ["one two", "three four"] },
      "openai stream": { ...ok, texts: ["one two", "three four"] },
      langchain: { ...ok, texts: ["onethree two four"], finish: "stopstop" },
    },
  },
  ...(["length", "content_filter"] as const).map((finish) => ({
    what: `the finish reason ${finish}`,
    reply: { ...oneTwo, finishReason: finish },
    all: { ...ok, finish },
  })),
];

function broken(kind: string, afterChunks?: number): object {
  return { ...oneTwo, fault: { kind, ...(afterChunks === undefined ? {} : { afterChunks }) } };
}

/** The AI SDK 6 and 7 differ in words. */
const interrupted: string = expect.stringMatching(/^(other|interrupted)$/);
const errorPart: string = expect.stringMatching(/^(object|AI_StreamProviderError)$/);

const quiet: Expected = { finish: undefined, error: undefined };
const helperError: Expected = { texts: [], error: "OpenAIError" };

/** Streams with a fault, which comes after "one" where it has a place. */
const faulty: readonly WireVariant[] = [
  { what: "a stream without [DONE]", reply: broken("noDone"), all: ok },
  {
    what: "a stream without a finish reason",
    reply: broken("noFinish"),
    all: { texts: ["one two"], ...quiet },
    but: {
      "openai stream": helperError,
      "ai-sdk openai-compatible": {
        texts: ["one two"],
        finish: "error",
        error: "AI_InvalidResponseDataError",
      },
      "ai-sdk openai": { texts: ["one two"], finish: interrupted, error: undefined },
    },
  },
  {
    what: "a stream that ends in order but too soon",
    reply: broken("cut", 2),
    all: { texts: ["one"], ...quiet },
    but: {
      "openai stream": helperError,
      "ai-sdk openai-compatible": {
        texts: ["one"],
        finish: "error",
        error: "AI_InvalidResponseDataError",
      },
      "ai-sdk openai": { texts: ["one"], finish: interrupted, error: undefined },
    },
  },
  {
    what: "a connection that breaks in the middle",
    reply: broken("reset", 2),
    all: { texts: ["one"], finish: undefined, error: "TypeError" },
    but: {
      "openai stream": helperError,
      "ai-sdk openai-compatible": { texts: ["one"], error: "AI_APICallError" },
      "ai-sdk openai": { texts: ["one"], error: "AI_APICallError" },
    },
  },
  {
    what: "an error in the stream",
    reply: broken("error", 2),
    all: { texts: ["one"], finish: undefined, error: "APIError" },
    but: {
      "openai stream": { texts: [], error: "APIError" },
      "ai-sdk openai-compatible": { texts: ["one"], finish: "error", error: errorPart },
      "ai-sdk openai": { texts: ["one"], finish: "error", error: errorPart },
    },
  },
  {
    what: "an event that is not JSON",
    reply: broken("malformed", 2),
    all: { texts: ["one"], finish: undefined, error: "SyntaxError" },
    but: {
      "openai stream": helperError,
      "ai-sdk openai-compatible": { error: "AI_JSONParseError" },
      "ai-sdk openai": { error: "AI_JSONParseError" },
    },
  },
  {
    what: "an event that comes twice",
    reply: broken("duplicate", 1),
    all: { ...ok, texts: ["oneone two"] },
  },
];

export const wireVariants: readonly WireVariant[] = [...correct, ...faulty];
