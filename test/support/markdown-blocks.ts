/** A fenced block of a Markdown text. */
export interface CodeBlock {
  /** What stands behind the opening fence, such as `ts test`. */
  readonly info: string;
  readonly code: string;
  /** Line of the opening fence, from 1. */
  readonly line: number;
  /** The text between the block before this one and this one. */
  readonly prose: string;
}

const fenced = /^```([^\n]*)\n([\s\S]*?)^```$/gm;

/** All fenced blocks, in order. */
export function codeBlocks(markdown: string): CodeBlock[] {
  let end = 0;
  return [...markdown.matchAll(fenced)].map(({ index, 0: block, 1: info = "", 2: code = "" }) => {
    const prose = markdown.slice(end, index);
    end = index + block.length;
    return { info: info.trim(), code, line: markdown.slice(0, index).split("\n").length, prose };
  });
}
