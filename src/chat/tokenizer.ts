/** What texts are cut into tokens by. */
export type TokenizerName = "estimate" | "o200k_base" | "cl100k_base";

/** Cuts texts into tokens. */
export interface Tokenizer {
  readonly name: TokenizerName;
  readonly count: (text: string) => number;
  /** The tokens' texts, in order; joined they are the text. None ends inside a grapheme: such tokens come as one. */
  readonly split: (text: string) => readonly string[];
}
