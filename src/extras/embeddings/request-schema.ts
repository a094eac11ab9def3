import { closedObject, type ObjectKey, required } from "../../core/schema/objects.ts";
import type { Schema } from "../../core/schema/schema.ts";
import {
  nonEmptyArray,
  nonEmptyText,
  number,
  oneOf,
  orMissing,
  text,
} from "../../core/schema/values.ts";
import { maybe } from "../../core/chat/request/message-schemas.ts";
import { mostInputs } from "./errors.ts";

const token = number({ integer: true, least: 0 });

/**
 * Here, `input` must only be present. Wrong values are refused later, since the service has words of its own for them.
 */
const input: Schema<unknown> = {
  check: (value, run) => {
    if (value === null) run.report({ kind: "missing" });
  },
  json: (refer) => ({
    anyOf: [
      refer(nonEmptyText),
      refer(nonEmptyArray(nonEmptyText, mostInputs)),
      refer(nonEmptyArray(token, mostInputs)),
      refer(nonEmptyArray(nonEmptyArray(token), mostInputs)),
    ],
  }),
};

function described<Key extends ObjectKey<unknown, boolean>>(key: Key, description: string): Key {
  return { ...key, description };
}

/** The body of a request for embeddings. */
export const embeddingsBody: Schema<unknown> = closedObject({
  model: described(required(orMissing(text, ["", null])), "An embedding model of the list."),
  input: described(required(input), "A text or several, each as a text or as its tokens."),
  encoding_format: described(
    maybe(oneOf(["float", "base64"])),
    "How vectors are written: as numbers, or as base64 of 32-bit floats. Default: `float`.",
  ),
  dimensions: described(
    maybe(number({ integer: true, least: 1 })),
    "How many numbers of each vector to return. Default: all.",
  ),
  user: described(maybe(text), "Checked, without effect."),
});
