import { requestInChatForm } from "../../chat/forms/responses-request.ts";
import { isObject } from "../../schema/json.ts";

/** What a chat asks for, in short. */
export interface AskedChat {
  /** Null: the request names none. */
  readonly model: string | null;
  /** The user's last message; empty if there is none. In a summary, its beginning. */
  readonly said: string;
  readonly stream: boolean;
}

/** What a request with this body asks a chat for; null if it has no conversation. */
export function askedChat(path: string, body: unknown): AskedChat | null {
  const { model, messages, stream } = isObject(body) ? requestInChatForm(path, body) : {};
  if (!Array.isArray(messages)) return null;
  const last = messages.filter(isObject).findLast(({ role }) => role === "user");
  return {
    model: typeof model === "string" ? model : null,
    said: textOf(last?.["content"]),
    stream: stream === true,
  };
}

/** Longer texts are shortened in summaries. */
const mostSaid = 200;

/** What a chat asks for, with the beginning of a long text alone. */
export function shortenedChat(chat: AskedChat): AskedChat {
  const { said } = chat;
  return said.length <= mostSaid ? chat : { ...chat, said: `${said.slice(0, mostSaid)}…` };
}

/** The text of a message, even if its content has several parts. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content.filter(isObject) : [];
  return parts.flatMap(({ text }) => (typeof text === "string" ? [text] : [])).join(" ");
}
