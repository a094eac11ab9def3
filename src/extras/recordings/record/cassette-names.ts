import type { RecordedBody, RecordedRequest } from "../../../core/replay/cassette.ts";
import { decodedPart } from "../../../core/replay/query-pairs.ts";

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
  return nameFor("chat", decodedPart(first) ?? first);
}

/** The file of a table. */
export function tableName({ path }: RecordedRequest): string {
  const [table = ""] = path.split("/").filter((segment) => segment !== "");
  return nameFor("rest", decodedPart(table) ?? table);
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

/** The body of a request as a JSON object; undefined for any other. */
function jsonObject(body: RecordedBody | undefined): object | undefined {
  if (body === undefined || !("json" in body)) return undefined;
  const { json } = body;
  return typeof json === "object" && json !== null ? json : undefined;
}

/** The messages of a request to chat; undefined where it has none. */
export function messagesOf({ body }: RecordedRequest): readonly unknown[] | undefined {
  const object = jsonObject(body);
  if (object === undefined || !("messages" in object)) return undefined;
  const { messages } = object;
  return Array.isArray(messages) && messages.length > 0 ? messages : undefined;
}

/** The model that a request to chat names. */
export function modelOf({ body }: RecordedRequest): string | undefined {
  const object = jsonObject(body);
  if (object === undefined || !("model" in object)) return undefined;
  return typeof object.model === "string" ? object.model : undefined;
}

/** 53 bits that stand for a text (cyrb53), as 14 hexadecimal digits. They guard nothing. */
export function fingerprint(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 0x9e3779b1);
    low = Math.imul(low ^ code, 0x5f356495);
  }
  const mixedHigh = mix(high, low);
  const mixedLow = mix(low, mixedHigh);
  const value = 0x1_0000_0000 * (0x1f_ffff & mixedLow) + (mixedHigh >>> 0);
  return value.toString(16).padStart(14, "0");
}

function mix(value: number, other: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return once ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
}
