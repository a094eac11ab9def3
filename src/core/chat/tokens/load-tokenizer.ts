import { estimateTokenizer, type Tokenizer, type TokenizerName } from "./tokenizer.ts";

let loaded: Promise<typeof import("./bpe-tokenizer.ts")> | undefined;
const encodings = new Map<TokenizerName, Tokenizer>();

/** The tokenizer of that name. Real encodings, some megabytes of tokens, are loaded when first needed. */
export function loadTokenizer(name: TokenizerName): Tokenizer | Promise<Tokenizer> {
  if (name === "estimate") return estimateTokenizer;
  return encodings.get(name) ?? loadEncoding(name);
}

async function loadEncoding(name: Exclude<TokenizerName, "estimate">): Promise<Tokenizer> {
  loaded ??= import("./bpe-tokenizer.ts");
  const tokenizer = await (await loaded).loadBpeTokenizer(name);
  encodings.set(name, tokenizer);
  return tokenizer;
}
