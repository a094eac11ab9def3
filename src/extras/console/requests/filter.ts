import { compare } from "../../../core/schema/compare.ts";
import type { JournalEntry } from "../../../core/emulator/journal/entry.ts";
import { consoleHeader } from "../api/client.ts";
import type { Ending } from "../parts/stream.ts";
import { answeredWith, askedFor, requestTarget } from "./summary.ts";
import { isOfTables } from "./table-state.ts";

/** Which requests are shown and in which order, as the page's address has it. Empty texts match everything. */
export const firstList = {
  /** Words that must all be somewhere in a request or its answer, in any case. */
  find: "",
  /** `chat`, `tables`, or `writes`: those that change tables. */
  kind: "",
  /** One of `endingGroups`. */
  ended: "",
  /** `1`: the console's own requests are shown too. */
  own: "",
  /** `1`: those of all sessions. */
  all: "",
  /** A column, with a minus for the other direction. */
  sort: "",
};
export type RequestListState = Readonly<typeof firstList>;

/** How requests ended, as one looks for them. */
export const endingGroups: Readonly<Record<string, readonly Ending[]>> = {
  pending: ["pending"],
  complete: ["complete"],
  refused: ["refused"],
  broken: ["cut", "reset", "stalled", "hung", "malformed", "noFinish", "aborted"],
};

/** What the columns are sorted by. */
export const sortKeys: Readonly<Record<string, (entry: JournalEntry) => number | string>> = {
  time: ({ at }) => at,
  ended: ({ status, ended }) => `${status} ${ended}`,
  request: askedFor,
  answer: answeredWith,
  took: ({ durationMs }) => durationMs,
};

/** The entries that match a filter, in its order: the latest first, unless it says otherwise. */
export function listRequests(
  entries: readonly JournalEntry[],
  { find, kind, ended, own, sort }: Omit<RequestListState, "all">,
): readonly JournalEntry[] {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  const endings = endingGroups[ended];
  const shown = entries.filter(
    (entry) =>
      (own !== "" || !isOwn(entry)) &&
      (endings === undefined || endings.includes(entry.ended)) &&
      isOfKind(entry, kind) &&
      hasWords(entry, words),
  );
  const keyFor = sortKeys[sort.replace("-", "")];
  if (keyFor === undefined) return shown.toReversed();
  const direction = sort.startsWith("-") ? -1 : 1;
  const keyed = shown.map((entry) => ({ entry, key: keyFor(entry) }));
  keyed.sort((one, other) => direction * compare(one.key, other.key));
  return keyed.map(({ entry }) => entry);
}

function isOfKind({ interface: asked, method, path }: JournalEntry, kind: string): boolean {
  if (kind !== "writes") return kind === "" || kind === asked;
  return isOfTables(path) && method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
}

/** Whether a request was made by a console. */
export function isOwn({ headers }: Pick<JournalEntry, "headers">): boolean {
  return Object.hasOwn(headers, consoleHeader);
}

/** The texts that were searched for, in lower case: a search goes on with each letter. */
const searched = new WeakMap<JournalEntry, string>();

function hasWords(entry: JournalEntry, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  let text = searched.get(entry);
  if (text === undefined) {
    text = searchedText(entry).toLowerCase();
    searched.set(entry, text);
  }
  return words.every((word) => text.includes(word));
}

function searchedText(entry: JournalEntry): string {
  const { method, status, ended, session, body, response, answeredBy, problem } = entry;
  const frames = response?.frames?.map(({ data }) => data) ?? [];
  const sent = [body, response?.body].map((value) =>
    typeof value === "string" ? value : JSON.stringify(value),
  );
  const texts = [method, requestTarget(entry), status, ended, session, answeredBy, problem];
  return [...texts, ...sent, ...frames].join("\n");
}
