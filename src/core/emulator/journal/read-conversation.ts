import { type ChatAnswer, noAnswerYet, withChunk } from "../../chat/forms/chat-answer.ts";
import {
  type ConversationPlace,
  conversationPlace,
  type PlacedAnswer,
} from "../../chat/forms/conversation-place.ts";
import { requestInChatForm } from "../../chat/forms/responses-request.ts";
import { asObject, isObject, parseJson } from "../../schema/json.ts";
import { hasBegun, type RecordedExchange } from "./entry.ts";
import { bodyText, readResponse } from "./response.ts";

/** Where a chat with this body stands in its conversation; undefined for other requests. */
export function readConversation(
  exchange: RecordedExchange,
  body: unknown,
  now: number,
): ConversationPlace | undefined {
  if (!isObject(body)) return undefined;
  const { messages } = requestInChatForm(exchange.path, body);
  if (!Array.isArray(messages)) return undefined;
  const { previous_response_id: previous } = body;
  return conversationPlace(
    {
      messages: messages.filter(isObject),
      text: bodyText(exchange) ?? "",
      previous: typeof previous === "string" ? previous : undefined,
    },
    hasBegun(exchange, now) ? answerOf(exchange) : undefined,
  );
}

/** The answer that a client may go on from; undefined if it got an error, or nothing. */
function answerOf(exchange: RecordedExchange): PlacedAnswer | undefined {
  const response = readResponse(exchange, []);
  if (response === null || (exchange.reply?.status ?? 0) >= 400) return undefined;
  const { body, frames, truncated } = response;
  const values = frames === null ? [body] : frames.flatMap(({ data }) => valuesIn(data));
  const { choices } = values.reduce<ChatAnswer>(withChunk, noAnswerYet);
  const isWhole = exchange.ended === "complete" && !truncated && choices.length > 0;
  return { choices: isWhole ? choices : undefined, id: responseId(values) };
}

/** The data of the events in a part of a stream. */
function valuesIn(data: string): readonly unknown[] {
  return [...data.matchAll(/^data: ?(.*)$/gm)].map(([, text = ""]) => parseJson(text));
}

function responseId(values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const { object, id, response } = asObject(value) ?? {};
    const named = object === "response" ? id : asObject(response)?.["id"];
    if (typeof named === "string") return named;
  }
  return undefined;
}
