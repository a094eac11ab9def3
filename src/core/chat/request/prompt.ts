import { asObject, type JsonObject } from "../../schema/json.ts";
import type { Tokenizer } from "../tokens/tokenizer.ts";
import type { ChatMessage, ChatRequest } from "./chat-request.ts";

/** The number of tokens of a request by a real encoding: text, message frames and tools in the real service's format. */
export function encodedPromptTokens(request: ChatRequest, tokenizer: Tokenizer): number {
  let tokens = frames.reply;
  for (const message of request.messages) tokens += messageTokens(message, tokenizer);
  return tokens + toolTokens(request.body["tools"], tokenizer);
}

/** The format's own tokens, as published in the service's cookbook ("How to count tokens"). */
const frames = { message: 3, name: 1, reply: 3, toolCall: 3 } as const;

function messageTokens({ role, text, name, sent }: ChatMessage, { count }: Tokenizer): number {
  let tokens = frames.message + count(role) + count(text);
  if (name !== undefined) tokens += frames.name + count(name);
  for (const call of objectsIn(sent["tool_calls"])) {
    const called = asObject(call["function"]);
    tokens +=
      frames.toolCall + count(textOf(called?.["name"])) + count(textOf(called?.["arguments"]));
  }
  return tokens;
}

const toolFrames = { o200k_base: 7, cl100k_base: 10, estimate: 0 } as const;
const parameters = { all: 3, each: 3, enum: -3, value: 3, end: 12 } as const;

function toolTokens(tools: unknown, tokenizer: Tokenizer): number {
  const given = objectsIn(tools);
  if (given.length === 0) return 0;
  let tokens: number = parameters.end;
  for (const tool of given) {
    const { name, description, parameters: schema } = asObject(tool["function"]) ?? {};
    const line = `${textOf(name)}:${withoutStop(textOf(description))}`;
    tokens += toolFrames[tokenizer.name] + tokenizer.count(line);
    tokens += parameterTokens(asObject(asObject(schema)?.["properties"]) ?? {}, tokenizer);
  }
  return tokens;
}

function parameterTokens(properties: JsonObject, { count }: Tokenizer): number {
  const entries = Object.entries(properties);
  let tokens = entries.length === 0 ? 0 : parameters.all;
  for (const [name, value] of entries) {
    const { type, description, enum: values } = asObject(value) ?? {};
    tokens += parameters.each;
    tokens += count(`${name}:${textOf(type)}:${withoutStop(textOf(description))}`);
    if (!Array.isArray(values)) continue;
    tokens += parameters.enum;
    for (const item of values) tokens += parameters.value + count(textOf(item));
  }
  return tokens;
}

/** The format drops a description's full stop. */
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
