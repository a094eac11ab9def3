import { compare } from "../../../core/schema/compare.ts";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { JournalSummary } from "../../../core/emulator/journal/entry.ts";
import type { Client } from "../api/client.ts";
import { eventsOf, type StreamEvent } from "../api/stream-events.ts";
import { readForSearch } from "./filter.ts";
import { type Divider, entryOfRun } from "./dividers.ts";
import { keepFailure } from "./details.ts";
import { entryKey } from "./summary.ts";

/** The known part of the journal, and how it is followed. */
export interface WatchedRequests {
  /** The summaries of the requests, in order of arrival. */
  readonly entries: readonly JournalSummary[];
  readonly state: "connecting" | "live" | "polling" | "lost";
  /** How many events were missed and are being read again. */
  readonly lag: number;
  /** What happened between requests: fixtures were loaded again, or the server was started again. */
  readonly dividers: readonly Divider[];
  /** Grows whenever the server tells that the set-up may have changed. */
  readonly changes: number;
  /** How many requests are under way in sessions that are not watched. */
  readonly elsewhere: number;
  /** Switches between watching all sessions and only the page's own. */
  readonly watchAll: (ofAll: boolean) => void;
}

/** The most entries that are kept. */
const keptEntries = 50_000;
/** The number of entries that are read first: few, for a slow line. */
const firstPart = 20;
/** The number of the latest entries that are read next. Earlier ones follow in larger parts. */
const secondPart = 200;
const largestPart = 2000;
/** Events of this many milliseconds are shown together. */
const gatherMs = 100;
const pollMs = 1500;
const retryMs = 2000;

/** When requests under way arrived, by their keys: on the page's clock, since the emulator's clock may be stopped. */
const arrivals = new Map<string, number>();

/** How long a request has taken until now, in milliseconds. */
export function takenMs(entry: JournalSummary): number {
  const arrival = entry.ended === "pending" ? arrivals.get(entryKey(entry)) : undefined;
  return arrival === undefined ? entry.durationMs : performance.now() - arrival;
}

/** Adds an entry or replaces an older version of it. Drops the oldest entry if there are too many. */
export function keepEntry(known: Map<string, JournalSummary>, entry: JournalSummary): void {
  const key = entryKey(entry);
  if (entry.ended === "pending") arrivals.set(key, performance.now() - entry.durationMs);
  else arrivals.delete(key);
  readForSearch(entry);
  known.set(key, entry);
  const [oldest] = known.size > keptEntries ? known.keys() : [];
  if (oldest !== undefined) known.delete(oldest);
}

/** The requests of earlier runs of the server, which its journal no longer has. */
interface Earlier {
  entries: readonly JournalSummary[];
  dividers: readonly Divider[];
  runs: number;
}

/** A list of requests from the control API. */
interface RequestList {
  readonly beganAt: string;
  readonly reloads: readonly { readonly at: string; readonly after: string }[];
  readonly requests: readonly JournalSummary[];
}

/** Follows the journal, and keeps its entries. */
class Feed {
  lag = 0;
  dividers: readonly Divider[] = [];
  /** When the session of the known requests began. */
  #beganAt: string | undefined;
  readonly #earlier: Earlier;
  known: Map<string, JournalSummary> = new Map();
  state: WatchedRequests["state"] = "connecting";
  elsewhere = 0;
  changes = 0;
  #wasLive = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #show: (feed: Feed) => void;

  constructor(earlier: Earlier, show: (feed: Feed) => void) {
    this.#earlier = earlier;
    this.#show = show;
  }

  show(): void {
    this.stop();
    this.#show(this);
  }

  showSoon(): void {
    this.#timer ??= setTimeout(() => this.show(), gatherMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Adds entries that arrived before the known ones. */
  takeOlder(entries: readonly JournalSummary[]): void {
    const later = this.known.values();
    this.known = new Map();
    const all = [...this.#earlier.entries, ...entries.toSorted(byArrival), ...later];
    for (const entry of all) keepEntry(this.known, entry);
  }

  /** Follows the journal until `signal` is aborted: by its stream, or by polling if the stream is not available. */
  async follow(client: Client, sessions: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const isFirst = this.known.size === 0;
        const [response] = await Promise.all([
          client.openControl(`/requests/live?progress=true&changes=true&${sessions}`, { signal }),
          isFirst && this.#readFirst(client, sessions, signal),
        ]);
        const isThere = response.ok && response.body !== null;
        if (!isThere) await response.body?.cancel();
        this.#begin(isThere);
        // Read only now, after the stream has begun, so that no entry is lost in between.
        await this.#read(client, sessions, signal);
        for await (const events of isThere ? eventsOf(response) : []) {
          let mustRead = false;
          for (const event of events) mustRead = this.#take(event, client) || mustRead;
          if (mustRead) await this.#read(client, sessions, signal);
        }
        if (isThere) this.state = "connecting";
        this.showSoon();
        await pause(pollMs, signal);
      } catch {
        if (signal.aborted) return;
        this.state = "lost";
        this.showSoon();
        await pause(retryMs, signal);
      }
    }
  }

  /**
   * Notes whether there is a stream now. A new stream counts as a change, since nobody reported changes between the
   * streams.
   */
  #begin(isThere: boolean): void {
    this.state = isThere ? "live" : "polling";
    if (isThere && this.#wasLive) this.changes++;
    this.#wasLive ||= isThere;
  }

  /** Takes an event. Returns whether the journal must be read again. */
  #take({ type, data }: StreamEvent, client: Client): boolean {
    switch (type) {
      // The control API sends these values in these events.
      case "request":
        this.#add(JSON.parse(data) as JournalSummary, client);
        return false;
      case "progress":
        this.#go(JSON.parse(data) as Progress);
        return false;
      case "changed":
        this.changes++;
        this.showSoon();
        return false;
      case "missed":
        this.#noteLag(JSON.parse(data) as { readonly count: number });
        return true;
      case "cleared":
        this.#forget();
        return true;
      default:
        // A comment has no type.
        return type !== undefined;
    }
  }

  /** Shows the last entries of the journal while the stream is opened. */
  async #readFirst(client: Client, sessions: string, signal: AbortSignal): Promise<void> {
    const list = await listOf(client, `last=${firstPart}&${sessions}`, signal);
    this.#beginWith(list);
    this.takeOlder(list.requests);
    this.show();
  }

  /** Reads the last entries of the journal, which replace the known ones, and then the earlier ones. */
  async #read(client: Client, sessions: string, signal: AbortSignal): Promise<void> {
    let last = secondPart;
    for (let skip = 0; this.known.size < keptEntries;) {
      const list = await listOf(client, `last=${last}&skip=${skip}&${sessions}`, signal);
      if (skip === 0) this.#beginWith(list);
      this.takeOlder(list.requests);
      if (skip === 0) this.show();
      else this.showSoon();
      if (list.requests.length < last) break;
      skip += last;
      last = largestPart;
    }
    this.lag = 0;
    this.showSoon();
  }

  /** Makes room for what the journal has. If the server was started again, keeps the entries of its earlier run. */
  #beginWith({ beganAt, reloads }: RequestList): void {
    const earlier = this.#earlier;
    const lost = [...this.known.values()].slice(earlier.entries.length);
    if (this.#beganAt !== undefined && this.#beganAt !== beganAt && lost.length > 0) {
      const run = earlier.runs + 1;
      earlier.entries = [...earlier.entries, ...lost.map((entry) => entryOfRun(run, entry))];
      const at = new Date().toISOString();
      earlier.dividers = [
        ...this.dividers,
        { run: run + 1, after: 0, at, what: "server restarted" },
      ];
      earlier.runs = run;
    }
    this.#beganAt = beganAt;
    this.known.clear();
    const here = reloads.map(({ at, after }) => ({
      run: earlier.runs + 1,
      after: Number(after),
      at,
      what: "fixtures reloaded",
    }));
    this.dividers = [...earlier.dividers, ...here];
  }

  #forget(): void {
    Object.assign(this.#earlier, { entries: [], dividers: [] });
    this.known.clear();
  }

  #noteLag({ count }: { readonly count: number }): void {
    this.lag = count;
    this.show();
  }

  /** Adds what has been sent of requests under way. */
  #go({ requests, elsewhere }: Progress): void {
    this.elsewhere = elsewhere;
    for (const part of requests) {
      const entry = this.known.get(entryKey(part));
      if (entry !== undefined) keepEntry(this.known, { ...entry, ...part });
    }
    this.showSoon();
  }

  #add(entry: JournalSummary, client: Client): void {
    keepEntry(this.known, entry);
    keepFailure(client, entry);
    this.showSoon();
  }
}

/** What the server tells of the requests under way. */
interface Progress {
  readonly requests: readonly EntryProgress[];
  readonly elsewhere: number;
}

/** The progress of a request. */
type EntryProgress = Pick<JournalSummary, "id" | "session" | "durationMs" | "chunksSent" | "bytes">;

/** Reads summaries of the journal's requests. */
async function listOf(client: Client, query: string, signal: AbortSignal): Promise<RequestList> {
  const path = `/requests?bodies=false&${query}`;
  const answer = await client.control<RequestList>(path, { signal });
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
    signal.addEventListener("abort", () => resolve());
  });
}

/** Follows the journal while the page is shown. */
export function useRequests(client: Client): WatchedRequests {
  const [watched, setWatched] = useState<Omit<WatchedRequests, "watchAll">>({
    entries: [],
    state: "connecting",
    lag: 0,
    dividers: [],
    changes: 0,
    elsewhere: 0,
  });
  const earlier = useRef<Earlier>({ entries: [], dividers: [], runs: 0 });
  const [ofAll, watchAll] = useState(false);
  useEffect(() => {
    const ending = new AbortController();
    const feed = new Feed(earlier.current, ({ known, state, lag, dividers, changes, elsewhere }) =>
      setWatched({ entries: [...known.values()], state, lag, dividers, changes, elsewhere }),
    );
    void feed.follow(client, ofAll ? "sessions=all" : "", ending.signal);
    return () => {
      ending.abort();
      feed.stop();
    };
  }, [client, ofAll]);
  return useMemo(() => ({ ...watched, watchAll }), [watched]);
}

function byArrival(one: JournalSummary, other: JournalSummary): number {
  return compare(one.at, other.at);
}
