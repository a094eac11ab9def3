import type { CallHeaders } from "../../http/call.ts";
import { redactQuery } from "./redact-query.ts";
import { isSecretName, redactedValue } from "./secret-names.ts";

/** Headers by name, the values of those that carry keys left out. */
export function redactHeaders(headers: CallHeaders): Readonly<Record<string, string>> {
  const shown = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, redactHeader(name, value)] as const],
  );
  return Object.fromEntries(shown);
}

function redactHeader(name: string, value: string): string {
  if (isSecretName(name)) return redacted(value);
  // The address of a page, which may have keys in its query.
  return name === "referer" ? redactUrl(value) : value;
}

function redactUrl(url: string): string {
  const mark = url.indexOf("?");
  return mark === -1 ? url : `${url.slice(0, mark + 1)}${redactQuery(url.slice(mark + 1))}`;
}

/** Keeps the scheme, which says what was wrong when it is the wrong one. Any other first word may be part of the key. */
function redacted(value: string): string {
  const [, scheme] = /^(basic|bearer|digest|token|(?:api-?)?key) ./i.exec(value) ?? [];
  return scheme === undefined ? redactedValue : `${scheme} ${redactedValue}`;
}
