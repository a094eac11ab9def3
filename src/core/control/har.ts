import type { JournalEntry, RecordedExchange } from "../emulator/journal/entry.ts";
import type { Journal } from "../emulator/journal/journal.ts";
import { bodyText, sentText } from "../emulator/journal/response.ts";

/** An exchange, and the journal that it is in. */
export interface FoundExchange {
  readonly exchange: RecordedExchange;
  readonly owner: Journal;
}

/** Requests as an HTTP archive: a HAR 1.2 document, for browsers' developer tools and proxies. */
export function harOf(requests: readonly FoundExchange[], version: string): object {
  return {
    log: {
      version: "1.2",
      creator: { name: "backlot", version },
      entries: requests.map((found) => ({ toJSON: () => harEntry(found) })),
    },
  };
}

function harEntry({ exchange, owner: journal }: FoundExchange): object {
  const entry = journal.read(exchange);
  const { at, durationMs, session, answeredBy, script, reply, fault, recording, aborted } = entry;
  const { ended, problem, response, usage, finishReason } = entry;
  return {
    startedDateTime: at,
    time: durationMs,
    request: harRequest(entry, exchange),
    response: harResponse(entry, sentText(exchange, journal.owner.ownKeys)),
    cache: {},
    // The phases are not measured, so the whole time counts as waiting.
    timings: { send: 0, wait: durationMs, receive: 0 },
    _id: entry.id,
    _session: session,
    _interface: entry.interface,
    _answeredBy: answeredBy,
    _script: script,
    _reply: reply,
    _fault: fault,
    _recording: recording,
    _aborted: aborted,
    _ended: ended,
    _problem: problem,
    _usage: usage,
    _finishReason: finishReason,
    ...(response?.frames && { _frames: response.frames }),
  };
}

function harRequest(entry: JournalEntry, exchange: RecordedExchange): object {
  const { method, headers, query } = entry;
  const text = bodyText(exchange);
  const sent = {
    method,
    url: urlOf(entry),
    httpVersion: "HTTP/1.1",
    cookies: [],
    headers: named(Object.entries(headers)),
    queryString: named(new URLSearchParams(query === "" ? "" : `&${query}`)),
    headersSize: -1,
    bodySize: exchange.body?.byteLength ?? 0,
  };
  if (text === undefined) return sent;
  return { ...sent, postData: { mimeType: headers["content-type"] ?? "", text } };
}

function harResponse(
  { status, bytes, response }: JournalEntry,
  { text, encoding, isCut }: ReturnType<typeof sentText>,
): object {
  const headers = response?.headers ?? {};
  return {
    status,
    statusText: "",
    httpVersion: "HTTP/1.1",
    cookies: [],
    headers: named(Object.entries(headers)),
    content: {
      size: bytes,
      mimeType: headers["content-type"] ?? "",
      ...(response !== null && { text, ...(encoding && { encoding }) }),
      ...(isCut && { comment: "The journal keeps the first 64 KB." }),
    },
    redirectURL: headers["location"] ?? "",
    headersSize: -1,
    bodySize: bytes,
  };
}

/** The absolute URL of a request, as far as it is known. */
function urlOf({ headers, path, query, session }: JournalEntry): string {
  const { host } = headers;
  const origin = `http://${host}`;
  // A Host header may contain any text.
  const isHost = host !== undefined && /^[\w.:[\]-]+$/.test(host) && URL.canParse(origin);
  return `${isHost ? origin : "http://backlot"}${sessionPath(session, headers)}${path}${query === "" ? "" : `?${query}`}`;
}

/**
 * The session's prefix in a URL; empty if a header names the session, or if its id has a lone surrogate, which cannot
 * be encoded.
 */
function sessionPath(session: string | null, headers: JournalEntry["headers"]): string {
  const isElsewhere = session === null || headers["x-backlot-session"] === session;
  return isElsewhere || /\p{Cs}/u.test(session) ? "" : `/@${encodeURIComponent(session)}`;
}

function named(pairs: Iterable<readonly [string, string]>): readonly object[] {
  return [...pairs].map(([name, value]) => ({ name, value }));
}
