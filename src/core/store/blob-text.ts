/** A code point that no text has, for what SQLite reads as a number beyond Unicode. */
const noCodePoint = "\udc00";
const replacement = "\ufffd";

/**
 * The text that SQLite's LIKE makes of a blob: the bytes up to the first NUL, read as UTF-8 in SQLite's lenient
 * way, in which a stray continuation byte is a code point of its own.
 */
export function blobText(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  const length = end < 0 ? bytes.length : end;
  let text = "";
  let position = 0;
  while (position < length) {
    let code = bytes[position++] ?? 0;
    if (code >= 0xc0) {
      code = leadingBits(code);
      for (; isContinuation(bytes[position]); position++) {
        // Unsigned 32 bits, as in SQLite.
        code = ((code << 6) + ((bytes[position] ?? 0) & 0x3f)) >>> 0;
      }
      text += wideText(code);
    } else {
      text += String.fromCharCode(code);
    }
  }
  return text;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** What the first byte of a sequence says of the code point, by the number of its leading ones. */
function leadingBits(byte: number): number {
  if (byte < 0xe0) return byte & 0x1f;
  if (byte < 0xf0) return byte & 0x0f;
  if (byte < 0xf8) return byte & 0x07;
  if (byte < 0xfc) return byte & 0x03;
  return byte < 0xfe ? byte & 0x01 : 0;
}

function wideText(code: number): string {
  const isSurrogate = code >= 0xd800 && code < 0xe000;
  if (code < 0x80 || isSurrogate) return replacement;
  return code > 0x10_ff_ff ? noCodePoint : String.fromCodePoint(code);
}
