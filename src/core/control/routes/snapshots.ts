import type { NamedSnapshot } from "../../emulator/named-snapshots.ts";
import { jsonReply } from "../../http/reply.ts";
import { count, listOf, objectOf, text, time } from "../../schema/openapi.ts";
import { type ControlRoute, done, type Parameter } from "../read-call.ts";

const name: Parameter = {
  name: "name",
  description: "The snapshot's name.",
  schema: { type: "string", minLength: 1, maxLength: 200 },
  example: "seeded",
};

/** A named snapshot, as listed. */
export interface SnapshotEntry {
  readonly name: string;
  /** An ISO time, by the emulator's clock. */
  readonly at: string;
  readonly tables: number;
  /** The number of rows in all tables. */
  readonly rows: number;
}

function snapshotEntry({ name: given, at, snapshot }: NamedSnapshot): SnapshotEntry {
  const tables = [...snapshot.tables.tables.values()];
  const rows = tables.reduce((sum, table) => sum + table.rows.size, 0);
  return { name: given, at: new Date(at).toISOString(), tables: tables.length, rows };
}

/** The snapshots, which all sessions share. */
export const snapshotRoutes: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "/snapshots",
    id: "listSnapshots",
    summary: "Lists the snapshots, which all sessions share",
    success: {
      description: "All snapshots, in the order in which they were taken.",
      schema: () =>
        objectOf({
          snapshots: listOf(
            objectOf({
              name: text,
              at: time,
              tables: count,
              rows: { ...count, description: "Of all tables." },
            }),
          ),
        }),
    },
    needsTables: true,
    answer: (_, { setup }) =>
      jsonReply(200, { snapshots: setup.snapshots.list().map(snapshotEntry) }),
  },
  {
    method: "PUT",
    path: "/snapshots/{name}",
    id: "putSnapshot",
    summary: "Takes a snapshot of the session, and replaces one of the same name",
    description:
      "There can be 100 snapshots. Reloading the fixtures removes them. A snapshot does not contain the journal.",
    name,
    success: done,
    mistake: "snapshot_refused",
    needsTables: true,
    answer: ({ name: given }, scene) => {
      scene.setup.snapshots.keep(given, () => scene.session.snapshot());
    },
  },
  {
    method: "POST",
    path: "/snapshots/{name}/restore",
    id: "restoreSnapshot",
    summary: "Restores a snapshot in the session",
    name,
    success: done,
    needsTables: true,
    mistake: "unknown_snapshot",
    answer: ({ name: given }, { session, setup: { snapshots } }) =>
      session.restore(snapshots.get(given)),
  },
  {
    method: "DELETE",
    path: "/snapshots/{name}",
    id: "removeSnapshot",
    summary: "Removes a snapshot",
    name,
    success: done,
    needsTables: true,
    mistake: "unknown_snapshot",
    answer: ({ name: given }, { setup: { snapshots } }) => {
      // Throws if there is no snapshot with this name.
      snapshots.get(given);
      snapshots.delete(given);
    },
  },
];
