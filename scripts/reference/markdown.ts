/** A table of Markdown, its columns as wide as the formatter makes them. Columns that are empty in every row are left out; without rows there is none. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const used = head.flatMap((_, index) =>
    rows.some((row) => cellAt(row, index) !== "") ? [index] : [],
  );
  const lines = [head, ...rows].map((row) => used.map((index) => escapeCell(cellAt(row, index))));
  const widths = used.map((_, index) => Math.max(3, ...lines.map((line) => width(line[index]))));
  const [first = [], ...others] = lines.map((line) => lineOf(line, widths));
  const rule = `| ${widths.map((count) => "-".repeat(count)).join(" | ")} |`;
  return [first, rule, ...others].join("\n");
}

function cellAt(row: readonly string[], index: number): string {
  return row[index] ?? "";
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function width(text = ""): number {
  return Array.from(text).length;
}

function lineOf(cells: readonly string[], widths: readonly number[]): string {
  const padded = cells.map((cell, index) => cell + " ".repeat((widths[index] ?? 0) - width(cell)));
  return `| ${padded.join(" | ")} |`;
}

/** A text as code. */
export function code(text: string): string {
  return `\`${text}\``;
}

/** Lines that are shown as they are. Nobody runs them: a fenced block would be. */
export function verbatim(text: string): string {
  return text.replace(/^(?=.)/gm, "    ");
}

/** Splits `port (default: 4010)` and `Where it listens. Default: 4010.` into what it means and the default. */
export function splitDefault(description: string): { meaning: string; standard: string } {
  const inBrackets = /^(.*?) ?\(default: ([^()]+(?:\([^()]*\))?[^()]*)\)(.*)$/.exec(description);
  if (inBrackets !== null) {
    const [, before = "", standard = "", after = ""] = inBrackets;
    return { meaning: before + after, standard };
  }
  const [, before = "", standard] = /^(.*?) ?\bDefault: (.+)\.$/.exec(description) ?? [];
  return standard === undefined
    ? { meaning: description, standard: "" }
    : { meaning: before, standard };
}

/** Parts of a page, with an empty line between two. Those that are empty are left out. */
export function page(...parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}
