import { asObject, type JsonObject } from "../../schema/json.ts";
import { requestCounter } from "../tokens/exact-limit.ts";
import { imageTokens } from "../tokens/image-tokens.ts";
import type { Tokenizer } from "../tokens/tokenizer.ts";
import type { ChatMessage, ChatRequest } from "./chat-request.ts";

/** The numbers of tokens that a prompt's format adds to its texts. */
interface Frames {
  readonly reply: number;
  readonly message: number;
  /** Whether the role of a message is counted. */
  readonly speaker: boolean;
  readonly name: number;
  readonly call: number;
  readonly tools: number;
  readonly tool: number;
  readonly parameters: number;
  readonly parameter: number;
  /** The tokens that a list of values adds to its values. */
  readonly values: number;
  readonly value: number;
}

/** The service's format, as published in its cookbook ("How to count tokens"). */
const published: Frames = {
  reply: 3,
  message: 3,
  speaker: true,
  name: 1,
  call: 3,
  tools: 12,
  tool: 7,
  parameters: 3,
  parameter: 3,
  values: -3,
  value: 3,
};

const framesOf: Readonly<Record<Tokenizer["name"], Frames>> = {
  o200k_base: published,
  cl100k_base: { ...published, tool: 10 },
  // The estimate counts texts and images alone.
  estimate: {
    reply: 0,
    message: 0,
    speaker: false,
    name: 0,
    call: 0,
    tools: 0,
    tool: 0,
    parameters: 0,
    parameter: 0,
    values: 0,
    value: 0,
  },
};

/** How the tokens of a request are counted. */
interface Counting {
  readonly count: Tokenizer["count"];
  readonly frames: Frames;
}

/**
 * The number of tokens of a request: its messages with their images and calls, and the tools that it offers. Only its
 * first 100,000 characters are counted exactly.
 */
export function countPrompt({ messages, options }: ChatRequest, tokenizer: Tokenizer): number {
  const counting = { count: requestCounter(tokenizer), frames: framesOf[tokenizer.name] };
  let tokens = counting.frames.reply;
  for (const message of messages) tokens += messageTokens(message, counting);
  return tokens + toolTokens(toolsOf(options), counting);
}

function messageTokens({ role, text, name, sent }: ChatMessage, counting: Counting): number {
  const { count, frames } = counting;
  let tokens = frames.message + (frames.speaker ? speakerTokens(role, name, counting) : 0);
  tokens += count(text);
  for (const { type, image_url: image } of objectsIn(sent["content"])) {
    if (type === "image_url") tokens += imageTokens(image);
  }
  for (const call of callsOf(sent)) {
    const { name: called, arguments: given, input = given } = call;
    tokens += frames.call + count(textOf(called)) + count(textOf(input));
  }
  return tokens;
}

function speakerTokens(
  role: string,
  name: string | undefined,
  { count, frames }: Counting,
): number {
  return count(role) + (name === undefined ? 0 : frames.name + count(name));
}

/** The calls in an assistant's message: `tool_calls`, and the older `function_call`. */
function callsOf({ tool_calls: calls, function_call: older }: JsonObject): readonly JsonObject[] {
  const newer = objectsIn(calls).map(
    ({ function: called, custom }) => asObject(called) ?? asObject(custom) ?? {},
  );
  return [...newer, ...objectsIn([older])];
}

/** The tools that a request offers: `tools`, and the older `functions`. */
function toolsOf({ tools, functions }: JsonObject): readonly JsonObject[] {
  const newer = objectsIn(tools).map(
    ({ function: called, custom }) => asObject(called) ?? asObject(custom) ?? {},
  );
  return [...newer, ...objectsIn(functions)];
}

function toolTokens(tools: readonly JsonObject[], counting: Counting): number {
  const { count, frames } = counting;
  let tokens = tools.length === 0 ? 0 : frames.tools;
  for (const { name, description, parameters, format } of tools) {
    const definition = asObject(asObject(format)?.["grammar"]) ?? asObject(format);
    tokens += frames.tool + count(`${textOf(name)}:${withoutStop(textOf(description))}`);
    tokens += parameterTokens(parameters, counting) + count(textOf(definition?.["definition"]));
  }
  return tokens;
}

/** The tokens of a schema's properties. The cookbook shows only the first level; deeper levels are counted alike. */
function parameterTokens(schema: unknown, counting: Counting): number {
  const { count, frames } = counting;
  const entries = Object.entries(asObject(asObject(schema)?.["properties"]) ?? {});
  let tokens = entries.length === 0 ? 0 : frames.parameters;
  for (const [name, value] of entries) {
    const { type, description, enum: values, items } = asObject(value) ?? {};
    tokens += frames.parameter;
    tokens += count(`${name}:${textOf(type)}:${withoutStop(textOf(description))}`);
    tokens += parameterTokens(value, counting) + parameterTokens(items, counting);
    if (!Array.isArray(values)) continue;
    tokens += frames.values;
    for (const item of values) tokens += frames.value + count(textOf(item));
  }
  return tokens;
}

/** A description without its full stop, which the format drops. */
function withoutStop(text: string): string {
  return text.endsWith(".") ? text.slice(0, -1) : text;
}

function objectsIn(value: unknown): readonly JsonObject[] {
  if (!Array.isArray(value)) return [];
  return value.map(asObject).filter((item) => item !== undefined);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
