import type { JsonPath } from "../../core/schema/json.ts";
import { findValue, itemsAt, skipSpace } from "../../core/fixture-set/json/json-skip.ts";

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
  const rows = [...itemsAt(text, at)].findLast(({ key }) => key === "rows");
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
  let first: number | undefined;
  let last = at + 1;
  for (const { start, end } of itemsAt(text, at)) {
    first ??= start;
    last = end;
  }
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
