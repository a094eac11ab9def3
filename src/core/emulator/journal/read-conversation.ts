import { type ChatAnswer, noAnswerYet, withChunk } from "../../chat/forms/chat-answer.ts";
import {
  type ConversationPlace,
  conversationPlace,
  type PlacedAnswer,
} from "../../chat/forms/conversation-place.ts";
import { requestInChatForm } from "../../chat/forms/responses-request.ts";
import { asObject, isObject, parseJson } from "../../schema/json.ts";
import { parseText } from "../../http/json-body.ts";
import { interfaces } from "../../interface.ts";
import { hasBegun, type RecordedExchange } from "./entry.ts";
import { withoutOwnKeysIn } from "./redaction.ts";
import { bodyText, readResponse } from "./response.ts";

/** Places that were read. Those of requests under way change, and are read anew. */
const readBefore = new WeakMap<RecordedExchange, ConversationPlace | null>();

/** Where a chat stands in its conversation; null for other requests, and before a request has been read. */
export function readConversation(
  exchange: RecordedExchange,
  keys: readonly string[],
  now: number,
): ConversationPlace | null {
  const known = readBefore.get(exchange);
  if (known !== undefined) return known;
  const read = placeOf(exchange, now);
  const place = read === undefined ? null : withoutOwnKeysIn(read, keys);
  if (exchange.ended !== "pending") readBefore.set(exchange, place);
  return place;
}

function placeOf(exchange: RecordedExchange, now: number): ConversationPlace | undefined {
  if (!interfaces[exchange.interface].hasModels) return undefined;
  const text = bodyText(exchange) ?? "";
  const read = parseText(text);
  if (read.kind !== "json" || !isObject(read.value)) return undefined;
  const { messages } = requestInChatForm(exchange.path, read.value);
  if (!Array.isArray(messages)) return undefined;
  const { previous_response_id: previous } = read.value;
  return conversationPlace(
    {
      messages: messages.filter(isObject),
      text,
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
