import type { TokenizerName } from "./tokenizer.ts";

/**
 * Rejects with `ERR_PACKAGE_MISSING` where fixtures ask for a tokenizer that is not installed. Otherwise that would only be
 * noticed at the first chat.
 */
export async function requireTokenizer(name: TokenizerName = "estimate"): Promise<void> {
  if (name === "estimate") return;
  const { loadTokenizer } = await import("./load-tokenizer.ts");
  await loadTokenizer(name);
}
