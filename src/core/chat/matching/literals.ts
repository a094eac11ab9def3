import { foldAscii } from "../../store/text-order.ts";

/** Literals are found by their last characters; shorter ones cannot be searched for. */
export const shortestLiteral = 3;

/** A lower-case literal and its owner. */
interface Entry<Owner> {
  readonly literal: string;
  readonly owners: readonly Owner[];
}

/** Adds the owners of those of many literals that occur in a text, in one pass. Ignores the case of ASCII letters. */
export function literalSearch<Owner>(
  ownersByLiteral: ReadonlyMap<unknown, readonly Owner[]>,
): (text: string, found: Set<Owner>) => void {
  const byEnd = new Map<number, Entry<Owner>[]>();
  for (const [text, owners] of ownersByLiteral) {
    const literal = foldAscii(String(text));
    let end = 0;
    for (let at = 0; at < literal.length; at++) end = endWith(end, literal.charCodeAt(at));
    byEnd.set(end, [...(byEnd.get(end) ?? []), { literal, owners }]);
  }
  return (text, found) => {
    const searched = foldAscii(text);
    let end = 0;
    for (let at = 0; at < searched.length; at++) {
      end = endWith(end, searched.charCodeAt(at));
      const entries = byEnd.get(end);
      if (entries === undefined) continue;
      for (const { literal, owners } of entries) {
        const start = at + 1 - literal.length;
        if (start < 0 || !searched.startsWith(literal, start)) continue;
        for (const owner of owners) found.add(owner);
      }
    }
  };
}

/** The last three characters of a text as a number, updated with the next one. Other texts may share it. */
function endWith(end: number, code: number): number {
  return ((end << 10) ^ code) & 0x3fff_ffff;
}

/**
 * Literals of which every match of a regular expression contains one, ignoring case: one per alternative. Undefined
 * when an alternative has none, or uses syntax that is not understood here.
 */
export function literalsOfRegex(source: string, flags: string): readonly string[] | undefined {
  const ignoresCase = flags.includes("i");
  // Character sets have another syntax with `v`, and `i` with `u` folds letters of different alphabets.
  if (flags.includes("v") || (ignoresCase && flags.includes("u"))) return undefined;
  // An escaped letter or digit may mean anything, such as `\x41` or `\1`.
  if (/\\(?![dDwWsSbB]|[^0-9A-Za-z])/.test(source)) return undefined;
  const plain = withoutGroups(source.replaceAll(/\\[^]/gu, "\n").replaceAll(/\[[^\]]*\]/g, "\n"));
  if (/[()]/.test(plain)) return undefined;
  // A part before `*` is optional.
  const sure = plain.replaceAll(/[^\n|]?(?:[*?]|\{\d+(?:,\d*)?\})\??/gu, "\n");
  const breaks = ignoresCase ? /[\n^$.+{}\]\u0080-\uffff]/ : /[\n^$.+{}\]]/;
  const literals = sure.split("|").map((alternative) => longestOf(alternative.split(breaks)));
  return literals.includes("") ? undefined : literals;
}

function withoutGroups(source: string): string {
  const outer = source.replaceAll(/\([^()]*\)/g, "\n");
  return outer === source ? source : withoutGroups(outer);
}

function longestOf(texts: readonly string[]): string {
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), "");
}
