/** What texts are cut into tokens by. */
export type TokenizerName = "estimate" | "o200k_base" | "cl100k_base";

/** A part of a text that is sent as one. */
export interface TokenPart {
  readonly text: string;
  /** How many tokens it has: more than one where tokens split a grapheme. */
  readonly tokens: number;
}

/** Cuts texts into tokens. */
export interface Tokenizer {
  readonly name: TokenizerName;
  readonly count: (text: string) => number;
  /** The tokens' texts, in order; joined they are the text. None ends inside a grapheme: such tokens come as one. */
  readonly split: (text: string) => readonly string[];
  /** The parts at the start of a text that have so many tokens together, or a few more; all, where it has fewer. */
  readonly start: (text: string, tokens: number) => readonly TokenPart[];
}
