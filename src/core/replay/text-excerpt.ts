/** Characters around the place where two texts begin to differ. */
const before = 20;
const after = 60;

/** How much two texts begin, and end, with the same, in characters. */
function commonEnds(left: string, right: string): { readonly start: number; readonly end: number } {
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left.charCodeAt(start) === right.charCodeAt(start)) start++;
  let end = 0;
  while (
    end < shorter - start &&
    left.charCodeAt(left.length - 1 - end) === right.charCodeAt(right.length - 1 - end)
  ) {
    end++;
  }
  return { start, end };
}

/** How much of two texts is the same, from 0 to 1. */
export function similarity(left: string, right: string): number {
  const longer = Math.max(left.length, right.length);
  if (longer === 0) return 1;
  const { start, end } = commonEnds(left, right);
  return (start + end) / longer;
}

/** Two texts in quotes, long ones cut to where they differ. */
export function excerpts(left: string, right: string): readonly [string, string] {
  const { start } = commonEnds(left, right);
  return [excerpt(left, start), excerpt(right, start)];
}

function excerpt(text: string, place: number): string {
  const from = text.length <= before + after ? 0 : Math.max(0, place - before);
  const to = from + before + after;
  const cut = text.slice(from, to);
  return `${from > 0 ? "…" : ""}${JSON.stringify(cut)}${to < text.length ? "…" : ""}`;
}

/** A value as JSON, the beginning of a long one. */
export function shortJson(value: unknown): string {
  const json = JSON.stringify(value) ?? "nothing";
  return json.length <= before + after ? json : `${json.slice(0, before + after)}…`;
}
