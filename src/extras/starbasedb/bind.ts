import { realValue, type Value } from "../../core/store/value.ts";

/**
 * The value that the runtime binds for one of JavaScript: every number is a REAL, and whatever is no number and
 * not null becomes a text as `String` makes one. Throws a TypeError for objects that cannot become one.
 */
export function bindValue(value: unknown): Value {
  if (value === null || value === undefined) return null;
  if (typeof value === "number") return realValue(value);
  // oxlint-disable-next-line typescript/no-base-to-string -- "[object Object]" is what the service stores.
  return encodable(String(value));
}

const loneSurrogate = /\p{Surrogate}/u;
const loneSurrogates = /\p{Surrogate}/gu;

/** A surrogate without its pair is stored as three bytes that are no UTF-8, and read as three characters. */
function encodable(text: string): string {
  return loneSurrogate.test(text) ? text.replace(loneSurrogates, "\ufffd\ufffd\ufffd") : text;
}

/** The texts and numbers that a body's values are bound as, or what JavaScript says where one cannot be. */
export type BoundValues =
  | { readonly ok: true; readonly values: readonly Value[] }
  | { readonly ok: false; readonly message: string };

/** As {@link bindValue}, for all of them. */
export function bindValues(values: readonly unknown[]): BoundValues {
  try {
    return { ok: true, values: values.map(bindValue) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
