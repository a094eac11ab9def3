import { version } from "../../emulator/version.ts";
import { failed, ok, type Result } from "../../errors/result.ts";
import { showText } from "../../errors/show.ts";
import { jsonPieces, jsonPiecesReply } from "../../http/json-pieces.ts";
import type { Reply } from "../../http/reply.ts";
import { type Journal, mostWatchers } from "../../emulator/journal/journal.ts";
import { refuse } from "../errors.ts";
import { harOf } from "../har.ts";
import {
  findExchanges,
  listParameters,
  readJournalFilter,
  watchParameters,
} from "../journal-filter.ts";
import { LiveRequests } from "../live-requests.ts";
import { liveSchema, requestsSchema } from "../openapi/journal.ts";
import {
  type ControlRequest,
  type ControlRoute,
  type ControlScene,
  done,
  type Parameter,
} from "../route.ts";

const format: Parameter = {
  name: "format",
  description: "`har` returns an HTTP archive (HAR 1.2). Default `json`.",
  schema: { type: "string", enum: ["json", "har"] },
};

const replay: Parameter = {
  name: "replay",
  description:
    "`true` sends the journal's requests first, or those from `since` on. Default: `true` with `since`, else `false`.",
  schema: { type: "string", enum: ["true", "false"] },
};

function listRequests(
  { query, play }: ControlRequest,
  { session }: ControlScene,
): Reply | Promise<Reply> {
  const { journal } = session;
  const filter = readJournalFilter(query, journal);
  if (!filter.ok) return filter.error;
  const found = findExchanges(journal, filter.value);
  const isHar = query.get("format") === "har";
  // Each is read when it is sent: all at once would hold up everybody else.
  const requests = found.map(({ exchange, owner }) => ({ toJSON: () => owner.read(exchange) }));
  const list = { beganAt: new Date(session.beganAt).toISOString(), requests };
  return play(jsonPiecesReply(jsonPieces(isHar ? harOf(found, version) : list)));
}

function watchRequests(
  { call, query }: ControlRequest,
  { session: { journal }, timers }: ControlScene,
): Reply {
  const read = readJournalFilter(query, journal);
  if (!read.ok) return read.error;
  const last = readLastId(call.headers["last-event-id"], journal);
  if (!last.ok) return last.error;
  if (journal.all.watchers.size >= mostWatchers) {
    const message = `Cannot watch the journal: ${mostWatchers} clients are watching already, the maximum. Close one, or poll GET /__backlot/requests.`;
    return refuse("too_many_watchers", { message });
  }
  const { after = 0, ...filter } = read.value;
  const isReplayed = (query.get("replay") ?? String(query.has("since"))) === "true";
  const [first] = isReplayed ? journal.kept({ limit: 1 }) : [];
  const from = isReplayed ? Math.max(after, (first?.place ?? journal.count + 1) - 1) : undefined;
  const start = last.value ?? from;
  const resumes = last.value !== undefined;
  return {
    status: 200,
    headers: { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" },
    body: {
      kind: "live",
      play: (sink) => new LiveRequests(sink, { journal, timers, filter, after: start, resumes }),
    },
  };
}

/** Sent by an `EventSource` when it reconnects. It wins over the URL, which is the same each time. */
function readLastId(id: string | undefined, journal: Journal): Result<number | undefined, Reply> {
  if (id === undefined || id === "") return ok(undefined);
  if (/^\d{1,15}$/.test(id)) return ok(placeOf(Number(id), journal));
  const message = `Cannot go on after the Last-Event-ID ${showText(id)}: no request has this id. Remove the header.`;
  return failed(refuse("invalid_parameter", { message }));
}

/**
 * How many had ended with the request of a number: of one that is gone perhaps a few more or less. Infinite: none had
 * that number in this session, which has begun anew since.
 */
function placeOf(number: number, journal: Journal): number {
  if (number > journal.arrived) return Infinity;
  const kept = journal.kept();
  const found = kept.find((exchange) => exchange.number === number);
  return found?.place ?? Math.min(number, (kept[0]?.place ?? journal.count + 1) - 1);
}

/** The journal. */
export const requestRoutes: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "/requests",
    id: "listRequests",
    summary: "Lists the requests of the journal, oldest first",
    description:
      "Finished requests come in the order in which they ended, then those under way. A slow reply therefore comes after a later request with a quicker one.",
    query: [...listParameters, format],
    success: {
      description:
        "The requests, with what was answered. Keys and tokens in headers and queries show as `***`.",
      schema: () => requestsSchema,
    },
    errors: ["invalid_parameter"],
    answer: listRequests,
  },
  {
    method: "GET",
    path: "/requests/live",
    id: "watchRequests",
    summary: "Sends each request as a server-sent event when it arrives, and when it ends",
    description:
      "The stream does not end. With the header `Last-Event-ID` it continues after that request, with what the journal still has.",
    query: [...watchParameters, replay],
    success: {
      description:
        "Events: `request` with a request, without an id while it is under way; `dropped` with about the `count` of requests that the journal lost before the client connected, regardless of filters; `cleared` when the journal was emptied. A comment comes every 15 seconds. A client that reads too slowly loses the connection, and continues with `Last-Event-ID`.",
      contentType: "text/event-stream",
      schema: () => liveSchema,
    },
    errors: ["invalid_parameter", "too_many_watchers"],
    answer: watchRequests,
  },
  {
    method: "DELETE",
    path: "/requests",
    id: "clearRequests",
    summary: "Empties the journal",
    success: done,
    answer: (_, { session }) => session.journal.clear(),
  },
];
