import { compare } from "../../../core/schema/compare.ts";
import { answerEnds } from "../../../core/http/answer-end.ts";
import type { JournalSummary } from "../../../core/emulator/journal/entry.ts";
import type { Ending } from "../parts/stream.ts";
import { answeredWith, askedFor, entryKey, requestTarget } from "./summary.ts";
import { keyPath } from "../tables/row.ts";
import { isOfTables } from "./table-state.ts";

/** The filters and the order of the list, as the address has them. Empty texts match everything. */
export const firstList = {
  /** Words that must all occur in the request or its answer. Upper and lower case count as equal. */
  find: "",
  /** `chat`, `tables`, or `writes` for requests that change tables. */
  kind: "",
  /** The name of a group of `endingGroups`. */
  ended: "",
  /**
   * The requests that changed a table, such as `users`, or a row of it, such as `users/7`. Requests of the console
   * count too.
   */
  changed: "",
  /** The name of a session; the base session's is `base session`. */
  session: "",
  /** `1` to show the console's own requests, too. */
  own: "",
  /** `1` to show the requests of all sessions. */
  all: "",
  /** `1` to show requests one by one, and not by conversation. */
  flat: "",
  /** A column, with a minus in front for the other direction. */
  sort: "",
};
export type RequestListState = Readonly<typeof firstList>;

/** Groups of endings that users filter by. */
export const endingGroups: Readonly<Record<string, readonly Ending[]>> = {
  pending: ["pending"],
  complete: ["complete"],
  refused: ["refused"],
  broken: answerEnds.filter((end) => end !== "complete" && end !== "refused"),
};

/** The values by which each column sorts. */
export const sortKeys: Readonly<Record<string, (entry: JournalSummary) => number | string>> = {
  time: ({ at }) => at,
  ended: ({ status, ended }) => `${status} ${ended}`,
  session: ({ session }) => session ?? "",
  method: ({ method }) => method,
  request: askedFor,
  answer: answeredWith,
  took: ({ durationMs }) => durationMs,
};

/**
 * The entries that match a filter, in its order. Default: latest first. `found` are the keys of those in which the
 * server found the words.
 */
export function listRequests(
  entries: readonly JournalSummary[],
  { find, kind, changed, ended, own, session, sort }: Omit<RequestListState, "all" | "flat">,
  found?: ReadonlySet<string>,
): readonly JournalSummary[] {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  const endings = endingGroups[ended];
  const shown = entries.filter(
    (entry) =>
      (own !== "" || changed !== "" || !isOwn(entry)) &&
      (changed === "" || didChange(entry, changed)) &&
      (session === "" || session === sessionName(entry)) &&
      (endings === undefined || endings.includes(entry.ended)) &&
      isOfKind(entry, kind) &&
      (hasWords(entry, words) || found?.has(entryKey(entry)) === true),
  );
  const keyFor = sortKeys[sort.replace("-", "")];
  if (keyFor === undefined) return shown.toReversed();
  const direction = sort.startsWith("-") ? -1 : 1;
  const keyed = shown.map((entry) => ({ entry, key: keyFor(entry) }));
  keyed.sort((one, other) => direction * compare(one.key, other.key));
  return keyed.map(({ entry }) => entry);
}

/** The name of a request's session, in words. */
export function sessionName({ session }: Pick<JournalSummary, "session">): string {
  return session ?? "base session";
}

function isOfKind({ interface: asked, method, path }: JournalSummary, kind: string): boolean {
  if (kind !== "writes") return kind === "" || kind === asked;
  return isOfTables(path) && method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
}

/** Whether a request changed a table, or a row of it. Both are named as in a path. */
export function didChange({ change }: JournalSummary, changed: string): boolean {
  if (change === null) return false;
  const [table, row] = changed.split("/");
  const { key } = change;
  const isOfTable = encodeURIComponent(change.table) === table;
  return isOfTable && (row === undefined || keyPath({ primaryKey: Object.keys(key) }, key) === row);
}

/** Whether a request was made by a console. */
export function isOwn({ console: mark }: Pick<JournalSummary, "console">): boolean {
  return mark !== null;
}

/** The searched text of each entry, in lower case. Cached, since a search runs again with each typed letter. */
const searched = new WeakMap<JournalSummary, string>();

/**
 * Prepares the text of an entry that the page searches: its summary. This is done when the entry arrives, since
 * preparing 50,000 entries at the first typed letter would block the page.
 */
export function readForSearch(entry: JournalSummary): string {
  const read = searched.get(entry);
  if (read !== undefined) return read;
  const text = searchedText(entry).toLowerCase();
  searched.set(entry, text);
  return text;
}

function hasWords(entry: JournalSummary, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = readForSearch(entry);
  return words.every((word) => text.includes(word));
}

function searchedText(entry: JournalSummary): string {
  const { method, status, ended, session, answeredBy, problem, chat } = entry;
  const texts = [method, requestTarget(entry), status, ended, session, answeredBy, problem];
  return [...texts, chat?.model, chat?.said].join("\n");
}
