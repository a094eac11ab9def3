import fc from "fast-check";
import { lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { expect, test } from "vitest";
import { type Block, markdownBlocks } from "../../../src/extras/console/parts/markdown-blocks.ts";
import type { Inline } from "../../../src/extras/console/parts/markdown-inline.ts";

/** What a reader sees of blocks, such as `p(a strong(b))`. */
function seen(blocks: readonly Block[]): string {
  return blocks.map(seenBlock).join("");
}

function seenBlock(block: Block): string {
  switch (block.kind) {
    case "heading":
      return `h(${line(block.said)})`;
    case "paragraph":
      return `p(${line(block.said)})`;
    case "code":
      return `code ${block.language}(${block.text})`;
    case "quote":
      return `quote(${seen(block.blocks)})`;
    case "list":
      return `list ${block.start ?? "-"}(${block.items.map(({ isDone, blocks }) => `item${mark(isDone)}(${seen(blocks)})`).join("")})`;
    case "table":
      return `table(${[block.head, ...block.rows].map((row) => row.map(line).join("|")).join("/")})`;
    default:
      return "rule";
  }
}

function mark(isDone: boolean | undefined): string {
  if (isDone === undefined) return "";
  return isDone ? " done" : " open";
}

function line(parts: readonly Inline[]): string {
  return parts.map(seenInline).join("");
}

function seenInline(part: Inline): string {
  if (typeof part === "string") return part;
  if (part.kind === "code") return `code(${part.text})`;
  if (part.kind === "picture") return `picture ${part.url}(${part.name})`;
  if (part.kind === "link") return `link ${part.url}(${line(part.said)})`;
  return `${part.kind}(${line(part.said)})`;
}

/** The same of what marked reads, which follows CommonMark and GitHub. */
function judged(tokens: readonly Token[] = []): string {
  return (tokens as readonly MarkedToken[]).map(judgedToken).join("");
}

function judgedToken(token: MarkedToken): string {
  switch (token.type) {
    case "heading":
      return `h(${judged(token.tokens)})`;
    case "paragraph":
      return `p(${judged(token.tokens)})`;
    case "code":
      return `code ${token.lang ?? ""}(${token.text})`;
    case "blockquote":
      return `quote(${judged(token.tokens)})`;
    case "list":
      return `list ${token.ordered ? token.start : "-"}(${token.items.map(judgedItem).join("")})`;
    case "table":
      return judgedTable(token);
    case "hr":
      return "rule";
    case "space":
      return "";
    default:
      return judgedInline(token);
  }
}

function judgedTable({ header, rows }: Tokens.Table): string {
  const lines = [header, ...rows].map((row) => row.map(({ tokens }) => judged(tokens)).join("|"));
  return `table(${lines.join("/")})`;
}

function judgedItem({ tokens, task, checked = false }: Tokens.ListItem): string {
  const blocks = tokens.map((token) => {
    if (token.type === "checkbox") return "";
    return token.type === "text" ? `p(${judged([token])})` : judged([token]);
  });
  return `item${mark(task ? checked : undefined)}(${blocks.join("")})`;
}

function judgedInline(token: MarkedToken): string {
  switch (token.type) {
    case "strong":
    case "em":
    case "del":
      return `${token.type}(${judged(token.tokens)})`;
    case "codespan":
      return `code(${token.text})`;
    case "br":
      return "\n";
    case "link":
      return `link ${token.href}(${judged(token.tokens)})`;
    case "image":
      return `picture ${token.href}(${token.text})`;
    case "text":
      return token.tokens === undefined ? token.text : judged(token.tokens);
    case "escape":
      return token.text;
    default:
      return token.raw;
  }
}

test.each([
  "Plain.",
  "One line\nand the next.\n\nAnother paragraph.",
  "# Title\n\n## With `code` and **bold** ##\ntext right below",
  "Title\n=====\n\nSecond\n---\ntext",
  "It is **bold**, *italic*, __bold__, _italic_, ~~gone~~ and `code`.",
  "**bold with *italic* inside**",
  "snake_case_names and 2 * 3 * 4 and a*b*c",
  "`` code with ` tick `` and ` x `",
  String.raw`Escaped \*stars\* and \_lines\_ and a backslash \a`,
  "[link](https://a.test/b?c=d) and [with **bold**](https://a.test/) and <https://b.test/>",
  '[title](https://a.test/ "Title") and [parens](https://a.test/x_(y))',
  "See https://a.test/path?x=1. Then (https://b.test/).",
  "![a cat](data:image/png;base64,AAAA)",
  "- one\n- two\n- three",
  "* one\n  * inner\n  * inner two\n* two",
  "1. one\n2. two\n   - inner\n   - inner two\n3. three",
  "3. from three\n4. four",
  "- [ ] open\n- [x] done",
  "- one\n\n  second paragraph\n\n- two",
  "- item\n  ```js\n  code();\n  ```\n- next",
  "Before:\n- one\n- two\n\nAfter.",
  "```ts\nconst a = `b`;\n\n  indented\n```",
  "~~~\ntildes\n~~~\nafter",
  "```\nnot closed\nyet",
  "````md\n```\ninner\n```\n````",
  "    indented code\n    more\n\ntext",
  "> quoted **text**\n> goes on\n\nafter",
  "> - list in a quote\n>\n> > deeper",
  "| a | b |\n| --- | ---: |\n| 1 | `x` |\n| 2 | **y** |\n\nafter",
  "a | b\n--- | ---\n1 | 2",
  String.raw`| a |${"\n"}| --- |${"\n"}| x \| y |`,
  "above\n\n---\n\nbelow\n\n***\n\nend",
  "line one  \nline two",
  "1986. A good year\n\nIn 2. place",
  "* * *",
  "-not a list\n\n#not a heading",
])("reads %j as marked does", (text) => {
  expect(seen(markdownBlocks(text))).toBe(judged(lexer(text)));
});

test.each([
  ["<b onclick='x'>bold</b> &amp;", "p(<b onclick='x'>bold</b> &amp;)"],
  ["<script>alert(1)</script>", "p(<script>alert(1)</script>)"],
  ["[run](javascript:alert(1))", "p([run](javascript:alert(1)))"],
  ["[here](/__backlot/)", "p([here](/__backlot/))"],
  ["[data](data:text/html,x)", "p([data](data:text/html,x))"],
  [
    "1. one\n  - two spaces are enough",
    "list 1(item(p(one)list -(item(p(two spaces are enough)))))",
  ],
  ["***both***", "p(strong(em(both)))"],
  ["", ""],
])("reads %j as %j", (text, expected) => {
  expect(seen(markdownBlocks(text))).toBe(expected);
});

const piece = fc.constantFrom(
  ..."a b c1 * ** _ __ ~~ ` ``` > - 1. # | --- [ ] ( ) ! \\ < \n \n \n\n".split(" "),
  "  ",
  "    ",
  "\t",
);

/** All texts in blocks, in their order. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => (key === "kind" ? [] : textsIn(part)));
}

function letters(text: string): string {
  return text.replaceAll(/[^abc]/g, "");
}

test("keeps every letter of a text, whatever its signs", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join(" ").replaceAll(" \n ", "\n");
      expect(letters(textsIn(markdownBlocks(text)).join(""))).toBe(letters(text));
    }),
  );
});

test.each([
  "[",
  "![",
  "*a ",
  "**a ",
  "_a ",
  "`a ``",
  "> ",
  "- ",
  "  - a\n",
  "[a](",
  "~~a",
  "<a",
  "|",
  "https://a ",
])("reads 50,000 characters of %j", (sign) => {
  const text = sign.repeat(50_000 / sign.length);
  expect(markdownBlocks(text).length).toBeGreaterThan(0);
});
