import { failed, ok, type Result } from "../../errors/result.ts";
import { didYouMean } from "../../errors/nearest-name.ts";
import { emptyReply, jsonReply, type Reply } from "../../http/reply.ts";
import { showText } from "../../errors/show.ts";
import { version } from "../../emulator/version.ts";
import { refuse } from "../errors.ts";
import { harOf } from "../har.ts";
import {
  filterJournal,
  journalParameters,
  readSelection,
  selectionParameters,
} from "../journal-filter.ts";
import type { KeptRequest } from "../../emulator/journal/entry.ts";
import { playRequests } from "../live-requests.ts";
import { liveSchema, requestsSchema } from "../openapi/journal.ts";
import type { ControlRequest, ControlScene, Parameter, ControlRoute } from "../route.ts";

const formats: readonly string[] = ["json", "har"];
const switches: readonly string[] = ["true", "false"];

const format: Parameter = {
  name: "format",
  description: "`har`: as an HTTP archive (HAR 1.2). Default `json`.",
  schema: { type: "string", enum: formats },
};

const replay: Parameter = {
  name: "replay",
  description:
    "`true`: what the journal has comes first; with `since`, what it has from there. Default: `true` with `since`, else `false`.",
  schema: { type: "string", enum: switches },
};

/** One of the values that a parameter can have, or the first of them. */
function choose(
  { name }: Parameter,
  query: ControlRequest["query"],
  values: readonly string[],
): Result<string | undefined, Reply> {
  const value = query.get(name);
  if (value === undefined || values.includes(value)) return ok(value);
  const advice = didYouMean(value, values) || ` Use ${values.join(", ")}.`;
  const message = `Cannot use the parameter ${name}: ${showText(value)} is none of its values.${advice}`;
  return failed(refuse("invalid_parameter", { message }));
}

function listRequests({ query }: ControlRequest, { session }: ControlScene): Reply {
  const { journal } = session;
  const chosen = choose(format, query, formats);
  if (!chosen.ok) return chosen.error;
  const requests = filterJournal(journal.kept(), query);
  if (!requests.ok) return requests.error;
  if (chosen.value === "har") return jsonReply(200, harOf(requests.value, version));
  const entries = requests.value.map((request) => request.read());
  return jsonReply(200, { beganAt: new Date(session.beganAt).toISOString(), requests: entries });
}

function watchRequests(
  { call, query }: ControlRequest,
  { session: { journal }, timers }: ControlScene,
): Reply {
  const kept = journal.kept();
  const selection = readSelection(kept, query);
  if (!selection.ok) return selection.error;
  const replays = choose(replay, query, switches);
  if (!replays.ok) return replays.error;
  const last = readLastId(call.headers["last-event-id"]);
  if (!last.ok) return last.error;
  const { fits, after } = selection.value;
  const isReplayed = (replays.value ?? String(query.has("since"))) === "true";
  const start = last.value ?? (isReplayed ? startOf(kept, after) : undefined);
  const resumes = last.value !== undefined;
  return {
    status: 200,
    headers: { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" },
    body: {
      kind: "live",
      play: (sink) =>
        playRequests(sink, {
          watch: (watcher) => journal.watch(watcher),
          timers,
          fits,
          after: start,
          resumes,
        }),
    },
  };
}

/** The number after which a replay begins. Undefined: with what comes, since nothing is kept. */
function startOf([first]: readonly KeptRequest[], after: number): number | undefined {
  return first === undefined ? undefined : Math.max(after, first.number - 1);
}

/** What an `EventSource` tells when it connects again. It goes before the address, which is the same each time. */
function readLastId(id: string | undefined): Result<number | undefined, Reply> {
  if (id === undefined || id === "") return ok(undefined);
  if (/^\d{1,15}$/.test(id)) return ok(Number(id));
  const message = `Cannot go on after the Last-Event-ID ${showText(id)}: no request has such an id. Leave it out.`;
  return failed(refuse("invalid_parameter", { message }));
}

/** The journal. */
export const requestRoutes: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "/requests",
    id: "listRequests",
    summary: "Lists what was asked and answered, oldest first",
    description:
      "In the order in which the requests ended: a reply that takes its time comes after those that were asked later and answered sooner.",
    query: [...journalParameters, format],
    success: {
      status: 200,
      description: "The requests. Keys and tokens in their headers and queries are redacted.",
      schema: () => requestsSchema,
    },
    errors: ["invalid_parameter"],
    answer: listRequests,
  },
  {
    method: "GET",
    path: "/requests/live",
    id: "watchRequests",
    summary: "Tells what is asked and answered, as server-sent events",
    description:
      "Without end. With the header `Last-Event-ID` it goes on behind that request, with what the journal still has.",
    query: [...selectionParameters, replay],
    success: {
      status: 200,
      description:
        "Events: `request` with a request; `dropped` with the `count` of requests that the journal lost before the client read them, filters aside; `cleared` when the journal was emptied. A comment comes every 15 seconds.",
      contentType: "text/event-stream",
      schema: () => liveSchema,
    },
    errors: ["invalid_parameter"],
    answer: watchRequests,
  },
  {
    method: "DELETE",
    path: "/requests",
    id: "clearRequests",
    summary: "Empties the journal",
    success: { status: 204, description: "It is done." },
    errors: [],
    answer: (_, { session }) => {
      session.journal.clear();
      return emptyReply(204);
    },
  },
];
