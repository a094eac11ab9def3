import type { ChatError } from "../../core/chat/errors.ts";
import type { TokenizerName } from "../../core/chat/tokens/tokenizer.ts";
import { failed, ok, type Result } from "../../core/errors/result.ts";
import { embeddingErrors } from "./errors.ts";
import type { Inputs } from "./read-inputs.ts";

/** The encoding of OpenAI's embedding models, for fixtures that name none. */
const usualEncoding = "cl100k_base";

/**
 * The texts of a request. Tokens are turned back into their text, so that a text has the same vector either way. This
 * loads the encoding, which a worker does not have.
 */
export async function textsOfTokens(
  { items }: Inputs,
  tokenizer: TokenizerName,
): Promise<Result<readonly string[], ChatError>> {
  if (items.every((item) => typeof item === "string")) return ok(items);
  const read = await loadReader(tokenizer === "estimate" ? usualEncoding : tokenizer);
  if (read === undefined) return failed(embeddingErrors.noEncoding());
  const texts: string[] = [];
  for (const item of items) {
    const text = typeof item === "string" ? item : read(item);
    if (typeof text === "number") return failed(embeddingErrors.noSuchToken(text));
    texts.push(text);
  }
  return ok(texts);
}

async function loadReader(
  encoding: Exclude<TokenizerName, "estimate">,
): Promise<((tokens: readonly number[]) => string | number) | undefined> {
  try {
    const { loadTokenReader } = await import("../../core/chat/tokens/bpe-tokenizer.ts");
    return await loadTokenReader(encoding);
  } catch {
    return undefined;
  }
}
