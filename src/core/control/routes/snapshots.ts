import { didYouMean } from "../../errors/nearest-name.ts";
import { emptyReply, jsonReply, type Reply } from "../../http/reply.ts";
import { showText } from "../../errors/show.ts";
import type { ControlContext } from "../context.ts";
import { refuse } from "../errors.ts";
import type { Parameter, Route } from "../route.ts";

const name: Parameter = {
  name: "name",
  description: "The snapshot's name.",
  schema: { type: "string", minLength: 1, maxLength: 200 },
};

/** The refusal of a name that no snapshot has; undefined where one has it. */
export function refuseUnknownSnapshot(
  unknown: string,
  { snapshots }: Pick<ControlContext, "snapshots">,
): Reply | undefined {
  const names = snapshots.list().map((known) => known.name);
  if (names.includes(unknown)) return undefined;
  return refuse("unknown_snapshot", {
    message:
      `Cannot use the snapshot ${showText(unknown)}: there is none of that name.${didYouMean(unknown, names)}` +
      " Snapshots are gone when fixtures are loaded anew.",
  });
}

/** Snapshots that have a name. */
export const snapshotRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/snapshots",
    id: "listSnapshots",
    summary: "Lists the snapshots, which all sessions share",
    success: {
      status: 200,
      description: "All of them, in the order in which they were taken.",
      schema: () => ({
        type: "object",
        properties: {
          snapshots: {
            type: "array",
            items: {
              type: "object",
              properties: {
                name: { type: "string" },
                at: { type: "string", format: "date-time" },
                tables: { type: "integer" },
                rows: { type: "integer", description: "In all tables together." },
              },
              required: ["name", "at", "tables", "rows"],
            },
          },
        },
        required: ["snapshots"],
      }),
    },
    errors: ["tables_unavailable"],
    answer: (_, { snapshots }) => jsonReply(200, { snapshots: snapshots.list() }),
  },
  {
    method: "PUT",
    path: "/snapshots/{name}",
    id: "putSnapshot",
    summary: "Takes a snapshot of the session, in place of one that has the name",
    description:
      "There can be 100. They are gone when fixtures are loaded anew. The journal is not part of them.",
    name,
    success: { status: 204, description: "It is done." },
    mistake: "snapshot_refused",
    errors: ["tables_unavailable"],
    answer: ({ name: given }, { snapshots }) => {
      snapshots.take(given);
      return emptyReply(204);
    },
  },
  {
    method: "POST",
    path: "/snapshots/{name}/restore",
    id: "restoreSnapshot",
    summary: "Takes the session back to a snapshot",
    name,
    success: { status: 204, description: "It is done." },
    errors: ["unknown_snapshot", "tables_unavailable"],
    answer: ({ name: given }, context) => {
      const missing = refuseUnknownSnapshot(given, context);
      if (missing !== undefined) return missing;
      context.snapshots.restore(given);
      return emptyReply(204);
    },
  },
  {
    method: "DELETE",
    path: "/snapshots/{name}",
    id: "removeSnapshot",
    summary: "Forgets a snapshot",
    name,
    success: { status: 204, description: "It is done." },
    errors: ["unknown_snapshot", "tables_unavailable"],
    answer: ({ name: given }, context) => {
      const missing = refuseUnknownSnapshot(given, context);
      if (missing !== undefined) return missing;
      context.snapshots.remove(given);
      return emptyReply(204);
    },
  },
];
