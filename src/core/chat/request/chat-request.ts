/** A JSON object as it came. Its values are not known to be anything. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A call of a function that an assistant message carries. */
export interface MessageToolCall {
  readonly id: string;
  readonly name: string;
}

/** A message of the conversation, reduced to what answering needs. */
export interface ChatMessage {
  readonly role: string;
  /** The content's text; that of all text parts, joined. */
  readonly text: string;
  readonly toolCalls: readonly MessageToolCall[];
  /** Which call a tool message answers. */
  readonly toolCallId: string | undefined;
  /** The name that a message may carry; a function message's is its function's. */
  readonly name: string | undefined;
  /** The message as it came. */
  readonly sent: JsonObject;
}

/** A valid request for a chat completion. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly stream: boolean;
  readonly includeUsage: boolean;
  /** How many choices are wanted. */
  readonly n: number;
  /** The names of the functions that are offered. */
  readonly tools: readonly string[];
  /** The body as it came. */
  readonly body: JsonObject;
}

/** The text of the last user message; undefined when there is none. */
export function lastUserText(request: ChatRequest): string | undefined {
  return request.messages.findLast((message) => message.role === "user")?.text;
}

/** The name of the tool whose result a message is; undefined when it is none, or answers no known call. */
export function toolNameOf(request: ChatRequest, message: ChatMessage): string | undefined {
  if (message.role === "function") return message.name;
  const calls = request.messages.flatMap(({ toolCalls }) => toolCalls);
  return calls.findLast(({ id }) => id === message.toolCallId)?.name;
}
