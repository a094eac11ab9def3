import type { Script, ScriptReply } from "../../chat/scripts/script.ts";
import { nonEmptyArray, nonEmptyText, oneOf, positiveCount } from "../../schema/values.ts";
import { whenSchema } from "./matcher-format.ts";
import { replySchema } from "./reply-format.ts";
import { closedObject, optional } from "../../schema/objects.ts";
import { type Schema, type SchemaRun, withRule } from "../../schema/schema.ts";

/** A script as written: `reply` or `replies`, and an optional name. */
export interface ScriptInput extends Partial<Omit<Script, "replies">> {
  readonly reply?: ScriptReply;
  readonly replies?: readonly ScriptReply[];
}

const script: Schema<ScriptInput> = closedObject({
  name: optional(nonEmptyText, "A unique name. Default: file name and position."),
  when: optional(whenSchema, "The conditions. All must be true. Default: any request."),
  times: optional(positiveCount, "How many times it matches. Default: always."),
  // Not described here: the JSON Schema references it instead of repeating it.
  reply: optional(replySchema),
  replies: optional(nonEmptyArray(replySchema), "Replies in turn, one per match."),
  after: optional(
    oneOf(["repeat", "cycle", "end"]),
    "After the last of `replies`: repeat the last, start over, or stop matching. Default: `repeat`.",
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
    const message = `Give "reply" or "replies", not both. Make "reply" the first of "replies".`;
    run.refuse(message, "replies");
  }
  if (after !== undefined && replies === undefined) {
    const instead = after === "end" ? `Write "times": 1 instead.` : "Remove it.";
    const message = `"after" needs "replies": it decides what follows the last one. ${instead}`;
    run.refuse(message, "after");
  }
}
