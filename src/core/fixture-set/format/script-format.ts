import type { Script, ScriptReply, When } from "../../chat/scripts/script.ts";
import { nonEmptyArray, nonEmptyText, oneOf, positiveCount } from "../../schema/values.ts";
import { whenSchema } from "./matcher-format.ts";
import { replySchema } from "./reply-format.ts";
import { closedObject, optional } from "../../schema/objects.ts";
import { type Schema, type SchemaRun, withRule } from "../../schema/schema.ts";

/** A script as it is written: one `reply` or several `replies`, and a name that may be left out. */
export interface ScriptInput {
  readonly name?: string;
  readonly when?: When;
  readonly times?: number;
  readonly reply?: ScriptReply;
  readonly replies?: readonly ScriptReply[];
  readonly after?: Exclude<Script["after"], undefined>;
}

const script: Schema<ScriptInput> = closedObject({
  name: optional(nonEmptyText, "Unique. Default: after the file and the place in it."),
  when: optional(whenSchema, "All that are given must hold. Default: any request."),
  times: optional(positiveCount, "How many times it matches; then it no longer does."),
  // Not described here, so that the JSON Schema refers to it and does not repeat it.
  reply: optional(replySchema),
  replies: optional(nonEmptyArray(replySchema), "The n-th match gets the n-th of these."),
  after: optional(
    oneOf(["repeat", "cycle", "end"]),
    "What follows the last of `replies`: the last again, the first, or no match. Default: `repeat`.",
  ),
});

/** A chat script. */
export const scriptSchema: Schema<ScriptInput> = {
  check: withRule(script, checkReplies).check,
  json: (refer) => ({
    ...script.json(refer),
    oneOf: [{ required: ["reply"] }, { required: ["replies"] }],
    anyOf: [{ required: ["replies"] }, { not: { required: ["after"] } }],
  }),
};

function checkReplies({ reply, replies, after }: ScriptInput, run: SchemaRun): void {
  if (reply === undefined && replies === undefined) {
    run.refuse(`A script needs "reply", or several "replies".`);
  }
  if (reply !== undefined && replies !== undefined) {
    const message = `"reply" and "replies" cannot both be given. Make "reply" the first of "replies".`;
    run.refuse(message, "replies");
  }
  if (after !== undefined && replies === undefined) {
    const instead = after === "end" ? `Say "times": 1 instead.` : "Remove it.";
    const message = `"after" says what follows the last of "replies", but there are none. ${instead}`;
    run.refuse(message, "after");
  }
}
