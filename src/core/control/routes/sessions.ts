import { didYouMean, showText } from "../../errors/show.ts";
import { jsonReply } from "../../http/reply.ts";
import type { Session } from "../../emulator/session.ts";
import { checkedSessionId } from "../../emulator/routes.ts";
import type { Snapshot } from "../../emulator/state.ts";
import { refuse, refuseMistake } from "../errors.ts";
import { count, listOf, objectOf, text, time } from "../../schema/openapi.ts";
import { type ControlRoute, done, type Parameter, withBody } from "../read-call.ts";
import { closedObject, optional } from "../../schema/objects.ts";
import { nonEmptyText, wholeNumber } from "../../schema/values.ts";
import { timeOf, timeText } from "../../schema/time.ts";

const sessionId: Parameter = { name: "id", description: "The session's id.", example: "test-1" };

/** A session, as listed. */
export interface SessionEntry {
  readonly id: string;
  /** When it started, or started over. An ISO time, by the emulator's clock. */
  readonly beganAt: string;
  /** An ISO time, by the emulator's clock. */
  readonly lastUsedAt: string;
  readonly requests: number;
}

function sessionEntry({ id = "", beganAt, lastUsedAt, journal }: Session): SessionEntry {
  return {
    id,
    beganAt: isoTime(beganAt),
    lastUsedAt: isoTime(lastUsedAt),
    requests: journal.count,
  };
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}

const sessionBody = {
  schema: closedObject({
    from: optional(nonEmptyText, "The name of a snapshot. Default: the base session as it is now."),
    clock: optional(
      timeText,
      "The time at which the session's clock stands still. Default: as in `from`.",
    ),
    seed: optional(wholeNumber, "The seed of the random numbers. Default: as in `from`."),
  }),
  whenMissing: {},
  example: { from: "seeded", clock: "2024-01-01T00:00:00Z", seed: 1 },
};

/** The sessions. */
export const sessionRoutes: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "/sessions",
    id: "listSessions",
    summary: "Lists all sessions, whichever session you ask",
    success: {
      description: "All sessions except the base session.",
      schema: () =>
        objectOf({
          sessions: listOf(
            objectOf({
              id: text,
              beganAt: { ...time, description: "When it started, or started over." },
              lastUsedAt: time,
              requests: count,
            }),
          ),
        }),
    },
    answer: (_, { setup }) => jsonReply(200, { sessions: setup.sessions.list().map(sessionEntry) }),
  },
  {
    method: "PUT",
    path: "/sessions/{id}",
    id: "putSession",
    summary: "Starts a session, and replaces one of the same id",
    description:
      "The session starts as a copy of the base session, or from a snapshot. It can have its own clock and seed.",
    name: sessionId,
    body: sessionBody,
    success: done,
    mistake: "session_refused",
    errors: ["unknown_snapshot"],
    answer: (request, scene) =>
      withBody(request, sessionBody, ({ from: snapshot, clock, seed }) => {
        const { sessions, snapshots } = scene.setup;
        let from: Snapshot | undefined;
        try {
          from = snapshot === undefined ? undefined : snapshots.get(snapshot);
        } catch (error) {
          return refuseMistake("unknown_snapshot", error);
        }
        const standsAt = clock === undefined ? undefined : timeOf(clock);
        sessions.begin(checkedSessionId(request.name), { from, clock: standsAt, seed });
        return undefined;
      }),
  },
  {
    method: "DELETE",
    path: "/sessions/{id}",
    id: "removeSession",
    summary: "Forgets a session; the next request that names it starts a new one",
    name: sessionId,
    success: done,
    errors: ["unknown_session"],
    answer: ({ name: id }, { setup: { sessions } }) => {
      if (sessions.delete(id)) return undefined;
      const ids = sessions.list().map((session) => session.id ?? "");
      return refuse("unknown_session", {
        message: `Cannot remove the session ${showText(id)}: there is none of that id.${didYouMean(id, ids)}`,
      });
    },
  },
];
