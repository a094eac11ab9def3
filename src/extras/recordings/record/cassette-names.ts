import type { RecordedRequest } from "../../../core/replay/cassette.ts";
import { decodedSegment } from "./decoded-segment.ts";
import { fingerprint } from "./fingerprint.ts";
import { messagesOf } from "./messages.ts";

/** How much of a message a file name has. */
const longestSlug = 40;

/** How many digits of a fingerprint tell files apart that would have the same name. */
const digits = 6;

/** The file of a conversation that begins with a request: what the user said, and what the request is known by. */
export function conversationName(request: RecordedRequest, key: string): string {
  const slug = slugOf(firstUserText(messagesOf(request) ?? []));
  return ["chat", ...(slug === "" ? [] : [slug]), fingerprint(key).slice(0, digits)].join("-");
}

/** The file of all other requests to chat that go to one path: `chat-models`. */
export function pathName({ path }: RecordedRequest): string {
  const [first = ""] = path.split("/").filter((segment) => segment !== "");
  return nameFor("chat", decodedSegment(first));
}

/** The file of a table. */
export function tableName({ path }: RecordedRequest): string {
  const [table = ""] = path.split("/").filter((segment) => segment !== "");
  return nameFor("rest", decodedSegment(table));
}

/** Names that are not alike must not lead to one file, nor to two that some systems take for one. */
function nameFor(kind: "chat" | "rest", name: string): string {
  if (name === "") return kind;
  if (/^[a-z0-9_-]{1,100}$/.test(name)) return `${kind}-${name}`;
  const slug = slugOf(name);
  return [kind, ...(slug === "" ? [] : [slug]), fingerprint(name).slice(0, digits)].join("-");
}

function firstUserText(messages: readonly unknown[]): string {
  for (const message of messages) {
    if (typeof message !== "object" || message === null || !("role" in message)) continue;
    if (message.role === "user" && "content" in message) return textOf(message.content);
  }
  return "";
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const parts: readonly unknown[] = content;
  return parts.map(textOfPart).join(" ").trim();
}

function textOfPart(part: unknown): string {
  const isText = typeof part === "object" && part !== null && "text" in part;
  return isText && typeof part.text === "string" ? part.text : "";
}

/** The first words in small letters without accents, with dashes between them. */
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
