import { cutText } from "./pieces.ts";

/** Beyond this length an estimate by characters is near enough, and much faster. */
const longText = 32_768;

/** Characters of a token of English text, on average. */
const charactersPerToken = 4;

/** About how many tokens a text has: the pieces that a stream `by: "token"` would cut it into. */
export function countTokens(text: string): number {
  if (text.length > longText) return Math.ceil(text.length / charactersPerToken);
  return cutText(text, "token").length;
}
