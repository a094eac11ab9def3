import type { ChatMessage } from "../chat-request.ts";
import { type ChatError, chatErrors } from "../../errors.ts";

/** Refuses tool calls that the very next messages do not all answer, and answers to no call. */
export function refuseOrder(messages: readonly ChatMessage[]): ChatError | undefined {
  let index = 0;
  while (index < messages.length) {
    const message = messages[index];
    if (message?.role === "tool") return chatErrors.toolMessageWithoutCall(index);
    const calls = message?.toolCalls ?? [];
    const answers = calls.length === 0 ? [] : toolMessagesFrom(messages, index + 1);
    const error = compare(calls, answers, { start: index + 1, last: messages.length - 1 });
    if (error !== undefined) return error;
    index += 1 + answers.length;
  }
  return undefined;
}

function toolMessagesFrom(messages: readonly ChatMessage[], start: number): readonly ChatMessage[] {
  let end = start;
  while (messages[end]?.role === "tool") end += 1;
  return messages.slice(start, end);
}

/** The service names the message that stands where an answer should, or the last one. */
function compare(
  calls: ChatMessage["toolCalls"],
  answers: readonly ChatMessage[],
  { start, last }: { readonly start: number; readonly last: number },
): ChatError | undefined {
  const answered = new Set(answers.map(({ toolCallId }) => toolCallId));
  const open = calls.filter(({ id }) => !answered.has(id)).map(({ id }) => id);
  if (open.length > 0) {
    return chatErrors.toolCallsWithoutMessages(Math.min(start + answers.length, last), open);
  }
  const asked: ReadonlySet<string | undefined> = new Set(calls.map(({ id }) => id));
  const stray = answers.findIndex(({ toolCallId }) => !asked.has(toolCallId));
  return stray === -1 ? undefined : chatErrors.toolMessageWithoutCall(start + stray);
}
