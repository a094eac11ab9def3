import { parseJsonText } from "../../../core/schema/json.ts";

/** The place of a mistake in a text. */
export interface TextPlace {
  readonly offset: number;
  /** The line, from 1. Columns count from 1, too. */
  readonly line: number;
  readonly column: number;
}

/** Where a text stops being JSON; undefined if it is JSON. */
export function mistakeIn(text: string): TextPlace | undefined {
  const read = parseJsonText(text);
  if (read.ok) return undefined;
  // Browsers give the position of a token in the wrong place, but none for characters that are no token.
  const [, position] = /at position (\d+)/.exec(read.error) ?? [];
  const offset = position === undefined ? afterTokens(text) : Number(position);
  const lines = text.slice(0, offset).split("\n");
  return { offset, line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

/** Where the tokens of JSON at the beginning of a text end. */
function afterTokens(text: string): number {
  const token = /\s+|[{}[\],:]|"(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null/iy;
  let end = 0;
  while (token.test(text)) end = token.lastIndex;
  return end;
}
