import { redactedValue } from "./redacted-value.ts";

/** A text without the emulator's own keys, wherever they stand in it as a whole. */
export function withoutKeys(text: string, keys: readonly string[]): string {
  return keys.reduce((shown, key) => {
    if (!shown.includes(key)) return shown;
    const literal = key.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
    // Not as a part of a longer word: a key may be as short as "k".
    return shown.replaceAll(new RegExp(`(?<![\\w-])${literal}(?![\\w-])`, "g"), redactedValue);
  }, text);
}
