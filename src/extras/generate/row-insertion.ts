import type { JsonPath } from "../../core/schema/json.ts";
import { visit } from "jsonc-parser";

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
  const table = containerAt(text, path);
  if (table === undefined) return undefined;
  if (text[table.start] === "[") return intoArray(text, table, replace);
  if (rowsOnly) return undefined;
  const rows = containerAt(text, [...path, "rows"]);
  return rows === undefined ? asMember(text, table) : intoArray(text, rows, replace);
}

function intoArray(text: string, array: Container, replace: boolean): RowInsertion {
  const { inner, outer, newline } = indentsOf(text, array);
  const between = `,${newline}${inner}`;
  if (!replace) return { ...afterLast(text, array), between };
  const [before, after] = [`${newline}${inner}`, `${newline}${outer}`];
  return { from: array.start + 1, to: array.closer, before, between, after };
}

/** A member `rows` for a table that has none, after its last member. */
function asMember(text: string, table: Container): RowInsertion {
  const { inner, newline } = indentsOf(text, table);
  const { before, after, ...place } = afterLast(text, table);
  const line = `${newline}${inner}`;
  return {
    ...place,
    before: `${before}"rows": [${line}  `,
    between: `,${line}  `,
    after: `${line}]${after}`,
  };
}

/** Behind the last item and the comments after it. */
function afterLast(text: string, container: Container): Omit<RowInsertion, "between"> {
  const { inner, outer, newline } = indentsOf(text, container);
  const { start, closer, last = start + 1, first, hasTrailingComma } = container;
  const comments = text.slice(last, closer).trimEnd();
  const comma = first === undefined || hasTrailingComma ? "" : ",";
  const before = `${comma}${comments}${newline}${inner}`;
  const end = last + comments.length;
  // The closing bracket gets a line of its own, unless it has one.
  if (text.slice(end, closer).includes("\n")) return { from: last, to: end, before, after: "" };
  return { from: last, to: closer, before, after: `${newline}${outer}` };
}

/** The white space in front of the line on which an array or object begins, and in front of its items. */
function indentsOf(
  text: string,
  { start, first }: Container,
): { readonly outer: string; readonly inner: string; readonly newline: string } {
  const outer = indentOf(text, start);
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  return { outer, inner: ownIndent(text, first) ?? `${outer}  `, newline };
}

/** An array or object, and how it is laid out. */
interface Container {
  readonly start: number;
  /** Where the closing bracket is. */
  closer: number;
  /** Where the first item or key begins, and where the last item ends; undefined where there is none. */
  first?: number;
  last?: number;
  hasTrailingComma: boolean;
}

/**
 * Finds the array or object that a path leads to, in a text that was read before; of a key that is there twice, the
 * last one. Nodes of all values would take gigabytes.
 */
function containerAt(text: string, path: JsonPath): Container | undefined {
  let found: Container | undefined;
  /** How many arrays and objects are open, from the one that was found on. */
  let level = 0;
  const note = (offset: number, end: number): void => {
    if (found === undefined || level === 0) return;
    found.first ??= offset;
    found.last = end;
    found.hasTrailingComma = false;
  };
  const begin = (offset: number, isHere: boolean): void => {
    note(offset, offset);
    if (level > 0) level++;
    else if (isHere) {
      found = { start: offset, closer: offset, hasTrailingComma: false };
      level = 1;
    }
  };
  const end = (offset: number): void => {
    if (level === 1 && found !== undefined) found.closer = offset;
    if (level > 0) level--;
    note(offset, offset + 1);
  };
  const isAt = (own: JsonPath): boolean =>
    own.length === path.length && own.every((step, index) => step === path[index]);
  visit(
    text,
    {
      onArrayBegin: (offset, _length, _line, _column, own) => begin(offset, isAt(own())),
      onObjectBegin: (offset, _length, _line, _column, own) => begin(offset, isAt(own())),
      onArrayEnd: end,
      onObjectEnd: end,
      onObjectProperty: (_name, offset) => note(offset, offset),
      onLiteralValue: (_value, offset, length) => note(offset, offset + length),
      onSeparator: (character) => {
        if (found !== undefined && level === 1) found.hasTrailingComma = character === ",";
      },
    },
    { allowTrailingComma: true },
  );
  return found;
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
