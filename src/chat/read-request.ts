import type { ChatRequest, JsonObject } from "./chat-request.ts";
import { type ChatError, chatErrors } from "./errors.ts";
import type { ChatProfile } from "./profiles.ts";
import { readMessages } from "./read-messages.ts";
import { asObject, isPresent, type Read, refused, taken } from "./read.ts";

/** Reads a request's body: required fields first, then the messages, then the others in the profile's order. */
export function readRequest(value: unknown, profile: ChatProfile): Read<ChatRequest> {
  const body = asObject(value);
  if (body === undefined) return refused(chatErrors.notAnObject(value));
  const model = readModel(body["model"]);
  if (!model.ok) return model;
  const messages = readMessages(body["messages"]);
  if (!messages.ok) return messages;
  const stream = readStream(body["stream"], profile);
  if (!stream.ok) return stream;
  const error = checkFields(body, profile);
  if (error !== undefined) return refused(error);
  const n = body["n"];
  return taken({
    model: model.value,
    messages: messages.value,
    stream: stream.value,
    includeUsage: asObject(body["stream_options"])?.["include_usage"] === true,
    n: typeof n === "number" ? n : 1,
    tools: toolNames(body["tools"]),
    body,
  });
}

function readModel(value: unknown): Read<string> {
  if (!isPresent(value) || value === "") return refused(chatErrors.missing("model"));
  return typeof value === "string"
    ? taken(value)
    : refused(chatErrors.wrongType("model", "a string", value));
}

function readStream(value: unknown, profile: ChatProfile): Read<boolean> {
  if (!isPresent(value)) return taken(false);
  const stream = profile.readStream(value);
  return stream === undefined
    ? refused(chatErrors.wrongType("stream", profile.streamValues, value))
    : taken(stream);
}

function checkFields(body: JsonObject, profile: ChatProfile): ChatError | undefined {
  for (const [name, check] of profile.fields) {
    const value = body[name];
    const error = isPresent(value) ? check(value, name) : undefined;
    if (error !== undefined) return error;
  }
  return undefined;
}

function toolNames(tools: unknown): readonly string[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool) => {
    const name = asObject(asObject(tool)?.["function"])?.["name"];
    return typeof name === "string" ? [name] : [];
  });
}
