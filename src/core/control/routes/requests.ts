import { defined } from "../../schema/json.ts";
import { interfaceNames } from "../../interface.ts";
import type { ExchangeFilter } from "../../emulator/journal/filter.ts";
import type { Journal } from "../../emulator/journal/journal.ts";
import { failed, ok, type Result } from "../../errors/result.ts";
import { showText } from "../../errors/show.ts";
import { jsonReply, type Reply } from "../../http/reply.ts";
import { refuse, refuseUnwatched } from "../errors.ts";
import { listOf, nullable, objectOf, text } from "../../schema/openapi.ts";
import {
  type Parameter,
  type ControlRequest,
  type ControlRoute,
  type ControlScene,
  done,
} from "../read-call.ts";
import { version } from "../../emulator/version.ts";
import { jsonPieces, jsonPiecesReply } from "../../http/json-pieces.ts";
import { type FoundExchange, harOf } from "../har.ts";
import { LiveRequests } from "../live-requests.ts";
import { liveSchema, requestSchema, requestsSchema } from "../openapi/journal.ts";
import { hasWords, withPauses, wordsIn } from "../search-requests.ts";
import { setupMarks } from "../setup-marks.ts";

interface FilterParameter extends Parameter {
  /** The filter that a value means, or a message if the value is invalid. */
  readonly read: (value: string, journal: Journal) => ExchangeFilter | string;
}

const filters: readonly FilterParameter[] = [
  {
    name: "interface",
    description: "The interface.",
    schema: { type: "string", enum: interfaceNames },
    read: (value) => defined({ interface: interfaceNames.find((name) => name === value) }),
  },
  {
    name: "method",
    description: "The request's method.",
    schema: {
      type: "string",
      enum: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
    },
    read: (method) => ({ method }),
  },
  {
    name: "path",
    description: "The beginning of the request's path, as sent.",
    schema: { type: "string", pattern: "^/" },
    read: (path) =>
      path.startsWith("/") ? { path } : `${showText(path)} does not begin with a slash.`,
  },
  {
    name: "status",
    description: "The reply's status; 0 if a fault prevented a reply.",
    schema: { type: "integer" },
    read: (value) =>
      /^(?:0|[1-5]\d\d)$/.test(value)
        ? { status: Number(value) }
        : `${showText(value)} is not a status code.`,
  },
  {
    name: "since",
    description:
      "The id of a request, for requests that ended after it; or a time, for requests that arrived from then on: such as `2024-01-01T00:00:00Z`, or Unix time in milliseconds (12 digits or more).",
    schema: { type: "string" },
    read: readSince,
  },
  {
    name: "sessions",
    description: "`all` selects the requests of every session. `since` is then a time.",
    schema: { type: "string", enum: ["all"] },
    read: () => ({ sessions: "all" }),
  },
];

const counts: readonly FilterParameter[] = [
  countParameter(
    "limit",
    "The largest number of requests to list; the first matches are listed.",
    (limit) => ({ limit }),
  ),
  countParameter("last", "The same, but the last matches are listed.", (last) => ({ last })),
  countParameter("skip", "With `last`: how many are left out at the end.", (skip) => ({ skip })),
];

function countParameter(
  name: string,
  description: string,
  filterOf: (count: number) => ExchangeFilter,
): FilterParameter {
  return {
    name,
    description,
    schema: { type: "integer", minimum: 0 },
    read: (value) =>
      /^\d+$/.test(value)
        ? filterOf(Number(value))
        : `${showText(value)} is not a whole number of 0 or more.`,
  };
}

/** The parameters that select requests, for listing and watching. */
const watchParameters: readonly Parameter[] = filters;

/** The parameters for listing the journal. */
const listParameters: readonly Parameter[] = [...filters, ...counts];

/** Reads the filters of a query, or refuses an invalid value. */
function readJournalFilter(
  query: ReadonlyMap<string, string>,
  journal: Journal,
): Result<ExchangeFilter, Reply> {
  const filter: ExchangeFilter = {};
  for (const { name, read } of [...filters, ...counts]) {
    const value = query.get(name);
    const part = value === undefined ? {} : read(value, journal);
    if (typeof part === "string") {
      const message = `Cannot filter the journal by ${name}: ${part}`;
      return failed(refuse("invalid_parameter", { message }));
    }
    Object.assign(filter, part);
  }
  if (filter.sessions === "all" && filter.after !== undefined) {
    const message = "Cannot filter the journals of all sessions by an id. Give a time in since.";
    return failed(refuse("invalid_parameter", { message }));
  }
  return ok(filter);
}

/** The exchanges that match a filter, in order of arrival. */
function findExchanges(
  journal: Journal,
  { sessions, last, skip = 0, ...filter }: ExchangeFilter,
): readonly FoundExchange[] {
  const journals = sessions === "all" ? [...journal.all.journals] : [journal];
  const found = journals.flatMap((owner) =>
    owner.matching(filter).map((exchange) => ({ exchange, owner })),
  );
  if (sessions === "all") {
    found.sort((one, other) => one.exchange.started - other.exchange.started);
  }
  if (last === undefined) return found.slice(0, filter.limit);
  const end = Math.max(0, found.length - skip);
  return found.slice(Math.max(0, end - last), end);
}

/** Numbers from 12 digits on are Unix time in milliseconds, from 1973 on. No journal has given out so many ids. */
const unixTimeForm = /^\d{12,16}$/;
const timeForm = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/**
 * The filter for `since`: later than the request with this id, or than this time. A message if the value is neither.
 */
function readSince(value: string, journal: Journal): ExchangeFilter | string {
  const found = journal.matching().find(({ number }) => String(number) === value);
  if (found !== undefined) return { after: found.place || journal.count };
  const since = unixTimeForm.test(value)
    ? Number(value)
    : Date.parse(timeForm.test(value) ? value : "");
  if (!Number.isNaN(since)) return { since };
  return (
    `${showText(value)} is neither a time such as 2024-01-01T00:00:00Z (a plus sign is written %2B), ` +
    "nor Unix time in milliseconds (12 digits or more), " +
    "nor the id of a request that the journal still has."
  );
}

const words: Parameter = {
  name: "words",
  description: "Words, separated by spaces.",
  schema: { type: "string" },
};

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

const bodies: Parameter = {
  name: "bodies",
  description:
    "`true` sends whole entries, as the list has them, with headers and bodies. Default `false`: a summary of each request.",
  schema: { type: "string", enum: ["true", "false"] },
};

const listedBodies: Parameter = {
  name: "bodies",
  description:
    "`false` lists a summary of each request, as `/requests/live` tells it. Default `true`: whole requests.",
  schema: { type: "string", enum: ["true", "false"] },
};

const progress: Parameter = {
  name: "progress",
  description:
    "`true` also sends, four times a second, how far the answers under way are, and how many requests are under way in other sessions. Default `false`.",
  schema: { type: "string", enum: ["true", "false"] },
};

const changes: Parameter = {
  name: "changes",
  description:
    "`true` also sends `changed` when rows, planned faults, scripts, sessions, snapshots or fixtures may have changed, at most four times a second. Default `false`.",
  schema: { type: "string", enum: ["true", "false"] },
};

/** The most clients that can watch at the same time. */
const mostWatchers = 256;

function listRequests({ query }: ControlRequest, { session }: ControlScene): Reply {
  const { journal } = session;
  const filter = readJournalFilter(query, journal);
  if (!filter.ok) return filter.error;
  const found = findExchanges(journal, filter.value);
  const isHar = query.get("format") === "har";
  const hasBodies = query.get("bodies") !== "false";
  if (isHar && !hasBodies) {
    const message = "An HTTP archive has the bodies of answers. Leave out bodies=false.";
    return refuse("invalid_parameter", { message });
  }
  // Each request is read when it is sent. Reading all of them at once would delay everybody else.
  const requests = found.map(({ exchange, owner }) => ({
    toJSON: () => (hasBodies ? owner.read(exchange) : owner.summarise(exchange)),
  }));
  const reloads = journal.reloads.map(({ at, after }) => ({
    at: new Date(at).toISOString(),
    after: String(after),
  }));
  const list = { beganAt: new Date(session.beganAt).toISOString(), reloads, requests };
  return jsonPiecesReply(jsonPieces(isHar ? harOf(found, version) : list));
}

function readRequest({ name: id }: ControlRequest, { session: { journal } }: ControlScene): Reply {
  const found = journal.matching().find(({ number }) => String(number) === id);
  if (found !== undefined) return jsonReply(200, journal.read(found));
  const message = `Cannot read the request ${showText(id)}: the journal does not have it, or not any more. GET /__backlot/requests lists those that it has.`;
  return refuse("unknown_request", { message });
}

async function searchRequests(
  { query }: ControlRequest,
  { session: { journal }, timers }: ControlScene,
): Promise<Reply> {
  const filter = readJournalFilter(query, journal);
  if (!filter.ok) return filter.error;
  const sought = wordsIn(query.get("words") ?? "");
  const ids: object[] = [];
  for await (const { exchange, owner } of withPauses(
    findExchanges(journal, filter.value),
    timers,
  )) {
    if (!hasWords(exchange, owner, sought)) continue;
    ids.push({ id: String(exchange.number), session: exchange.session ?? null });
  }
  return jsonReply(200, { requests: ids });
}

async function recordRequests({ query }: ControlRequest, scene: ControlScene): Promise<Reply> {
  const { session, setup, folder } = scene;
  if (folder === undefined) return refuseUnwatched("record the journal");
  const filter = readJournalFilter(query, session.journal);
  if (!filter.ok) return filter.error;
  const har = harOf(findExchanges(session.journal, filter.value), version);
  // The size of the files is known only after they are written, so the archive's size stands for it.
  session.state.added.take(har);
  return jsonReply(201, await folder.record(har, setup.fixtures.recording));
}

async function watchRequests(
  { call, query }: ControlRequest,
  { session: { journal }, timers, current, sessionId }: ControlScene,
): Promise<Reply> {
  await journal.all.load();
  const read = readJournalFilter(query, journal);
  if (!read.ok) return read.error;
  const last = readLastId(call.headers["last-event-id"], journal);
  if (!last.ok) return last.error;
  if (journal.all.feed.listeners.length >= mostWatchers) {
    const message = `Cannot watch the journal: ${mostWatchers} clients are watching already, the maximum. Close one, or poll GET /__backlot/requests.`;
    return refuse("too_many_watchers", { message });
  }
  const { after = 0, ...filter } = read.value;
  const isReplayed = (query.get("replay") ?? String(query.has("since"))) === "true";
  const [first] = isReplayed ? journal.kept({ limit: 1 }) : [];
  const from = isReplayed ? Math.max(after, (first?.place ?? journal.count + 1) - 1) : undefined;
  const resumes = last.value !== undefined;
  const withBodies = query.get("bodies") === "true";
  const withProgress = query.get("progress") === "true";
  const marks =
    query.get("changes") === "true" ? () => setupMarks(current(), sessionId) : undefined;
  const watched = { journal, timers, filter, withBodies, withProgress, marks };
  const options = { ...watched, after: last.value ?? from, resumes };
  return {
    status: 200,
    headers: { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" },
    body: {
      kind: "live",
      play: (sink) => new LiveRequests(sink, options),
    },
  };
}

/**
 * The header that an `EventSource` sends when it reconnects. The header wins over the URL, which is the same for each
 * connection.
 */
function readLastId(id: string | undefined, journal: Journal): Result<number | undefined, Reply> {
  if (id === undefined || id === "") return ok(undefined);
  if (/^\d{1,15}$/.test(id)) return ok(placeOf(Number(id), journal));
  const message = `Cannot go on after the Last-Event-ID ${showText(id)}: no request has this id. Remove the header.`;
  return failed(refuse("invalid_parameter", { message }));
}

/**
 * How many requests had ended when the one with this number ended. For a request that the journal no longer has, this
 * is approximate. Infinite if the session has never given out the number, because it was started over.
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
    description: "Requests come in the order in which they arrived, those under way included.",
    query: [...listParameters, format, listedBodies],
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
    path: "/requests/search",
    id: "searchRequests",
    summary: "Finds the requests in which words occur",
    description:
      "All words must occur, in any case: in the path, a header, the body or the answer of a request, or in the names of its session and of what answered it. Secrets that show as `***` are not found.",
    query: [words, ...watchParameters],
    success: {
      description: "The ids of the requests, oldest first, with their sessions.",
      schema: () =>
        objectOf({ requests: listOf(objectOf({ id: text, session: nullable("string") })) }),
    },
    errors: ["invalid_parameter"],
    answer: searchRequests,
  },
  {
    method: "GET",
    path: "/requests/{id}",
    id: "getRequest",
    summary: "Returns a request of the journal, whole",
    name: { name: "id", description: "The request's id.", example: "1" },
    success: { description: "The request, as the list has it.", schema: () => requestSchema },
    errors: ["unknown_request"],
    answer: readRequest,
  },
  {
    method: "GET",
    path: "/requests/live",
    id: "watchRequests",
    summary: "Sends each request as a server-sent event when it arrives, and when it ends",
    description:
      "The stream does not end. With the header `Last-Event-ID` it continues after that request, with what the journal still has.",
    query: [...watchParameters, replay, bodies, progress, changes],
    success: {
      description:
        "Events: `request` with a request, without an id while it is under way; `missed` with the `count` of such events that the client did not get, since it read too slowly, or connected when the journal had lost them; `cleared` when the journal was emptied; `reloaded` when fixtures were loaded again; with `progress=true` also `progress`, with `changes=true` also `changed`. Events of a few milliseconds come together, and a request that has ended by then is sent once. A comment comes every 15 seconds.",
      contentType: "text/event-stream",
      schema: () => liveSchema,
    },
    errors: ["invalid_parameter", "too_many_watchers"],
    answer: watchRequests,
  },
  {
    method: "POST",
    path: "/fixtures/cassettes",
    id: "recordRequests",
    summary: "Writes the requests of the journal into the fixtures folder, as cassettes",
    description:
      "Needs `--watch` on a folder, from which the server then loads all fixtures again. Recordings in cassettes of the same names stay. Secrets are replaced as `backlot record` does.",
    query: listParameters,
    success: {
      status: 201,
      description: "The paths of the files, and what was left out.",
      schema: () => objectOf({ files: listOf(text), remarks: listOf(text) }),
    },
    mistake: "recording_refused",
    errors: ["invalid_parameter", "not_watching"],
    answer: recordRequests,
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
