import { binaryText, toBase64 } from "../base64.ts";

/** The texts by which a value is found. */
export interface Needles {
  /** As it is, and as it is where its bytes were taken for characters, or its spaces for plus signs. */
  readonly plain: readonly string[];
  readonly base64: readonly Base64Needle[];
}

/** What base64 makes of a value whatever stands before and after it. */
export interface Base64Needle {
  readonly text: string;
  /** Whether the character before it, or after it, has bits of the value, too. */
  readonly before: boolean;
  readonly after: boolean;
}

const encoder = new TextEncoder();

/** The texts by which a value is found. */
export function needlesOf(value: string): Needles {
  const bytes = encoder.encode(value);
  const plain = new Set([value, binaryText(bytes), value.replaceAll(" ", "+")]);
  const base64 = [0, 1, 2].flatMap((skipped) => {
    const needle = base64Needle(bytes, skipped);
    const forUrls = needle.text.replaceAll("+", "-").replaceAll("/", "_");
    return forUrls === needle.text ? [needle] : [needle, { ...needle, text: forUrls }];
  });
  return { plain: [...plain], base64 };
}

/** Each character of base64 has six bits: those that have none of the bytes around are always the same. */
function base64Needle(bytes: Uint8Array, skipped: number): Base64Needle {
  const padded = new Uint8Array(Math.ceil((skipped + bytes.length) / 3) * 3);
  padded.set(bytes, skipped);
  const first = (8 * skipped) / 6;
  const last = (8 * (skipped + bytes.length)) / 6;
  return {
    text: toBase64(padded).slice(Math.ceil(first), Math.floor(last)),
    before: !Number.isInteger(first),
    after: !Number.isInteger(last),
  };
}
