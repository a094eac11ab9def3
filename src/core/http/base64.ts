/** How many bytes are converted at a time, since a call takes a limited number of arguments. */
const chunk = 0x2000;

/** A text with one character per byte, from U+0000 to U+00FF. */
export function binaryText(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += chunk) {
    text += String.fromCharCode(...bytes.subarray(start, start + chunk));
  }
  return text;
}

/** The bytes of a text with one character per byte. */
export function binaryBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(binaryText(bytes));
}

/** The bytes of a base64 text; undefined if it is invalid. */
export function fromBase64(text: string): Uint8Array | undefined {
  try {
    return binaryBytes(atob(text));
  } catch {
    return undefined;
  }
}
