const encoder = new TextEncoder();

/** Compares two strings in a time that depends on their lengths only. */
function equalInConstantTime(left: string, right: string): boolean {
  const a = encoder.encode(left);
  const b = encoder.encode(right);
  const length = Math.max(a.length, b.length);
  let difference = a.length ^ b.length;
  for (let index = 0; index < length; index++) {
    difference |= (a[index] ?? 0) ^ (b[index] ?? 0);
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

/** Whether `key` is one of `accepted`. Each is compared, so that the time does not tell which came near. */
export function isAcceptedKey(key: string, accepted: readonly string[]): boolean {
  let found = false;
  for (const candidate of accepted) {
    if (equalInConstantTime(key, candidate)) found = true;
  }
  return found;
}
