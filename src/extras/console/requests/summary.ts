import { requestInChatForm } from "../../../core/chat/forms/responses-request.ts";
import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import type { RowChange } from "../../../core/http/answerer.ts";
import { valueIn } from "../tables/row.ts";
import { counted } from "../../../core/errors/show.ts";
import { isObject } from "../../../core/schema/json.ts";
import { isOfTables } from "./table-state.ts";

/** The key of a request, unique over all sessions. */
export function entryKey({ id, session }: Pick<JournalEntry, "id" | "session">): string {
  return session === null ? id : `${id} ${session}`;
}

/**
 * The full key for a name in the address: within a session, only requests of other sessions have a session in their
 * names.
 */
export function keyIn(session: string | null, named: string | undefined): string | undefined {
  return session !== null && /^\d+$/.test(named ?? "") ? `${named} ${session}` : named;
}

/** Path and query as sent. */
export function requestTarget({ path, query }: Pick<JournalEntry, "path" | "query">): string {
  return query === "" ? path : `${path}?${query}`;
}

/** What a chat asks for. */
export interface AskedChat {
  readonly model: string;
  /** The user's last message; empty if there is none. */
  readonly said: string;
  readonly isStream: boolean;
}

/** What a chat asks for; undefined for other requests. */
export function askedChat({ path, body }: JournalEntry): AskedChat | undefined {
  const chat = isOfTables(path) || !isObject(body) ? {} : requestInChatForm(path, body);
  const { model, messages, stream } = chat;
  if (!Array.isArray(messages)) return undefined;
  const last = messages.filter(isObject).findLast(({ role }) => role === "user");
  return {
    model: typeof model === "string" ? model : "no model",
    said: textOf(last?.["content"]),
    isStream: stream === true,
  };
}

/** The text of a message, even if its content has several parts. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content.filter(isObject) : [];
  return parts.flatMap(({ text }) => (typeof text === "string" ? [text] : [])).join(" ");
}

/** What a request asks for, in a line. */
export function askedFor(entry: JournalEntry): string {
  const chat = askedChat(entry);
  if (chat === undefined) return `${entry.method} ${requestTarget(entry)}`;
  return `${chat.model} ${chat.said === "" ? "no user message" : `“${chat.said}”`}`;
}

/** The answer in a line: what answered, then the number of rows, or the tokens and the finish reason. */
export function answeredWith(entry: JournalEntry): string {
  const { usage, finishReason, script, recording, fault, problem, response, change } = entry;
  const tokens = usage?.["total_tokens"];
  const body = response?.body;
  const rows = isObject(body) && Array.isArray(body["result"]) ? body["result"] : undefined;
  const isUnderWay = entry.ended === "pending" && entry.chunksSent > 0;
  const parts = [
    script ?? fault ?? recording?.cassette,
    isUnderWay
      ? `${counted(entry.chunksSent, "frame")}, ${counted(entry.bytes, "byte")}`
      : undefined,
    problem ?? undefined,
    change === null ? undefined : changeInWords(change),
    rows && counted(rows.length, "row"),
    typeof tokens === "number" ? counted(tokens, "token") : undefined,
    finishReason ?? undefined,
  ];
  return parts.filter((part) => part !== undefined).join(" · ");
}

/** The columns that a write changed, with the values before and after it as JSON; empty where there was none. */
export function changedColumns({
  before,
  after,
}: RowChange): readonly (readonly [column: string, before: string, after: string])[] {
  const columns = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...columns]
    .map((column) => [column, textIn(before, column), textIn(after, column)] as const)
    .filter(([, was, is]) => was !== is);
}

function textIn(row: RowChange["before"], column: string): string {
  return JSON.stringify(valueIn(row ?? {}, column)) ?? "";
}

/** What a write changed, in a line. */
function changeInWords(change: RowChange): string {
  if (change.before === null) return "added";
  if (change.after === null) return "deleted";
  const changes = changedColumns(change).map(([column, was, is]) => `${column}: ${was} → ${is}`);
  return changes.length === 0 ? "nothing changed" : changes.join(", ");
}

/** The counts of a usage, with names in words. */
export function countsOf(usage: object): readonly (readonly [string, string])[] {
  const counts = Object.entries(usage).filter(([, count]) => typeof count === "number");
  return counts.map(([name, count]) => [name.replaceAll("_", " "), String(count)]);
}
