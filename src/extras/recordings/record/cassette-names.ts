import { requestInChatForm } from "../../../core/chat/forms/responses-request.ts";
import type { InterfaceName } from "../../../core/interface.ts";
import type { RecordedRequest } from "../../../core/recordings/cassette.ts";
import { decodedPart } from "../../../core/http/url-parts.ts";
import { fingerprint } from "../../../core/schema/fingerprint.ts";
import { type JsonObject, asObject } from "../../../core/schema/json.ts";

/** The most characters of a message in a file name. */
const longestSlug = 40;

/** The number of digits of a fingerprint in a file name. */
const digits = 6;

/** The name of a cassette for a conversation: the user's first words, and a fingerprint of the first request. */
export function conversationName(request: RecordedRequest, key: string): string {
  const words = firstUserText(messagesOf(request) ?? []);
  // Words beside a placeholder may be a part of the secret that it stands for.
  return withFingerprint("chat", anyPlaceholder.test(words) ? "" : words, key);
}

/** A placeholder such as `[password 1]`. */
const anyPlaceholder = /\[[\w.-]{1,40} \d+\]/;

/** The name of a cassette for a table, or for other requests to chat with this path: `chat-models`. */
export function pathName(kind: InterfaceName, { path }: RecordedRequest): string {
  const [first = ""] = path.split("/").filter((segment) => segment !== "");
  const name = decodedPart(first) ?? first;
  if (name === "") return kind;
  return /^[a-z0-9_-]{1,100}$/.test(name) ? `${kind}-${name}` : withFingerprint(kind, name, name);
}

/**
 * Adds a fingerprint, so that different texts never give the same file name, even where the file system ignores case.
 */
function withFingerprint(kind: InterfaceName, words: string, key: string): string {
  const slug = slugOf(words);
  return [kind, ...(slug === "" ? [] : [slug]), fingerprint(key).slice(0, digits)].join("-");
}

function firstUserText(messages: readonly unknown[]): string {
  const first = messages.map(asObject).find((message) => message?.["role"] === "user");
  const content = first?.["content"];
  if (!Array.isArray(content)) return typeof content === "string" ? content : "";
  const texts = content.map((part) => asObject(part)?.["text"]);
  return texts.filter((text) => typeof text === "string").join(" ");
}

/** The first words in lower case, without accents, joined by dashes. */
function slugOf(text: string): string {
  const plain = text
    .slice(0, 8 * longestSlug)
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "");
  const words = plain.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  let slug = "";
  for (const word of words) {
    const longer = slug === "" ? word.slice(0, longestSlug) : `${slug}-${word}`;
    if (longer.length > longestSlug) break;
    slug = longer;
  }
  return slug;
}

function bodyOf({ body }: RecordedRequest): JsonObject {
  return (body !== undefined && "json" in body ? asObject(body.json) : undefined) ?? {};
}

/** The messages of a chat request; undefined if it has none. */
export function messagesOf(request: RecordedRequest): readonly unknown[] | undefined {
  const { messages } = requestInChatForm(request.path, bodyOf(request));
  return Array.isArray(messages) && messages.length > 0 ? messages : undefined;
}

/** The model of a chat request. */
export function modelOf(request: RecordedRequest): string | undefined {
  const { model } = bodyOf(request);
  return typeof model === "string" ? model : undefined;
}
