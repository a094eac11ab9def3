import { asObject, type JsonObject } from "../../schema/json.ts";

/** The forms that requests for an answer have. */
export type RequestForm = "completions" | "responses";

/** A function call in an assistant message. */
interface MessageToolCall {
  readonly id: string;
  readonly name: string;
}

/** A message of the conversation, reduced to what answering needs. */
export interface ChatMessage {
  readonly role: string;
  /** The content's text, or its text parts joined. */
  readonly text: string;
  /** The types of the content's parts, as the wire names them; none for a text. */
  readonly parts: readonly string[];
  readonly toolCalls: readonly MessageToolCall[];
  /** The call that a tool message answers. */
  readonly toolCallId: string | undefined;
  /** The optional name of a message; for a function message its function's name. */
  readonly name: string | undefined;
  /** The message as sent. */
  readonly sent: JsonObject;
}

/** A valid request for a chat completion. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly stream: boolean;
  readonly includeUsage: boolean;
  /** How many choices to return. */
  readonly n: number;
  /** The names of the offered functions. */
  readonly tools: readonly string[];
  /** Whether the request offers tools as `functions`, the older way, so that a call is sent as `function_call`. */
  readonly isOfFunctions: boolean;
  /** The body as sent. */
  readonly body: JsonObject;
  /**
   * The request's arguments in the form of chat completions. The same as the body, unless the body has another form.
   */
  readonly options: JsonObject;
}

/** The text of the last user message; undefined if there is none. */
export function lastUserText(request: ChatRequest): string | undefined {
  return request.messages.findLast((message) => message.role === "user")?.text;
}

/** The name of the tool whose result a message is. Undefined: the message is no result, or answers no known call. */
export function toolNameOf(request: ChatRequest, message: ChatMessage): string | undefined {
  if (message.role === "function") return message.name;
  const calls = request.messages.flatMap(({ toolCalls }) => toolCalls);
  return calls.findLast(({ id }) => id === message.toolCallId)?.name;
}

/** The request from which a body of chat completions was translated. */
interface Original {
  readonly sent: JsonObject;
  /** The original's types of parts, by their names in chat completions. */
  readonly partTypes: Readonly<Record<string, string>>;
}

/** The request in a valid body of chat completions. */
export function requestOf(
  body: JsonObject,
  { sent, partTypes }: Original = { sent: body, partTypes: {} },
): ChatRequest {
  const { model, messages, stream, n } = body;
  return {
    model: textOf(model) ?? "",
    messages: itemsOf(messages).map((message) => readMessage(message, partTypes)),
    stream: stream === true || (typeof stream === "number" && stream !== 0),
    includeUsage: asObject(body["stream_options"])?.["include_usage"] === true,
    n: typeof n === "number" ? n : 1,
    tools: [
      ...itemsOf(body["tools"]).flatMap((tool) => toolNameIn(tool) ?? []),
      ...itemsOf(body["functions"]).flatMap(({ name }) => textOf(name) ?? []),
    ],
    isOfFunctions: Array.isArray(body["functions"]) && !Array.isArray(body["tools"]),
    body: sent,
    options: body,
  };
}

/** The name in an offered tool or a tool call. */
function toolNameIn(tool: JsonObject): string | undefined {
  return textOf((asObject(tool["function"]) ?? asObject(tool["custom"]))?.["name"]);
}

function readMessage(sent: JsonObject, partTypes: Original["partTypes"]): ChatMessage {
  const { role, content, tool_calls: calls, tool_call_id: callId, name } = sent;
  return {
    role: textOf(role) ?? "",
    text: readText(content),
    parts: typesOfParts(content, partTypes),
    toolCalls: itemsOf(calls).map((call) => ({
      id: textOf(call["id"]) ?? "",
      name: toolNameIn(call) ?? "",
    })),
    toolCallId: textOf(callId),
    name: textOf(name),
    sent,
  };
}

const noParts: readonly string[] = [];

function typesOfParts(content: unknown, partTypes: Original["partTypes"]): readonly string[] {
  if (typeof content === "string") return noParts;
  return itemsOf(content)
    .flatMap(({ type }) => textOf(type) ?? [])
    .map((type) => (Object.hasOwn(partTypes, type) ? (partTypes[type] ?? type) : type));
}

function readText(content: unknown): string {
  if (typeof content === "string") return content;
  return itemsOf(content)
    .map(({ type, text }) => (type === "text" ? (textOf(text) ?? "") : ""))
    .join("");
}

/** The objects of an array; none for anything else. */
function itemsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map((item) => asObject(item) ?? {}) : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The options of a request that limit its answer. */
export interface GenerationOptions {
  /** The most tokens of each choice; Infinity if the request sets no limit. */
  readonly maxTokens: number;
  /** Texts at which the content ends, without empty ones. */
  readonly stops: readonly string[];
  /** How many likely tokens to list beside each token's probability; undefined for no probabilities. */
  readonly topLogprobs: number | undefined;
}

/** Reads the options of a valid request. */
export function generationOptions({ options }: ChatRequest): GenerationOptions {
  const { logprobs, top_logprobs: top } = options;
  const asked = typeof top === "number" ? top : 0;
  return {
    maxTokens: Math.min(count(options["max_tokens"]), count(options["max_completion_tokens"])),
    stops: stopsIn(options["stop"]),
    topLogprobs: logprobs === true ? asked : undefined,
  };
}

function count(value: unknown): number {
  return typeof value === "number" ? value : Infinity;
}

const noStops: readonly string[] = [];

function stopsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return value === "" ? noStops : [value];
  if (!Array.isArray(value)) return noStops;
  return value.filter((stop): stop is string => typeof stop === "string" && stop !== "");
}
