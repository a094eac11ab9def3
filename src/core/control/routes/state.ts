import { exportState, profilesOf } from "../../emulator/state/export-state.ts";
import { importState } from "../../emulator/state/import-state.ts";
import type { Session } from "../../emulator/session.ts";
import type { Snapshot } from "../../emulator/state.ts";
import { jsonFilePieces, jsonPieces, jsonPiecesReply } from "../../http/json-pieces.ts";
import { stateDocument } from "../../schema/openapi.ts";
import { objectBody, withBody, type ControlRoute, done } from "../read-call.ts";
import { nonEmptyArray, oneOf } from "../../schema/values.ts";
import { closedObject, optional } from "../../schema/objects.ts";

const stateBody = objectBody(() => stateDocument, {
  tables: { users: [{ id: 1, name: "Ada" }] },
});

/** The parts of a state that can be reset separately. */
const resetScopes = ["tables", "chats", "journal", "faults"] as const;
export type ResetScope = (typeof resetScopes)[number];

const resetBody = {
  schema: closedObject({
    scope: optional(nonEmptyArray(oneOf(resetScopes)), "What to reset. Default: everything."),
  }),
  whenMissing: {},
  example: { scope: ["tables", "journal"] },
};

/** Resets parts of a session to the fixtures. */
function resetParts(session: Session, pristine: Snapshot, parts: ReadonlySet<ResetScope>): void {
  const { state, journal } = session;
  if (session.isImported && (parts.has("tables") || parts.has("chats"))) {
    // An imported state may have other tables, so everything but its faults is reset.
    session.resetState(pristine);
  } else {
    if (parts.has("tables")) state.database.restore(pristine.tables);
    if (parts.has("chats")) state.scripts.restore(pristine.chats);
  }
  session.state.faults.restore(parts.has("faults") ? pristine.faults : state.faults.snapshot());
  if (parts.has("journal")) journal.clear();
}

/** Exports, imports and resets the whole state. */
export const stateRoutes: readonly ControlRoute[] = [
  {
    method: "POST",
    path: "/reset",
    id: "reset",
    summary: "Resets to the fixtures",
    description:
      "Without a scope it resets everything: rows, scripts and their counters, the journal, planned faults, ids, random numbers and rate limits.",
    body: resetBody,
    success: done,
    needsTables: true,
    answer: (request, scene) =>
      withBody(request, resetBody, ({ scope }) => {
        const { pristine } = scene.setup;
        if (scope === undefined) scene.session.reset(pristine);
        else resetParts(scene.session, pristine, new Set(scope));
      }),
  },
  {
    method: "GET",
    path: "/state",
    id: "getState",
    summary: "Returns the state as one fixture document",
    description:
      "The document has models, tables and scripts, and under `state` counters, next ids, clock and seed. There are no keys, tokens or journal in it.",
    success: {
      description: "The document. PUT restores the same state from it.",
      schema: () => stateDocument,
    },
    query: [
      {
        name: "indent",
        description: "Spaces for each level, as in a file that people read.",
        schema: { type: "string", enum: ["2"] },
      },
    ],
    mistake: "export_refused",
    needsTables: true,
    answer: ({ query }, { session, setup }) => {
      const state = exportState(session, profilesOf(setup.settings));
      return jsonPiecesReply(query.has("indent") ? jsonFilePieces(state) : jsonPieces(state));
    },
  },
  {
    method: "PUT",
    path: "/state",
    id: "putState",
    summary: "Replaces the state with that of a fixture document",
    description: "The next reset goes back to the fixtures. The journal stays.",
    body: stateBody,
    success: done,
    mistake: "state_refused",
    needsTables: true,
    answer: (request, scene) =>
      withBody(request, stateBody, async (state) => {
        const { settings } = scene.setup;
        await importState(scene.session, state, {
          storage: settings.tablesProfile.storage,
          profiles: profilesOf(settings),
        });
      }),
  },
];
