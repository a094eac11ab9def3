/** The tokens of an expression: escapes, sets, openings of groups, quantifiers and single characters. */
const token =
  /\\(?:u\{[^}]*\}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|c[A-Za-z]|[Pp]\{[^}]*\}|k<[^>]*>|\d+|[^])|\[(?:\\[^]|[^\]\\])*\]|\((?:\?(?:<?[=!]|:|<[^>]*>|[a-z-]+:))?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|[^]/g;

/** With the flag `u` a surrogate pair is one token. */
export function tokensOf(source: string, flags = ""): string[] {
  return source.match(flags.includes("u") ? new RegExp(token, "gu") : token) ?? [];
}
