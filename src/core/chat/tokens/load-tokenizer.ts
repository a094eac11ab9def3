import { estimateTokenizer } from "./pieces.ts";
import type { Tokenizer, TokenizerName } from "./tokenizer.ts";

const encodings = new Map<TokenizerName, Promise<Tokenizer>>();

/**
 * The tokenizer of a name. Real encodings, which have some megabytes, are loaded on first use. Rejects with
 * `ERR_PACKAGE_MISSING` if their package is not installed.
 */
export async function loadTokenizer(name: TokenizerName): Promise<Tokenizer> {
  if (name === "estimate") return estimateTokenizer;
  const known = encodings.get(name);
  if (known !== undefined) return known;
  const loading = import("./bpe-tokenizer.ts").then((room) => room.loadBpeTokenizer(name));
  encodings.set(name, loading);
  return loading;
}
