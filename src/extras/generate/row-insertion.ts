import type { JsonPath } from "../../core/schema/json.ts";
import { createScanner, type JSONScanner } from "jsonc-parser";

/**
 * How rows get into the text of a fixture file without a change of anything else in it: the text up to `from`, then
 * `before`, the rows with `between` after each but the last, `after`, and the text from `to` on.
 */
export interface RowInsertion {
  readonly from: number;
  readonly to: number;
  readonly before: string;
  readonly between: string;
  readonly after: string;
}

/**
 * Where rows of the table at a path are inserted: after those that it has, or in their place. Undefined when the table
 * is written in a form that cannot take any, such as an object that stands for a single row.
 */
export function insertionOfRows(
  text: string,
  path: JsonPath,
  { replace, rowsOnly }: { readonly replace: boolean; readonly rowsOnly: boolean },
): RowInsertion | undefined {
  const at = findValue(text, path);
  if (at === undefined) return undefined;
  if (text[at] === "[") return intoArray(text, at, replace);
  if (rowsOnly) return undefined;
  const rows = itemsAt(text, at).findLast(({ key }) => key === "rows");
  return rows === undefined ? asMember(text, at) : intoArray(text, rows.valueStart, replace);
}

function intoArray(text: string, at: number, replace: boolean): RowInsertion {
  const bounds = boundsOf(text, at);
  const { inner, outer, newline, closer } = bounds;
  const between = `,${newline}${inner}`;
  if (!replace) return { ...afterLast(text, bounds), between };
  const [before, after] = [`${newline}${inner}`, `${newline}${outer}`];
  return { from: at + 1, to: closer, before, between, after };
}

/** A member `rows` for a table that has none, after its last member. */
function asMember(text: string, at: number): RowInsertion {
  const bounds = boundsOf(text, at);
  const { inner, newline } = bounds;
  const { before, after, ...place } = afterLast(text, bounds);
  const line = `${newline}${inner}`;
  return {
    ...place,
    before: `${before}"rows": [${line}  `,
    between: `,${line}  `,
    after: `${line}]${after}`,
  };
}

/** An array or object, and how it is laid out. */
interface Bounds {
  readonly isEmpty: boolean;
  /** Where the last item ends, or where there is none, the opening bracket. */
  readonly last: number;
  /** Where the closing bracket is. */
  readonly closer: number;
  readonly hasTrailingComma: boolean;
  /** The white space in front of the line on which it begins, and in front of its items. */
  readonly outer: string;
  readonly inner: string;
  readonly newline: string;
}

function boundsOf(text: string, at: number): Bounds {
  const items = itemsAt(text, at);
  const first = items[0]?.start;
  const last = items.at(-1)?.end ?? at + 1;
  const next = skipSpace(text, last);
  const hasTrailingComma = text[next] === ",";
  const outer = indentOf(text, at);
  return {
    isEmpty: first === undefined,
    last,
    closer: hasTrailingComma ? skipSpace(text, next + 1) : next,
    hasTrailingComma,
    outer,
    inner: ownIndent(text, first) ?? `${outer}  `,
    newline: text.includes("\r\n") ? "\r\n" : "\n",
  };
}

/** Behind the last item and the comments after it. */
function afterLast(text: string, bounds: Bounds): Omit<RowInsertion, "between"> {
  const { isEmpty, last, closer, hasTrailingComma, outer, inner, newline } = bounds;
  const comments = text.slice(last, closer).trimEnd();
  const comma = isEmpty || hasTrailingComma ? "" : ",";
  const before = `${comma}${comments}${newline}${inner}`;
  const end = last + comments.length;
  // The closing bracket gets a line of its own, unless it has one.
  if (text.slice(end, closer).includes("\n")) return { from: last, to: end, before, after: "" };
  return { from: last, to: closer, before, after: `${newline}${outer}` };
}

/** An item of an array, or a member of an object. */
interface JsonItem {
  /** The member's key, or the item's index. */
  readonly key: string | number;
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/** Where the value begins that a path leads to, in a text that was read before. Undefined where there is none. */
function findValue(text: string, path: JsonPath): number | undefined {
  let at: number | undefined = skipSpace(text, 0);
  for (const step of path) {
    if (at === undefined) return undefined;
    at = itemsAt(text, at).find(({ key }) => key === step)?.valueStart;
  }
  return at;
}

/** The items of the array, or the members of the object, that begins at `at`. Nodes of all would take gigabytes. */
function itemsAt(text: string, at: number): readonly JsonItem[] {
  const scanner = createScanner(text, true);
  scanner.setPosition(at);
  const isObject = nextToken(text, scanner) === "{";
  const items: JsonItem[] = [];
  for (let token = nextToken(text, scanner); token !== "" && !/[\]}]/.test(token);) {
    const start = scanner.getTokenOffset();
    const key = isObject ? scanner.getTokenValue() : items.length;
    if (isObject) {
      // Past the key and the colon.
      nextToken(text, scanner);
      token = nextToken(text, scanner);
    }
    const valueStart = scanner.getTokenOffset();
    skipValue(text, scanner);
    items.push({ key, start, valueStart, end: scanner.getPosition() });
    token = nextToken(text, scanner);
    if (token === ",") token = nextToken(text, scanner);
  }
  return items;
}

/** Moves from the first token of a value to its last. */
function skipValue(text: string, scanner: JSONScanner): void {
  let depth = 0;
  for (let token = text.charAt(scanner.getTokenOffset()); ; token = nextToken(text, scanner)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    if (depth === 0 || token === "") return;
  }
}

/** The first character of the next token, or the empty string at the end. */
function nextToken(text: string, scanner: JSONScanner): string {
  scanner.scan();
  return text.charAt(scanner.getTokenOffset());
}

/** The offset of the first character at or after `at` that is neither white space nor comment. */
function skipSpace(text: string, at: number): number {
  const scanner = createScanner(text, true);
  scanner.setPosition(at);
  scanner.scan();
  return scanner.getTokenOffset();
}

/** The white space with which the line of a place begins. */
function indentOf(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** The white space in front of a place that is the first on its line. */
function ownIndent(text: string, at: number | undefined): string | undefined {
  if (at === undefined) return undefined;
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const before = text.slice(lineStart, at);
  return lineStart > 0 && /^[ \t]*$/.test(before) ? before : undefined;
}
