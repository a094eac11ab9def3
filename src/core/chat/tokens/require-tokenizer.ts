import type { TokenizerName } from "./tokenizer.ts";

/**
 * Rejects with `ERR_PACKAGE_MISSING` when fixtures ask for a tokenizer that is not installed, so that the problem shows
 * at the start instead of at the first chat.
 */
export async function requireTokenizer(name: TokenizerName = "estimate"): Promise<void> {
  if (name === "estimate") return;
  const { loadTokenizer } = await import("./load-tokenizer.ts");
  await loadTokenizer(name);
}
