import { inlineOf, type Inline } from "./markdown-inline.ts";

/** A part of a Markdown text that stands alone. */
export type Block =
  | { readonly kind: "heading" | "paragraph"; readonly said: readonly Inline[] }
  | { readonly kind: "code"; readonly language: string; readonly text: string }
  | { readonly kind: "quote"; readonly blocks: readonly Block[] }
  | ListBlock
  | TableBlock
  | { readonly kind: "rule" };

export interface ListBlock {
  readonly kind: "list";
  /** The number of the first item; undefined for bullets. */
  readonly start: number | undefined;
  readonly items: readonly ListItem[];
}

export interface ListItem {
  /** Whether a task is done; undefined if the item is no task. */
  readonly isDone: boolean | undefined;
  readonly blocks: readonly Block[];
}

export interface TableBlock {
  readonly kind: "table";
  readonly head: readonly (readonly Inline[])[];
  readonly rows: readonly (readonly (readonly Inline[])[])[];
}

/** How deep quotes and lists can be nested. Anything deeper is text. */
const deepest = 12;

/** The blocks of a Markdown text, with the part of Markdown that chats use. HTML and reference links are plain text. */
export function markdownBlocks(text: string): readonly Block[] {
  return blocksOf(text.replaceAll("\t", "    ").split(/\r?\n/), 0);
}

/** A block, and the number of the line after it. */
type Read = readonly [block: Block, next: number];

/** Reads a block that begins at a line; undefined if no block of the reader's kind begins there. */
type Reader = (lines: readonly string[], at: number, depth: number) => Read | undefined;

function blocksOf(lines: readonly string[], depth: number): readonly Block[] {
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    if (isBlank(lines[at])) {
      at++;
      continue;
    }
    const [block, next] = blockAt(lines, at, depth) ?? paragraphAt(lines, at, depth);
    blocks.push(block);
    at = next;
  }
  return blocks;
}

/** The block that begins at a line, unless it is a paragraph. */
function blockAt(lines: readonly string[], at: number, depth: number): Read | undefined {
  for (const read of [fencedAt, headingAt, ruleAt, quoteAt, listAt, tableAt, indentedAt]) {
    const found = read(lines, at, depth);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === "";
}

/** Reads code between fences, or from a fence to the end, as in a text that is still arriving. */
const fencedAt: Reader = (lines, at) => {
  const [, indent = "", fence = "", language = ""] =
    /^( {0,3})(`{3,}|~{3,})\s*([^`]*)$/.exec(lines[at] ?? "") ?? [];
  if (fence === "") return undefined;
  const end = lines.findIndex((line, index) => {
    const closing = line.trim();
    return (
      index > at && closing.startsWith(fence) && closing.replaceAll(fence.charAt(0), "") === ""
    );
  });
  const last = end === -1 ? lines.length : end;
  const text = lines.slice(at + 1, last).map((line) => withoutIndent(line, indent.length));
  return [{ kind: "code", language: language.trim(), text: text.join("\n") }, last + 1];
};

/** Reads code that is indented by four spaces. */
const indentedAt: Reader = (lines, at) => {
  if (!lines[at]?.startsWith("    ")) return undefined;
  const length = lines.slice(at).findIndex((line) => !isBlank(line) && !line.startsWith("    "));
  const last = length === -1 ? lines.length : at + length;
  const text = lines.slice(at, last).map((line) => line.slice(4));
  return [{ kind: "code", language: "", text: text.join("\n").trimEnd() }, last];
};

const headingAt: Reader = (lines, at) => {
  const [found, title = ""] = /^ {0,3}#{1,6}(?: +(.*))?$/.exec(lines[at] ?? "") ?? [];
  if (found === undefined) return undefined;
  return [{ kind: "heading", said: inlineOf(title.replace(/(?:^| )#+ *$/, "").trim()) }, at + 1];
};

const ruleAt: Reader = (lines, at) =>
  /^ {0,3}([-*_])(?: *\1){2,} *$/.test(lines[at] ?? "") ? [{ kind: "rule" }, at + 1] : undefined;

const quoteAt: Reader = (lines, at, depth) => {
  const quoted = /^ {0,3}> ?/;
  if (depth === deepest || !quoted.test(lines[at] ?? "")) return undefined;
  let next = at;
  while (quoted.test(lines[next] ?? "")) next++;
  const inside = lines.slice(at, next).map((line) => line.replace(quoted, ""));
  return [{ kind: "quote", blocks: blocksOf(inside, depth + 1) }, next];
};

/** The first line of an item of a list. */
interface ItemStart {
  readonly indent: number;
  /** The sign of the item: `-`, `*`, `+`, or the character after a number. */
  readonly sign: string;
  readonly number: number | undefined;
  readonly text: string;
  /** How far the item's other lines are indented, at least. */
  readonly inner: number;
}

function itemAt(line = ""): ItemStart | undefined {
  const [found, indent = "", mark = "", space = "", text = ""] =
    /^( *)([-*+]|\d{1,9}[.)])( +|$)(.*)$/.exec(line) ?? [];
  if (found === undefined) return undefined;
  const number = Number.parseInt(mark, 10);
  return {
    indent: indent.length,
    sign: mark.slice(-1),
    number: Number.isNaN(number) ? undefined : number,
    // Code in an item is indented by more.
    text: space.length > 4 ? space.slice(1) + text : text,
    // Writers indent by two spaces below a number, too.
    inner: indent.length + 2,
  };
}

const listAt: Reader = (lines, at, depth) => {
  const first = itemAt(lines[at]);
  if (first === undefined || first.indent > 3 || depth === deepest) return undefined;
  const items: ListItem[] = [];
  let next = at;
  for (;;) {
    const start = itemAt(lines[next]);
    const goesOn = start?.sign === first.sign && start.indent < first.inner;
    if (start === undefined || !goesOn || ruleAt(lines, next, depth) !== undefined) break;
    const end = endOfItem(lines, next + 1, start.inner);
    items.push(itemOf(start, lines.slice(next + 1, end), depth));
    next = end;
  }
  if (items.length === 0) return undefined;
  return [{ kind: "list", start: first.number, items }, next];
};

/** The line after an item: the first that is not indented, except for the rest of a paragraph. */
function endOfItem(lines: readonly string[], from: number, inner: number): number {
  let next = from;
  for (; next < lines.length; next++) {
    const line = lines[next] ?? "";
    if (isBlank(line) || indentOf(line) >= inner) continue;
    const isRest = !isBlank(lines[next - 1]) && blockAt(lines, next, deepest) === undefined;
    if (!isRest || itemAt(line) !== undefined) break;
  }
  return next;
}

function itemOf({ text, inner }: ItemStart, more: readonly string[], depth: number): ListItem {
  const [task, mark] = /^\[([ xX])\] +/.exec(text) ?? [""];
  const indents = more.filter((line) => !isBlank(line)).map(indentOf);
  // The text after a number and its dot may be indented by more than two spaces.
  const least = Math.min(inner + 2, ...indents.filter((indent) => indent >= inner));
  const inside = [text.slice(task.length), ...more.map((line) => withoutIndent(line, least))];
  return {
    isDone: mark === undefined ? undefined : mark !== " ",
    blocks: blocksOf(inside, depth + 1),
  };
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function withoutIndent(line: string, most: number): string {
  return line.slice(Math.min(most, indentOf(line)));
}

const tableAt: Reader = (lines, at) => {
  const [head = "", rule = ""] = lines.slice(at, at + 2);
  const isRule = /^ *\|? *:?-+:? *(?:\| *:?-+:? *)*\|? *$/.test(rule);
  if (!head.includes("|") || !rule.includes("|") || !isRule) return undefined;
  const heads = cellsOf(head);
  let next = at + 2;
  while (!isBlank(lines[next]) && lines[next]?.includes("|")) next++;
  const rows = lines.slice(at + 2, next).map((line) => {
    const cells = cellsOf(line);
    return heads.map((_, index) => cells[index] ?? []);
  });
  return [{ kind: "table", head: heads, rows }, next];
};

function cellsOf(line: string): readonly (readonly Inline[])[] {
  const inside = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inside.split(/(?<!\\)\|/).map((cell) => inlineOf(cell.trim().replaceAll("\\|", "|")));
}

/** Lines until a blank one, or until another block begins. A line of `=` or `-` below makes a heading of them. */
function paragraphAt(lines: readonly string[], at: number, depth: number): Read {
  let next = at + 1;
  while (!isBlank(lines[next]) && !endsParagraph(lines, next, depth)) next++;
  const said = lines
    .slice(at, next)
    .map((line) => line.trim())
    .join("\n");
  const isHeading = /^ {0,3}(?:=+|-+) *$/.test(lines[next] ?? "");
  return [
    { kind: isHeading ? "heading" : "paragraph", said: inlineOf(said) },
    isHeading ? next + 1 : next,
  ];
}

function endsParagraph(lines: readonly string[], at: number, depth: number): boolean {
  const line = lines[at] ?? "";
  if (/^ {0,3}=+ *$/.test(line)) return true;
  // Indented lines continue the paragraph, and so does a number that does not begin a list.
  if (line.startsWith("    ")) return false;
  const item = itemAt(line);
  if (item?.number !== undefined && item.number !== 1) return false;
  return blockAt(lines, at, depth) !== undefined;
}
