import { didYouMean } from "../../errors/nearest-name.ts";
import { closedObject, optional } from "../../schema/objects.ts";
import { nonEmptyText, wholeNumber } from "../../schema/values.ts";
import { timeOf, timeText } from "../../fixture-set/format/time-format.ts";
import { emptyReply, jsonReply } from "../../http/reply.ts";
import { showText } from "../../errors/show.ts";
import { refuse } from "../errors.ts";
import { withBody } from "../read-body.ts";
import type { Body, Route } from "../route.ts";
import { refuseUnknownSnapshot } from "./snapshots.ts";

interface SessionInput {
  readonly from?: string;
  readonly clock?: string;
  readonly seed?: number;
}

const sessionBody: Body<SessionInput> = {
  schema: closedObject({
    from: optional(nonEmptyText, "The name of a snapshot. Default: as the base session is now."),
    clock: optional(timeText, "The time at which its clock stands. Default: as there."),
    seed: optional(wholeNumber, "What its random numbers begin from. Default: as there."),
  }),
  whenMissing: {},
  example: { from: "seeded", clock: "2024-01-01T00:00:00Z", seed: 1 },
};

/** Which sessions there are. */
export const sessionRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/sessions",
    id: "listSessions",
    summary: "Lists the sessions, whichever of them is asked",
    success: {
      status: 200,
      description: "All sessions but the base one.",
      schema: () => ({
        type: "object",
        properties: {
          sessions: {
            type: "array",
            items: {
              type: "object",
              properties: {
                id: { type: "string" },
                beganAt: {
                  type: "string",
                  format: "date-time",
                  description: "When it was made, or made anew.",
                },
                lastUsedAt: { type: "string", format: "date-time" },
                requests: { type: "integer" },
              },
              required: ["id", "beganAt", "lastUsedAt", "requests"],
            },
          },
        },
        required: ["sessions"],
      }),
    },
    errors: [],
    answer: (_, { sessions }) => {
      const list = sessions
        .list()
        .map(({ id, beganAt, lastUsedAt, requests }) => ({ id, beganAt, lastUsedAt, requests }));
      return jsonReply(200, { sessions: list });
    },
  },
  {
    method: "PUT",
    path: "/sessions/{id}",
    id: "putSession",
    summary: "Begins a session, in place of one that has the id",
    description:
      "As the base session is now, or as a snapshot is; with a clock and a seed of its own.",
    name: { name: "id", description: "The session's id.", schema: { type: "string" } },
    body: sessionBody,
    success: { status: 204, description: "It is done." },
    mistake: "session_refused",
    errors: ["unknown_snapshot"],
    answer: ({ call, name: id }, context) =>
      withBody(call, sessionBody, ({ from, clock, seed }) => {
        const missing = from === undefined ? undefined : refuseUnknownSnapshot(from, context);
        if (missing !== undefined) return missing;
        const time = clock === undefined ? undefined : timeOf(clock);
        context.sessions.begin(id, { from, clock: time, seed });
        return emptyReply(204);
      }),
  },
  {
    method: "DELETE",
    path: "/sessions/{id}",
    id: "removeSession",
    summary: "Forgets a session; the next request that names it begins a new one",
    name: { name: "id", description: "The session's id.", schema: { type: "string" } },
    success: { status: 204, description: "It is done." },
    errors: ["unknown_session"],
    answer: ({ name: id }, { sessions }) => {
      if (sessions.remove(id)) return emptyReply(204);
      const ids = sessions.list().map((session) => session.id);
      return refuse("unknown_session", {
        message: `Cannot remove the session ${showText(id)}: there is none of that id.${didYouMean(id, ids)}`,
      });
    },
  },
];
