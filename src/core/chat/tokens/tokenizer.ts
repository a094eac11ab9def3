/** How texts are cut into tokens. */
export type TokenizerName = "estimate" | "o200k_base" | "cl100k_base";

/** A part of a text that is sent in one piece. */
export interface TokenPart {
  readonly text: string;
  /** The number of tokens in the part: more than one if tokens split a grapheme. */
  readonly tokens: number;
}

/** Cuts texts into tokens. */
export interface Tokenizer {
  readonly name: TokenizerName;
  readonly count: (text: string) => number;
  /** The tokens' texts in order; joined they are the text. Tokens that would end inside a grapheme are joined. */
  readonly split: (text: string) => readonly string[];
  /** The first parts of a text, with at least a number of tokens; all parts of a shorter text. */
  readonly start: (text: string, tokens: number) => readonly TokenPart[];
}
