import type { CallHeaders } from "../../http/call.ts";

/** Headers whose values open something, by any service's custom. */
const secretNames =
  /^(?:authorization|proxy-authorization|cookie|set-cookie|x-api-key|api-key|x-auth-token)$|secret|password|token$/;

/** Headers by name, the values of those that carry keys left out. */
export function redactHeaders(headers: CallHeaders): Readonly<Record<string, string>> {
  const shown = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, secretNames.test(name) ? redacted(value) : value] as const],
  );
  return Object.fromEntries(shown);
}

/** Keeps the scheme, which says what was wrong when it is the wrong one. */
function redacted(value: string): string {
  const [, scheme] = /^([A-Za-z]+) ./.exec(value) ?? [];
  return scheme === undefined ? "***" : `${scheme} ***`;
}
