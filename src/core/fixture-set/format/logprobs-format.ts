import type { Logprobs } from "../../chat/scripts/script.ts";
import { closedObject, optional, required } from "../../schema/objects.ts";
import type { Schema } from "../../schema/schema.ts";
import { arrayOf, nullable, number, text } from "../../schema/values.ts";

const byte = number({ whole: true, least: 0, most: 255 });

const tokenKeys = {
  token: required(text, "The token."),
  logprob: required(number({ most: 0 }), "The natural logarithm of its probability."),
  bytes: required(nullable(arrayOf(byte)), "The token's UTF-8, or null."),
};

const tokens = nullable(
  arrayOf(
    closedObject({
      ...tokenKeys,
      top_logprobs: required(
        arrayOf(closedObject(tokenKeys)),
        "The most likely tokens at this place.",
      ),
    }),
  ),
);

/** The probabilities of a choice's tokens. */
export const logprobsSchema: Schema<Partial<Logprobs>> = closedObject({
  content: optional(tokens, "Probabilities of the content's tokens."),
  refusal: optional(tokens, "Probabilities of the refusal's tokens."),
});
