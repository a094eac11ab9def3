const replacement = "\uFFFD";
const replacementBytes = Buffer.from(replacement, "utf8");

/**
 * Where bytes stop being UTF-8, as an offset in `text`, which was decoded from them; undefined when all are. The
 * character that stands for what cannot be decoded may also be in the text itself.
 */
export function brokenUtf8At(bytes: Buffer, text: string): number | undefined {
  let byte = 0;
  let from = 0;
  for (let at = text.indexOf(replacement); at !== -1; at = text.indexOf(replacement, from)) {
    byte += Buffer.byteLength(text.slice(from, at), "utf8");
    const isItself = bytes.subarray(byte, byte + replacementBytes.length).equals(replacementBytes);
    if (!isItself) return at;
    byte += replacementBytes.length;
    from = at + replacement.length;
  }
  return undefined;
}
