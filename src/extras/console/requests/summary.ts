import type { JournalSummary } from "../../../core/emulator/journal/entry.ts";
import type { RowChange } from "../../../core/http/answerer.ts";
import { valueIn } from "../tables/row.ts";
import { counted } from "../../../core/errors/show.ts";

/** The key of a request, unique over all sessions. */
export function entryKey({ id, session }: Pick<JournalSummary, "id" | "session">): string {
  return session === null ? id : `${id} ${session}`;
}

/**
 * The full key for a name in the address: within a session, only requests of other sessions have a session in their
 * names.
 */
export function keyIn(session: string | null, named: string | undefined): string | undefined {
  return session !== null && /^\d+$/.test(named ?? "") ? `${named} ${session}` : named;
}

/** The path and the query, as sent. */
export function requestTarget({ path, query }: Pick<JournalSummary, "path" | "query">): string {
  return query === "" ? path : `${path}?${query}`;
}

/** Whether a request belongs to an earlier run of the server. */
export function isOfEarlierRun({ id }: Pick<JournalSummary, "id">): boolean {
  return id.includes("-");
}

/** The model and the words of a chat. */
export interface AskedChat {
  readonly model: string;
  /** The beginning of the user's last message; empty if there is none. */
  readonly said: string;
  readonly isStream: boolean;
}

/** The model and the words of a chat; undefined for other requests. */
export function askedChat({ chat }: Pick<JournalSummary, "chat">): AskedChat | undefined {
  if (chat === null) return undefined;
  const { model, said, stream } = chat;
  return { model: model ?? "no model", said, isStream: stream };
}

/** A line about what a request asks for: the model and the words of a chat, else method and path. */
export function askedFor(entry: JournalSummary): string {
  const chat = askedChat(entry);
  if (chat === undefined) return `${entry.method} ${requestTarget(entry)}`;
  return `${chat.model} ${chat.said === "" ? "no user message" : `“${chat.said}”`}`;
}

/** The answer in a line: what answered, then the number of rows, or the tokens and the finish reason. */
export function answeredWith(entry: JournalSummary): string {
  const { tokens, finishReason, script, recording, fault, problem, rows, change } = entry;
  const isUnderWay = entry.ended === "pending" && entry.chunksSent > 0;
  const parts = [
    script ?? fault ?? recording?.cassette,
    isUnderWay
      ? `${counted(entry.chunksSent, "frame")}, ${counted(entry.bytes, "byte")}`
      : undefined,
    problem ?? undefined,
    change === null ? undefined : changeInWords(change),
    rows === null ? undefined : counted(rows, "row"),
    tokens === null ? undefined : counted(tokens, "token"),
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

/** A line about the changes of a write. */
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
