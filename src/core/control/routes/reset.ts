import { nonEmptyArray, oneOf } from "../../schema/values.ts";
import { closedObject, optional } from "../../schema/objects.ts";
import { emptyReply } from "../../http/reply.ts";
import { type ResetScope, resetScopes } from "../context.ts";
import { withBody } from "../read-body.ts";
import type { Body, Route } from "../route.ts";

interface ResetInput {
  readonly scope?: readonly ResetScope[];
}

const resetBody: Body<ResetInput> = {
  schema: closedObject({
    scope: optional(nonEmptyArray(oneOf(resetScopes)), "What is reset. Default: everything."),
  }),
  whenMissing: {},
  example: { scope: ["tables", "journal"] },
};

/** Back to the fixtures. */
export const resetRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/reset",
    id: "reset",
    summary: "Goes back to the fixtures",
    description:
      "Without a scope everything goes back: rows, scripts and their counters, the journal, planned faults, ids, chance and rate limits.",
    body: resetBody,
    success: { status: 204, description: "It is done." },
    errors: ["tables_unavailable"],
    answer: ({ call }, context) =>
      withBody(call, resetBody, ({ scope }) => {
        context.reset(scope === undefined ? undefined : [...new Set(scope)]);
        return emptyReply(204);
      }),
  },
];
