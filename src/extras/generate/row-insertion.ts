import type { JsonPath } from "../../core/schema/json.ts";
import { visit } from "jsonc-parser";

/**
 * How to insert rows into the text of a fixture file without changing anything else: the text up to `from`, then
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
 * Where rows of the table at a path are inserted: after its rows, or in their place. Undefined when the table is
 * written in a form that takes none, such as an object for a single row.
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

/** Adds a member `rows`, after the last member, to a table without one. */
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

/** Inserts after the last item and its comments. */
function afterLast(text: string, container: Container): Omit<RowInsertion, "between"> {
  const { inner, outer, newline } = indentsOf(text, container);
  const { start, closer, last = start + 1, first, hasTrailingComma } = container;
  const comments = text.slice(last, closer).trimEnd();
  const comma = first === undefined || hasTrailingComma ? "" : ",";
  const before = `${comma}${comments}${newline}${inner}`;
  const end = last + comments.length;
  // The closing bracket is put on a line of its own, unless it is on one already.
  if (text.slice(end, closer).includes("\n")) return { from: last, to: end, before, after: "" };
  return { from: last, to: closer, before, after: `${newline}${outer}` };
}

/** The indentation of an array or object, and that of its items. */
function indentsOf(
  text: string,
  { start, first }: Container,
): { readonly outer: string; readonly inner: string; readonly newline: string } {
  const outer = indentOf(text, start);
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  return { outer, inner: ownIndent(text, first) ?? `${outer}  `, newline };
}

/** An array or object, and its layout. */
interface Container {
  readonly start: number;
  /** The position of the closing bracket. */
  closer: number;
  /** Where the first item or key starts, and where the last item ends; undefined if empty. */
  first?: number;
  last?: number;
  hasTrailingComma: boolean;
}

/**
 * Finds the array or object at a path, in a text that was read before; for a duplicate key, the last one. A tree of
 * all values would take gigabytes.
 */
function containerAt(text: string, path: JsonPath): Container | undefined {
  let found: Container | undefined;
  /** The number of open arrays and objects, counted from the one at the path. */
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
      onArrayBegin: (...[offset, , , , own]) => begin(offset, isAt(own())),
      onObjectBegin: (...[offset, , , , own]) => begin(offset, isAt(own())),
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

/** The indentation of a position's line. */
function indentOf(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** The white space before a position, if that is the first on its line. */
function ownIndent(text: string, at: number | undefined): string | undefined {
  if (at === undefined) return undefined;
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const before = text.slice(lineStart, at);
  return lineStart > 0 && /^[ \t]*$/.test(before) ? before : undefined;
}
