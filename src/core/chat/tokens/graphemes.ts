/** Made when first needed: it takes longer than all else at start-up. */
let segmenter: Intl.Segmenter | undefined;

/** The segmenter's time grows with the square of a text's length, so it is given a window at a time. */
const windowLength = 256;

// oxlint-disable-next-line no-control-regex -- all of ASCII is meant
const asciiOnly = /^[\x00-\x7f]*$/;

/** Whether a text has nothing but ASCII, where each character is one, save that CR LF is one together. */
export function isAscii(text: string): boolean {
  return asciiOnly.test(text);
}

/** A text's user-perceived characters (extended grapheme clusters, Unicode annex 29), in order. */
export function graphemes(text: string): readonly string[] {
  if (isAscii(text)) {
    return text.includes("\r\n") ? (text.match(/\r\n|[^]/g) ?? []) : text.split("");
  }
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  const found: string[] = [];
  let start = 0;
  let length = windowLength;
  while (start < text.length) {
    const segments = Array.from(segmenter.segment(text.slice(start, start + length)), segmentOf);
    const atEnd = start + length >= text.length;
    // The window may end inside its last segment: that one is looked at again.
    const complete = atEnd ? segments.length : segments.length - 1;
    length = complete === 0 ? length * 2 : windowLength;
    for (const segment of segments.slice(0, complete)) {
      found.push(segment);
      start += segment.length;
    }
  }
  return found;
}

/** Where the user-perceived character begins that a place in a text is in: there, or before it. */
export function graphemeStart(text: string, at: number): number {
  const around = text.slice(Math.max(0, at - 1), at + 1);
  if (around.length < 2 || (isAscii(around) && around !== "\r\n")) return at;
  let start = 0;
  // What comes later does not move a border, the character at the place aside, which two units may stand for.
  for (const grapheme of graphemes(text.slice(0, at + 2))) {
    if (start + grapheme.length > at) break;
    start += grapheme.length;
  }
  return start;
}

function segmentOf(data: Intl.SegmentData): string {
  return data.segment;
}
