import { utf8Text } from "../../../core/http/bytes.ts";
import { fromBase64 } from "../../../core/http/base64.ts";
import type { Span } from "../replay/rule-matches.ts";

/** A text that is encoded as base64 within another one. */
export interface Base64Value extends Span {
  readonly said: string;
}

/** The forms of base64: standard, for URLs, and in lines as in PEM and e-mail. */
const values: readonly RegExp[] = [
  /[A-Za-z\d+/]{8,}={0,2}/g,
  /[\w-]{8,}={0,2}/g,
  /(?<![A-Za-z\d+/])(?:(?:[A-Za-z\d+/]{64}\r?\n)+|(?:[A-Za-z\d+/]{76}\r?\n)+)[A-Za-z\d+/]*={0,2}/g,
];

/** The base64 values in a text, decoded, if they have at least this many bytes. */
export function* base64Values(text: string, bytes: number): Generator<Base64Value> {
  const shortest = Math.ceil((bytes * 4) / 3);
  for (const pattern of values) {
    for (const { 0: written, index: start } of text.matchAll(pattern)) {
      if (written.length < shortest) continue;
      const said = decoded(written);
      if (said !== undefined) yield { start, end: start + written.length, said };
    }
  }
}

/** Decodes base64; undefined if it is invalid, or not text. */
function decoded(written: string): string | undefined {
  const bytes = fromBase64(written.replaceAll("-", "+").replaceAll("_", "/"));
  return bytes && utf8Text(bytes);
}
