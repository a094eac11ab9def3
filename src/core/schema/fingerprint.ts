/** A hash of 53 bits (cyrb53) as 14 hexadecimal digits. It is not meant for security. */
export function fingerprint(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 0x9e3779b1);
    low = Math.imul(low ^ code, 0x5f356495);
  }
  const mixedHigh = mix(high, low);
  const mixedLow = mix(low, mixedHigh);
  const value = 0x1_0000_0000 * (0x1f_ffff & mixedLow) + (mixedHigh >>> 0);
  return value.toString(16).padStart(14, "0");
}

function mix(value: number, other: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return once ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
}
