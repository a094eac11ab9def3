import { EmulatorError } from "../../errors/emulator-error.ts";
import { exactStart, mostExact } from "./exact-limit.ts";
import { estimateTokenizer, graphemes, isAscii } from "./pieces.ts";
import type { Tokenizer, TokenizerName, TokenPart } from "./tokenizer.ts";

/** The used part of a gpt-tokenizer encoding. */
interface Encoding {
  readonly encode: (text: string, options: EncodeOptions) => readonly number[];
  readonly countTokens: (text: string, options: EncodeOptions) => number;
}

interface EncodeOptions {
  readonly disallowedSpecial: Set<string>;
}

/** A token's text, or its bytes if they are part of a character. */
type TokenText = string | readonly number[];

/** Names of special tokens are plain text, as in messages to the real service. */
const asText: EncodeOptions = { disallowedSpecial: new Set() };

/**
 * Loads an encoding of the real service. Its tokens are the same, except in endless runs without a break, and beyond
 * the first 100,000 characters of a text, where they are estimated.
 */
export async function loadBpeTokenizer(
  name: Exclude<TokenizerName, "estimate">,
): Promise<Tokenizer> {
  const [encoding, { default: texts }] = await importEncoding(name);
  const count = (text: string): number => {
    const [exact, rest] = exactStart(text, mostExact);
    let tokens = estimateTokenizer.count(rest);
    for (const part of withoutEndlessRuns(exact)) tokens += encoding.countTokens(part, asText);
    return tokens;
  };
  const parts = (text: string): readonly TokenPart[] => {
    const [exact, rest] = exactStart(text, mostExact);
    const ids = withoutEndlessRuns(exact).flatMap((part) => encoding.encode(part, asText));
    const known = partsOf(
      exact,
      ids.map((id) => texts[id] ?? ""),
    );
    const estimated = estimateTokenizer.split(rest).map((part) => ({ text: part, tokens: 1 }));
    return estimated.length === 0 ? known : [...known, ...estimated];
  };
  return {
    name,
    count,
    split: (text) => parts(text).map((part) => part.text),
    start: (text, tokens) => startOf(text, tokens, parts),
  };
}

/**
 * Makes a function that turns tokens into their text. It returns a number if the encoding lacks a token: the first such
 * token.
 */
export async function loadTokenReader(
  name: Exclude<TokenizerName, "estimate">,
): Promise<(tokens: readonly number[]) => string | number> {
  const [, { default: texts }] = await importEncoding(name);
  const encoder = new TextEncoder();
  return (tokens) => {
    const unknown = tokens.find((token) => texts[token] === undefined);
    if (unknown !== undefined) return unknown;
    const bytes = tokens.flatMap((token) => {
      const text = texts[token] ?? "";
      return typeof text === "string" ? [...encoder.encode(text)] : text;
    });
    return new TextDecoder().decode(Uint8Array.from(bytes));
  };
}

type Loaded = readonly [Encoding, { readonly default: readonly TokenText[] }];

/**
 * Loads a vocabulary. Vocabularies take megabytes and few need them, so users who do install their package. Bundlers
 * are told to skip this import, since a page without the package could not be built otherwise.
 */
async function importEncoding(name: Exclude<TokenizerName, "estimate">): Promise<Loaded> {
  const load = (path: string): Promise<unknown> => {
    const module = `gpt-tokenizer/${path}/${name}`;
    return import(/* @vite-ignore */ /* webpackIgnore: true */ module);
  };
  try {
    return (await Promise.all([load("encoding"), load("bpeRanks")])) as unknown as Loaded;
  } catch (cause) {
    throw new EmulatorError(
      "ERR_PACKAGE_MISSING",
      `Cannot use the tokenizer "${name}": the package gpt-tokenizer could not be loaded. ` +
        'Install it: npm install --save-dev gpt-tokenizer. Or use the tokenizer "estimate".',
      { cause },
    );
  }
}

/**
 * Unbroken runs that are cut, since the library's time grows with the square of their length. Real words are shorter.
 */
const endlessRun = /[\p{L}\p{M}]{256}|[^\s\p{L}\p{N}]{256}|\s{256}/gu;

/** Splits endless runs of a text. Real texts stay whole. */
function withoutEndlessRuns(text: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { index, 0: run } of text.length < 256 ? [] : text.matchAll(endlessRun)) {
    parts.push(text.slice(start, index + run.length));
    start = index + run.length;
  }
  if (start < text.length) parts.push(start === 0 ? text : text.slice(start));
  return parts;
}

/**
 * How many characters are cut into tokens to get the first ones. Tokens have some four characters; near the end of a
 * window they may differ from those of the whole text.
 */
const window = { perToken: 8, margin: 600 };

function startOf(
  text: string,
  tokens: number,
  parts: (text: string) => readonly TokenPart[],
): readonly TokenPart[] {
  const length = tokens * window.perToken + 2 * window.margin;
  if (length < text.length) {
    const first = upTo(parts(text.slice(0, length)), tokens);
    const end = first.reduce((total, part) => total + part.text.length, 0);
    if (end <= length - window.margin) return first;
  }
  return upTo(parts(text), tokens);
}

/** The first parts, up to a number of tokens. */
function upTo(parts: readonly TokenPart[], most: number): readonly TokenPart[] {
  let tokens = 0;
  const beyond = parts.findIndex((part) => {
    const enough = tokens >= most;
    tokens += part.tokens;
    return enough;
  });
  return beyond === -1 ? parts : parts.slice(0, beyond);
}

/** The tokens of a text. Tokens that split a grapheme are joined. */
function partsOf(text: string, tokens: readonly TokenText[]): readonly TokenPart[] {
  const parts: TokenPart[] = [];
  const isBorder = borderTest(text);
  const position = { end: 0, missing: 0 };
  let start = 0;
  let held = 0;
  for (const token of tokens) {
    advance(position, token);
    held++;
    if (position.missing > 0 || !isBorder(position.end)) continue;
    parts.push({ text: text.slice(start, position.end), tokens: held });
    start = position.end;
    held = 0;
  }
  return parts;
}

/** How far tokens reach into a text, and how many bytes of the character there are still missing. */
interface Position {
  end: number;
  missing: number;
}

function advance(position: Position, token: TokenText): void {
  if (typeof token === "string") {
    position.end += token.length;
    return;
  }
  for (const byte of token) {
    if (byte >> 6 === 0b10) {
      position.missing--;
      continue;
    }
    position.missing = bytesAfter(byte);
    position.end += byte >= 0xf0 ? 2 : 1;
  }
}

/** How many bytes follow the first byte of a character in UTF-8. */
function bytesAfter(first: number): number {
  if (first >= 0xf0) return 3;
  if (first >= 0xe0) return 2;
  return first >= 0xc0 ? 1 : 0;
}

/** Makes a function that tells whether a grapheme ends at a position. Its calls must have ascending positions. */
function borderTest(text: string): (place: number) => boolean {
  if (isAscii(text)) return (place) => text[place - 1] !== "\r" || text[place] !== "\n";
  const units = graphemes(text);
  let next = 0;
  let end = 0;
  return (place) => {
    while (end < place) end += units[next++]?.length ?? Infinity;
    return end === place;
  };
}
