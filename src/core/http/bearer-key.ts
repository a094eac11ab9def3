/**
 * Compares two strings in a time that depends only on their lengths. Character by character, since converting them to
 * bytes takes 0.7 µs.
 */
function equalInConstantTime(left: string, right: string): boolean {
  const length = Math.max(left.length, right.length);
  let difference = left.length ^ right.length;
  for (let index = 0; index < length; index++) {
    // Beyond the end of a string, `charCodeAt` gives NaN, which counts as 0.
    difference |= left.charCodeAt(index) ^ right.charCodeAt(index);
  }
  return difference === 0;
}

const scheme = "Bearer ";

/** The key of an `Authorization: Bearer <key>` header; undefined for any other spelling, `bearer` included. */
export function bearerKey(header: string | undefined): string | undefined {
  if (header === undefined || !header.startsWith(scheme)) return undefined;
  const key = header.slice(scheme.length);
  return key === "" ? undefined : key;
}

/** Whether `key` is one of `accepted`. Compares all, so that the time does not tell which one was close. */
export function isAcceptedKey(key: string, accepted: readonly string[]): boolean {
  let found = false;
  for (const candidate of accepted) {
    if (equalInConstantTime(key, candidate)) found = true;
  }
  return found;
}

/** Shows enough of a key to recognise it, but not to use it. */
export function maskKey(key: string): string {
  const stars = "*".repeat(8);
  return key.length < 12 ? stars : `${key.slice(0, 3)}${stars}${key.slice(-4)}`;
}
