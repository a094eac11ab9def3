import type { Script, ScriptReply, When } from "../../chat/scripts/script.ts";
import { nonEmptyArray, nonEmptyText, oneOf, positiveCount } from "../../schema/values.ts";
import { whenSchema } from "./matcher-format.ts";
import { replySchema } from "./reply-format.ts";
import { closedObject, optional } from "../../schema/objects.ts";
import type { Schema } from "../../schema/schema.ts";

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
  check: script.check,
  // `readScripts` says the same with better messages.
  json: (refer) => ({
    ...script.json(refer),
    oneOf: [{ required: ["reply"] }, { required: ["replies"] }],
    anyOf: [{ required: ["replies"] }, { not: { required: ["after"] } }],
  }),
};
