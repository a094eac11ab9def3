/** A fenced block of a Markdown text. */
export interface CodeBlock {
  /** What stands behind the opening fence, such as `ts test`. */
  readonly info: string;
  readonly code: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
}

const fenced = /^```([^\n]*)\n([\s\S]*?)^```$/gm;

/** All fenced blocks, in order. */
export function codeBlocks(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(fenced)].map(({ index, 1: info = "", 2: code = "" }) => ({
    info: info.trim(),
    code,
    line: markdown.slice(0, index).split("\n").length,
  }));
}
