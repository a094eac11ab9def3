import { asObject, isObject, isPresent, type JsonObject } from "../../schema/json.ts";

/** The arguments of `POST /responses`, which the conditions of scripts may name. */
export const responsesFieldNames: readonly string[] = [
  "access_programs",
  "background",
  "background_options",
  "client_metadata",
  "context_management",
  "conversation",
  "frequency_penalty",
  "image",
  "include",
  "input",
  "instructions",
  "max_output_tokens",
  "max_tool_calls",
  "metadata",
  "model",
  "moderation",
  "parallel_tool_calls",
  "presence_penalty",
  "previous_response_id",
  "prompt",
  "prompt_cache_key",
  "prompt_cache_options",
  "prompt_cache_retention",
  "reasoning",
  "safety_identifier",
  "service_tier",
  "store",
  "stream",
  "stream_options",
  "temperature",
  "text",
  "tool_choice",
  "tools",
  "top_logprobs",
  "top_p",
  "truncation",
  "user",
];

/**
 * Converts a request to the form of chat completions, if its path says that it has another form. References to stored
 * items are left out.
 */
export function requestInChatForm(path: string, body: JsonObject): JsonObject {
  // The path decides, not the key `input`: requests for embeddings have that key, too.
  return /\/?responses\/?$/.test(path) ? inChatForm(body, itemsOf(body["input"])) : body;
}

/**
 * Converts a request of Responses to one of chat completions, which is the form that scripts, demands, limits and token
 * counts read. `items` are the whole conversation.
 */
export function inChatForm(body: JsonObject, items: readonly JsonObject[]): JsonObject {
  const { model, stream, instructions, tools, tool_choice: choice, text, include } = body;
  const { max_output_tokens: most, top_logprobs: top } = body;
  const first = typeof instructions === "string" ? [{ role: "system", content: instructions }] : [];
  const wantsLogprobs = Array.isArray(include) && include.includes("message.output_text.logprobs");
  return {
    model,
    messages: [...first, ...messagesOf(items)],
    stream: stream === true,
    ...given("tools", Array.isArray(tools) ? tools.filter(isObject).flatMap(toolInChat) : []),
    ...given("tool_choice", choiceInChat(choice)),
    ...given("response_format", formatInChat(asObject(text)?.["format"])),
    ...given("max_completion_tokens", most),
    ...(wantsLogprobs ? { logprobs: true, ...given("top_logprobs", top) } : {}),
  };
}

function given(name: string, value: unknown): JsonObject {
  const isEmpty = Array.isArray(value) && value.length === 0;
  return isPresent(value) && !isEmpty ? { [name]: value } : {};
}

/**
 * A tool in the form of chat completions, which nests its keys under its type. Hosted tools are left out: chat
 * completions have none.
 */
function toolInChat({ type, ...tool }: JsonObject): readonly JsonObject[] {
  return type === "function" || type === "custom" ? [{ type, [type]: tool }] : [];
}

function choiceInChat(choice: unknown): unknown {
  if (!isObject(choice)) return choice;
  const { type, mode, tools, name } = choice;
  if (type !== "allowed_tools") return { type, [String(type)]: { name } };
  const allowed = Array.isArray(tools) ? tools.filter(isObject).flatMap(toolInChat) : [];
  return { type, allowed_tools: { mode, tools: allowed } };
}

function formatInChat(format: unknown): JsonObject | undefined {
  if (!isObject(format)) return undefined;
  const { type, ...rest } = format;
  return type === "json_schema" ? { type, json_schema: rest } : { type };
}

/** The texts and calls of an assistant's items in a row, which become one message. */
interface AssistantTurn {
  readonly content: JsonObject[];
  readonly calls: JsonObject[];
}

/** The messages of a conversation. Items that chat completions do not have are left out. */
function messagesOf(items: readonly JsonObject[]): readonly JsonObject[] {
  const messages: JsonObject[] = [];
  let turn: AssistantTurn | undefined;
  const end = (): void => {
    if (turn !== undefined) messages.push(assistantMessage(turn));
    turn = undefined;
  };
  for (const item of items) {
    const said = assistantPart(item);
    if (said !== undefined) {
      turn ??= { content: [], calls: [] };
      turn.content.push(...said.content);
      turn.calls.push(...said.calls);
      continue;
    }
    const message = otherMessage(item);
    if (message === undefined) continue;
    end();
    messages.push(message);
  }
  end();
  return messages;
}

function assistantMessage({ content, calls }: AssistantTurn): JsonObject {
  const spoken = content.length === 0 ? null : content;
  return { role: "assistant", content: spoken, ...given("tool_calls", calls) };
}

/** The texts and calls that an item adds to the assistant's turn. Undefined: the item is not the assistant's. */
function assistantPart(item: JsonObject): AssistantTurn | undefined {
  const { type, role, call_id: id, name } = item;
  switch (type) {
    case "reasoning":
      return { content: [], calls: [] };
    case "function_call":
      return {
        content: [],
        calls: [{ id, type: "function", function: { name, arguments: item["arguments"] } }],
      };
    case "custom_tool_call":
      return {
        content: [],
        calls: [{ id, type: "custom", custom: { name, input: item["input"] } }],
      };
    default:
      return role === "assistant"
        ? { content: [...partsOf(item["content"])], calls: [] }
        : undefined;
  }
}

/** The message of a user, of the system, or of a tool. */
function otherMessage(item: JsonObject): JsonObject | undefined {
  const { type, role, call_id: callId } = item;
  if (type === "function_call_output" || type === "custom_tool_call_output") {
    const { output } = item;
    const content = typeof output === "string" ? output : partsOf(output);
    return { role: "tool", tool_call_id: callId, content };
  }
  if (role === undefined) return undefined;
  const { content } = item;
  return { role, content: typeof content === "string" ? content : partsOf(content) };
}

/** The types of a user's content parts in Responses, by their names in chat completions. */
export const partTypes: Readonly<Record<string, string>> = {
  text: "input_text",
  image_url: "input_image",
  file: "input_file",
};

function partsOf(content: unknown): readonly JsonObject[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isObject).flatMap(partInChat) : [];
}

function partInChat(part: JsonObject): readonly JsonObject[] {
  const {
    type,
    text,
    refusal,
    image_url: url,
    detail,
    file_data: data,
    filename,
    file_id: id,
  } = part;
  switch (type) {
    case "input_text":
    case "output_text":
      return [{ type: "text", text }];
    case "refusal":
      return [{ type: "refusal", refusal }];
    case "input_image":
      return [{ type: "image_url", image_url: { url, ...given("detail", detail) } }];
    case "input_file":
      return [
        {
          type: "file",
          file: {
            ...given("file_data", data),
            ...given("filename", filename),
            ...given("file_id", id),
          },
        },
      ];
    default:
      return [];
  }
}

/** The items of a valid `input`. A text becomes one message of the user. */
export function itemsOf(input: unknown): readonly JsonObject[] {
  if (typeof input === "string") return input === "" ? [] : [{ role: "user", content: input }];
  return Array.isArray(input) ? input.filter(isObject) : [];
}

/**
 * Converts a request of chat completions to one of Responses, so that a conversation can be written in one form and
 * sent in both.
 */
export function inResponsesForm(body: JsonObject): JsonObject {
  const { messages, tools, tool_choice: choice, response_format: format, ...more } = body;
  const { max_completion_tokens: most, max_tokens: older = most, logprobs: _, ...rest } = more;
  const said = Array.isArray(messages) ? messages.filter(isObject) : [];
  const called = said.flatMap(({ tool_calls: calls }) => (Array.isArray(calls) ? calls : []));
  const custom = called.filter(isObject).filter((call) => isObject(call["custom"]));
  const customCalls = new Set(custom.map(({ id }) => id));
  return {
    ...rest,
    input: said.flatMap((message) => itemsOfMessage(message, customCalls)),
    ...given("tools", Array.isArray(tools) ? tools.filter(isObject).map(flat) : []),
    ...given("tool_choice", isObject(choice) ? flat(choice) : choice),
    ...given("text", isObject(format) ? { format: flat(format) } : undefined),
    ...given("max_output_tokens", older),
  };
}

/** An object such as `{ type: "function", function: { … } }` with the inner keys moved up beside `type`. */
function flat({ type, ...more }: JsonObject): JsonObject {
  return { type, ...asObject(more[String(type)]) };
}

function itemsOfMessage(
  { role, content, ...more }: JsonObject,
  customCalls: ReadonlySet<unknown>,
): readonly JsonObject[] {
  if (role === "tool") {
    const { tool_call_id: id } = more;
    const type = customCalls.has(id) ? "custom_tool_call_output" : "function_call_output";
    return [{ type, call_id: id, output: content }];
  }
  const calls = Array.isArray(more["tool_calls"]) ? more["tool_calls"].filter(isObject) : [];
  const { refusal } = more;
  const isSaid = isPresent(content) && (calls.length === 0 || content !== "");
  return [
    ...(isSaid ? [{ role, content: contentOfItem(role, content) }] : []),
    ...(typeof refusal === "string" ? [{ role, content: [{ type: "refusal", refusal }] }] : []),
    ...calls.map(callItem),
  ];
}

function callItem({ id, ...call }: JsonObject): JsonObject {
  const custom = asObject(call["custom"]);
  if (custom !== undefined) {
    return { type: "custom_tool_call", call_id: id, name: custom["name"], input: custom["input"] };
  }
  const { name, arguments: text } = asObject(call["function"]) ?? {};
  return { type: "function_call", call_id: id, name, arguments: text };
}

function contentOfItem(role: unknown, content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.filter(isObject).map(({ type, text, image_url: image, ...part }) => {
    if (type === "text") return { type: role === "assistant" ? "output_text" : "input_text", text };
    if (type === "file") return { type: "input_file", ...asObject(part["file"]) };
    if (type !== "image_url") return { type, ...part };
    const { url, detail } = asObject(image) ?? {};
    return { type: "input_image", image_url: url, ...given("detail", detail) };
  });
}
