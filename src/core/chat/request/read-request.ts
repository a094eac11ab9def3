import { type ChatRequest, readMessages } from "./chat-request.ts";
import { asObject, type JsonObject } from "../../schema/json.ts";
import { failed, ok, type Result } from "../../errors/result.ts";
import { type ChatError, chatErrors } from "../errors.ts";
import type { RequestRules } from "./request-rules.ts";

/** Reads a request's body, or says what is wrong with it first. */
export function readRequest(value: unknown, rules: RequestRules): Result<ChatRequest, ChatError> {
  const body = asObject(value);
  if (body === undefined) return failed(chatErrors.notAnObject(value));
  const problem = rules.body(body);
  if (problem !== undefined) return failed(problem.error(problem.path));
  const error = rules.refuseTogether(body);
  return error === undefined ? ok(requestOf(body)) : failed(error);
}

/** What a body asks for that is known to be valid. */
export function requestOf(body: JsonObject): ChatRequest {
  const { model, messages, stream, n } = body;
  return {
    model: typeof model === "string" ? model : "",
    messages: readMessages(messages),
    stream: stream === true || stream === 1,
    includeUsage: asObject(body["stream_options"])?.["include_usage"] === true,
    n: typeof n === "number" ? n : 1,
    tools: toolNames(body["tools"]),
    body,
  };
}

function toolNames(tools: unknown): readonly string[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((item) => {
    const tool = asObject(item) ?? {};
    const name = (asObject(tool["function"]) ?? asObject(tool["custom"]))?.["name"];
    return typeof name === "string" ? [name] : [];
  });
}
