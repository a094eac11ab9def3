import type { CallHeaders } from "../../http/call.ts";
import { isSecretHeader } from "../../http/secret-names.ts";
import { withoutKeys } from "./own-keys.ts";
import { redactQuery } from "./redact-query.ts";
import { redactedValue } from "./redacted-value.ts";

/**
 * Headers by name, the values of those that carry keys left out. `keys` are the emulator's own, which are in none.
 */
export function redactHeaders(
  headers: CallHeaders,
  keys: readonly string[] = [],
): Readonly<Record<string, string>> {
  const shown = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, redactHeader(name, value, keys)] as const],
  );
  return Object.fromEntries(shown);
}

function redactHeader(name: string, value: string, keys: readonly string[]): string {
  if (isSecretHeader(name)) return redacted(value);
  // The address of a page, which may have keys in its query.
  return withoutKeys(name === "referer" ? redactUrl(value, keys) : value, keys);
}

function redactUrl(url: string, keys: readonly string[]): string {
  const mark = url.indexOf("?");
  if (mark === -1) return url;
  return `${url.slice(0, mark + 1)}${redactQuery(url.slice(mark + 1), { keys })}`;
}

/** Keeps the scheme, which says what was wrong when it is the wrong one. Any other first word may be part of the key. */
function redacted(value: string): string {
  const [, scheme] = /^(basic|bearer|digest|token|(?:api-?)?key) ./i.exec(value) ?? [];
  return scheme === undefined ? redactedValue : `${scheme} ${redactedValue}`;
}
