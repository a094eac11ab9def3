import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../compat/scratch.ts";

/** What each suite did under each Node: how many tests passed, or why they were not run. */
export type Cells = ReadonlyMap<string, ReadonlyMap<string, string>>;

export const page: string = join(root, "docs/fidelity.md");

const start = "<!-- Written by npm run check -- matrix --write -->";
const end = "<!-- The end of what is written -->";

/** What the formatter allows a line; a wider table gets no padding. */
const printWidth = 100;

/** A table of Markdown, as the formatter leaves it. */
export function tableOf(nodes: readonly string[], cells: Cells): string {
  const rows = [...cells].map(([suite, byNode]) => [
    suite,
    ...nodes.map((node) => byNode.get(node) ?? ""),
  ]);
  const head = ["", ...nodes.map((node) => `Node ${node}`)];
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...rows].map((row) => (row[column] ?? "").length)),
  );
  const padded = linesOf(head, rows, widths);
  const narrow = head.map(() => 3);
  const isWide = padded.some((line) => line.length > printWidth);
  return (isWide ? linesOf(head, rows, narrow).map(withoutPadding) : padded).join("\n");
}

/** The lines of a table whose columns have at least these widths. */
function linesOf(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  widths: readonly number[],
): readonly string[] {
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [line(head), rule, ...rows.map(line)];
}

/** An empty cell keeps two spaces, as the formatter writes it. */
function withoutPadding(line: string): string {
  return line.replaceAll(/ {2,}/g, " ").replaceAll("| |", "|  |");
}

/** What stands between the page's marks. */
export function writtenPart(text: string): string {
  const [, rest = ""] = text.split(`${start}\n`);
  return rest.split(`\n${end}`)[0]?.trim() ?? "";
}

/** Puts a text between the page's marks. */
export function withWrittenPart(text: string, part: string): string {
  const [before, rest] = text.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${page} lacks its marks.`);
  return `${before}${start}\n\n${part}\n\n${end}${after}`;
}

/** Whether the page says this already. Otherwise it is written, if it may be. */
export function settlePage(part: string, { mayWrite }: { readonly mayWrite: boolean }): boolean {
  const text = readFileSync(page, "utf8");
  if (writtenPart(text) === part) return true;
  if (mayWrite) writeFileSync(page, withWrittenPart(text, part));
  return mayWrite;
}
