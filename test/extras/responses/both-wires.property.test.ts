import * as fc from "fast-check";
import { expect, test } from "vitest";
import { checkScript } from "../../../src/core/chat/scripts/check-script.ts";
import type { Script, ScriptReply } from "../../../src/core/chat/scripts/script.ts";
import type { Emulator } from "../../../src/index.ts";
import { limits, requests, whens } from "../../core/chat/arbitrary-chats.ts";
import type { Sent, SentMessage } from "../../core/chat/naive-matching.ts";
import { tries } from "../../support/tries.ts";
import { emulatorWith } from "./support.ts";

/** What a client reads, in terms that both wires have. */
interface Read {
  readonly status: number;
  readonly text: string;
  readonly refusal: string;
  readonly calls: readonly (readonly [name: unknown, args: unknown])[];
  /** How it ended. That there are calls is no end of its own in a response. */
  readonly finish: "completed" | "length" | "content_filter" | undefined;
  readonly usage: readonly unknown[];
}

// oxlint-disable-next-line typescript/no-explicit-any -- a body of any kind, of which readers take what they expect.
type Json = any;

/** A conversation as both wires accept it: each call has its result, and the assistant does not speak twice in a row. */
function inOrder(messages: readonly SentMessage[]): readonly SentMessage[] {
  const ordered: SentMessage[] = [];
  for (const { role, content, tool_calls: calls = [] } of messages) {
    if (role === "tool") continue;
    if (role === "assistant" && ordered.at(-1)?.role !== "user") continue;
    const made = calls.map(({ name }, index) => ({ id: `call_${ordered.length}_${index}`, name }));
    ordered.push({ role, content, ...(made.length > 0 ? { tool_calls: made } : {}) });
    for (const { id } of made) ordered.push({ role: "tool", content: "rain", tool_call_id: id });
  }
  return ordered.length > 0 ? ordered : [{ role: "user", content: "sun" }];
}

type Asked = Sent & { readonly most: number | undefined };

const asked: fc.Arbitrary<Asked> = fc
  .tuple(requests, fc.option(fc.constantFrom(16, 20), { nil: undefined }))
  .map(([sent, most]) => ({ ...sent, messages: inOrder(sent.messages), most }));

const words = fc
  .array(fc.constantFrom("rain", " and", " sun", "é", "😀", "\n", " ", '"'), { maxLength: 30 })
  .map((parts) => parts.join(""));
const calls = fc.array(
  fc.oneof(
    fc.record({
      name: fc.constantFrom("ping", "get"),
      arguments: fc.oneof(
        words,
        fc.dictionary(fc.constantFrom("a", "é"), fc.integer()),
        fc.constant(null),
      ),
    }),
    fc.record({ type: fc.constant("custom"), name: fc.constant("run"), input: words }),
  ),
  { minLength: 1, maxLength: 3 },
);
const chunk = fc.oneof(
  words,
  words.map((reasoning) => ({ reasoning })),
  calls.map(([call]) => ({ toolCall: call })),
  fc.constant({ comment: "so" }),
);
const ends = {
  finishReason: fc.constantFrom("stop", "length", "content_filter", "tool_calls"),
  usage: fc.record({
    prompt_tokens: fc.nat(99),
    completion_tokens: fc.nat(99),
    prompt_tokens_details: fc.record({ cached_tokens: fc.nat(9) }),
    completion_tokens_details: fc.record({ reasoning_tokens: fc.nat(9) }),
  }),
  pace: fc.record({
    by: fc.constantFrom("token", "word", "character", 3),
    toolCalls: fc.constantFrom("pieces", "whole", "interleaved"),
  }),
};

const reply: fc.Arbitrary<ScriptReply> = fc.oneof(
  fc.record(
    {
      content: fc.oneof(words, fc.array(words), fc.constant(null)),
      toolCalls: calls,
      reasoning: words,
      ...ends,
    },
    { requiredKeys: ["content"] },
  ),
  fc.record(
    { chunks: fc.array(chunk, { minLength: 1, maxLength: 5 }), ...ends },
    { requiredKeys: ["chunks"] },
  ),
  fc.record({ refusal: words.filter(Boolean), ...ends }, { requiredKeys: ["refusal"] }),
) as fc.Arbitrary<ScriptReply>;

/** Without paths of the body, which are those of one wire. What the history decides comes more often. */
const conditions = fc.oneof(
  { weight: 2, arbitrary: fc.record({ turn: fc.nat(2) }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("ping", "get").map((name) => ({ toolResult: { name } })),
  },
  {
    weight: 3,
    arbitrary: whens.map((when) =>
      Object.fromEntries(Object.entries(when).filter(([name]) => name !== "request")),
    ),
  },
);

const scripts = fc.array(
  fc
    .tuple(conditions, limits, fc.array(reply, { minLength: 1, maxLength: 2 }))
    .map(([when, limit, replies]) => ({ when, replies, ...limit }))
    .filter(({ when, replies: [first = {}, ...others], ...limit }) => {
      const script: Script = { name: "s", when, replies: [first, ...others], ...limit };
      return checkScript(script).every(({ path }) => path[0] !== "when");
    }),
  { minLength: 1, maxLength: 6 },
);

/** A way to ask and to read. */
interface Wire {
  readonly path: string;
  readonly bodyOf: (asked: Asked) => object;
  readonly read: (status: number, body: Json) => Read;
  readonly readEvents: (status: number, events: readonly Json[]) => Read;
}

const refused = { text: "", refusal: "", calls: [], finish: undefined, usage: [] };

/** Chat's finish reason, without what a response does not tell. */
function ended(reason: unknown): Read["finish"] {
  return reason === "length" || reason === "content_filter" ? reason : "completed";
}

function usageOf({ prompt_tokens: input, completion_tokens: output, ...rest }: Json): Json[] {
  const { prompt_tokens_details: ofInput, completion_tokens_details: ofOutput } = rest;
  const details = [ofInput?.cached_tokens ?? 0, ofOutput?.reasoning_tokens ?? 0];
  return [input, output, rest.total_tokens, ...details];
}

const chat: Wire = {
  path: "/v1/chat/completions",
  bodyOf: ({ model, messages, stream, tools, most }) => ({
    model,
    stream,
    messages: messages.map(({ tool_calls: its, ...message }) => ({
      ...message,
      ...(its === undefined
        ? {}
        : {
            tool_calls: its.map(({ id, name }) => ({
              id,
              type: "function",
              function: { name, arguments: "{}" },
            })),
          }),
    })),
    ...(tools.length === 0
      ? {}
      : { tools: tools.map((name) => ({ type: "function", function: { name } })) }),
    ...(most === undefined ? {} : { max_completion_tokens: most }),
    ...(stream ? { stream_options: { include_usage: true } } : {}),
  }),
  read: (status, { choices, usage, error }) => {
    if (error !== undefined) return { status, ...refused };
    const [{ message, finish_reason: reason }] = choices;
    return {
      status,
      text: message.content ?? "",
      refusal: message.refusal ?? "",
      calls: (message.tool_calls ?? []).map((call: Json) =>
        call.type === "custom"
          ? [call.custom.name, call.custom.input]
          : [call.function.name, call.function.arguments],
      ),
      finish: ended(reason),
      usage: usageOf(usage),
    };
  },
  readEvents: (status, events) => {
    const made = { text: "", refusal: "", calls: [] as [string, string][] };
    let reason: unknown;
    let usage: Json = {};
    for (const { choices, usage: counted } of events) {
      usage = counted ?? usage;
      for (const { delta, finish_reason: end } of choices) {
        reason = end ?? reason;
        made.text += delta.content ?? "";
        made.refusal += delta.refusal ?? "";
        for (const { index, function: called, custom } of delta.tool_calls ?? []) {
          const part = called ?? { name: custom.name, arguments: custom.input };
          const [name, args] = made.calls[index] ?? ["", ""];
          made.calls[index] = [name + (part.name ?? ""), args + (part.arguments ?? "")];
        }
      }
    }
    return { status, ...made, finish: ended(reason), usage: usageOf(usage) };
  },
};

function itemsOf({ role, content, tool_call_id: of, tool_calls: its = [] }: SentMessage): object[] {
  if (role === "tool") return [{ type: "function_call_output", call_id: of, output: content }];
  const called = its.map(({ id, name }) => ({
    type: "function_call",
    call_id: id,
    name,
    arguments: "{}",
  }));
  return [{ role, content }, ...called];
}

const responses: Wire = {
  path: "/v1/responses",
  bodyOf: ({ model, messages, stream, tools, most }) => ({
    model,
    stream,
    input: messages.flatMap(itemsOf),
    ...(tools.length === 0 ? {} : { tools: tools.map((name) => ({ type: "function", name })) }),
    ...(most === undefined ? {} : { max_output_tokens: most }),
  }),
  read: (status, { output, usage, incomplete_details: incomplete, error }) => {
    if (error !== null) return { status, ...refused };
    const parts = output.flatMap(({ content = [] }: Json) => content);
    const { reason } = incomplete ?? {};
    return {
      status,
      text: parts.map(({ text = "" }: Json) => text).join(""),
      refusal: parts.map((part: Json) => part.refusal ?? "").join(""),
      calls: output
        .filter(({ type }: Json) => /^(?:function|custom_tool)_call$/.test(type))
        .map(({ name, arguments: args, input }: Json) => [name, args ?? input]),
      finish: ended(reason === "max_output_tokens" ? "length" : reason),
      usage: [
        usage.input_tokens,
        usage.output_tokens,
        usage.total_tokens,
        usage.input_tokens_details.cached_tokens,
        usage.output_tokens_details.reasoning_tokens,
      ],
    };
  },
  readEvents: (status, events) => {
    const made = { text: "", refusal: "", calls: [] as [string, string][] };
    const called = new Map<string, [string, string]>();
    for (const { type, delta, item, item_id: id } of events) {
      if (type === "response.output_text.delta") made.text += delta;
      if (type === "response.refusal.delta") made.refusal += delta;
      if (type === "response.output_item.added" && "call_id" in item) {
        called.set(item.id, [item.name, ""]);
      }
      const call = called.get(id);
      const isOfCall =
        type === "response.function_call_arguments.delta" ||
        type === "response.custom_tool_call_input.delta";
      if (isOfCall && call !== undefined) call[1] += delta;
    }
    const whole = responses.read(status, events.at(-1).response);
    return { ...whole, ...made, calls: [...called.values()] };
  },
};

const headers = { authorization: "Bearer key", "content-type": "application/json" };

async function read({ fetch }: Emulator, wire: Wire, sent: Asked): Promise<Read> {
  const response = await fetch(wire.path, {
    method: "POST",
    headers: { ...headers, ...sent.headers },
    body: JSON.stringify(wire.bodyOf(sent)),
  });
  const text = await response.text();
  const { status } = response;
  if (response.headers.get("content-type")?.startsWith("text/event-stream") !== true) {
    const body = JSON.parse(text);
    return wire.read(status, body);
  }
  const lines = [...text.matchAll(/^data: (\{.*)$/gm)];
  return wire.readEvents(
    status,
    lines.map(([, data = ""]) => JSON.parse(data)),
  );
}

test("a client reads the same conversation from the same scripts on both wires", async () => {
  const conversations = fc.array(asked, { minLength: 1, maxLength: 3 });
  const strictness = fc.boolean();
  const property = fc.asyncProperty(
    scripts,
    conversations,
    strictness,
    async (chats, all, strict) => {
      const emulator = await emulatorWith(chats, { strict });
      const seen: Record<string, Read[]> = {};
      for (const wire of [chat, responses]) {
        emulator.reset();
        const reads: Read[] = [];
        for (const sent of all) reads.push(await read(emulator, wire, sent));
        seen[wire.path] = reads;
      }
      expect(seen[responses.path]).toEqual(seen[chat.path]);
    },
  );
  await fc.assert(property, { numRuns: tries(1500) });
});
