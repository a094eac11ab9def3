import { didYouMean } from "../../errors/nearest-name.ts";
import { emptyReply, jsonReply } from "../../http/reply.ts";
import { showText } from "../../store/json-value.ts";
import { refuse } from "../errors.ts";
import type { Route } from "../route.ts";

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
                lastUsedAt: { type: "string", format: "date-time" },
                requests: { type: "integer" },
              },
              required: ["id", "lastUsedAt", "requests"],
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
        .map(({ id, lastUsedAt, requests }) => ({ id, lastUsedAt, requests }));
      return jsonReply(200, { sessions: list });
    },
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
