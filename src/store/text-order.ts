const firstSurrogate = 0xd800;
const firstAfterSurrogates = 0xe000;

/**
 * Puts UTF-16 code units in the order of the code points that they belong to: surrogates, which stand for
 * code points beyond U+FFFF, come after U+E000 to U+FFFF.
 */
function codePointRank(unit: number): number {
  if (unit < firstSurrogate) return unit;
  return unit >= firstAfterSurrogates ? unit - 0x800 : unit + 0x2000;
}

/** Compares texts by code points, which is the order of their UTF-8 bytes. JavaScript's `<` is not. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return codePointRank(a) - codePointRank(b);
  }
  return left.length - right.length;
}

/** The text with A to Z in lower case and every other letter as it is, as NOCASE and LIKE compare it. */
export function foldAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
