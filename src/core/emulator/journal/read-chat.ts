import { parseText } from "../../http/json-body.ts";
import { askedChat, shortenedChat } from "./asked-chat.ts";
import { hasBegun, type JournalSummary, type RecordedExchange } from "./entry.ts";
import { readConversation } from "./read-conversation.ts";
import { withoutOwnKeysIn } from "./redaction.ts";
import { bodyText, chatFigures, wholeBody } from "./response.ts";

/** The parts of a summary that only a chat has. */
type ChatParts = Pick<JournalSummary, "chat" | "conversation" | "tokens" | "finishReason">;

/** The parts of a request that is no chat, or that has not been read. */
export const noChat: ChatParts = {
  chat: null,
  conversation: null,
  tokens: null,
  finishReason: null,
};

/** The parts that were read of requests that have ended. Others may still change. */
const readBefore = new WeakMap<RecordedExchange, ChatParts>();

/** What a chat asks for, where it stands in its conversation, and what it cost. */
export function readChat(
  exchange: RecordedExchange,
  keys: readonly string[],
  now: number,
): ChatParts {
  const known = readBefore.get(exchange);
  if (known !== undefined) return known;
  const parts = partsOf(exchange, keys, now);
  if (exchange.ended !== "pending") readBefore.set(exchange, parts);
  return parts;
}

function partsOf(exchange: RecordedExchange, keys: readonly string[], now: number): ChatParts {
  const read = parseText(bodyText(exchange) ?? "");
  const body = read.kind === "json" ? read.value : undefined;
  const chat = askedChat(exchange.path, body);
  const place = readConversation(exchange, body, now);
  const conversation = place === undefined ? null : withoutOwnKeysIn(place, keys);
  const asked = { chat: chat && shortenedChat(chat), conversation };
  if (!hasBegun(exchange, now)) return { ...noChat, ...asked };
  const { usage, finishReason } = chatFigures(exchange, wholeBody(exchange));
  const tokens = usage?.["total_tokens"];
  return { ...asked, finishReason, tokens: typeof tokens === "number" ? tokens : null };
}
