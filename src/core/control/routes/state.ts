import type { Schema } from "../../schema/schema.ts";
import { isObject } from "../../schema/json.ts";
import { andThen } from "../../http/maybe-promise.ts";
import { emptyReply, jsonReply } from "../../http/reply.ts";
import type { JsonObject } from "../context.ts";
import { stateDocument } from "../openapi/components.ts";
import { withBody } from "../read-body.ts";
import type { Body, Route } from "../route.ts";

/** Only that it is an object: the rest is for the reader of fixtures to say, which has better messages. */
const document: Schema<JsonObject> = {
  check: (value, run) => {
    if (!isObject(value)) run.mustBe("an object", value);
  },
  json: () => stateDocument,
};

const stateBody: Body<JsonObject> = {
  schema: document,
  whenMissing: undefined,
  example: { tables: { users: [{ id: 1, name: "Ada" }] } },
};

/** What of a fixture document opens doors. Nobody needs it in an export, which is kept and shown. */
const secretKeys = ["AUTHORIZATION_TOKEN", "apiKeys"];

function withoutSecrets(state: object): object {
  return Object.fromEntries(Object.entries(state).filter(([key]) => !secretKeys.includes(key)));
}

/** The whole state, out and in. */
export const stateRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/state",
    id: "getState",
    summary: "Gives the state as one fixture document",
    description:
      "Models, tables and scripts, and under `state` counters, next ids, clock and seed. It has no keys and tokens, and not the journal.",
    success: {
      status: 200,
      description: "The document. Given to PUT, the state is this one again.",
      schema: () => stateDocument,
    },
    mistake: "export_refused",
    errors: ["tables_unavailable"],
    answer: (_, context) =>
      andThen(context.exportState(), (state) => jsonReply(200, withoutSecrets(state))),
  },
  {
    method: "PUT",
    path: "/state",
    id: "putState",
    summary: "Makes the state what a fixture document says",
    description: "Until the next reset, which goes back to the fixtures. The journal stays.",
    body: stateBody,
    success: { status: 204, description: "It is done." },
    mistake: "state_refused",
    errors: ["tables_unavailable"],
    answer: ({ call }, context) =>
      withBody(call, stateBody, async (state) => {
        await context.importState(state);
        return emptyReply(204);
      }),
  },
];
