const scheme =
  "(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\\+srv)?|rediss?|mssql|sqlserver|amqps?):\\/";

/**
 * The address of a database, up to the end of its quotes or of its word, since passwords may have any character. The
 * example of Backlot's own messages stays.
 */
const database = new RegExp(
  `(?:(?<=["'])${scheme}[^"'\\n]*|\\b${scheme}(?!\\/user:password@)[^\\s"']*)`,
  "gi",
);

/** User and password in another URL. */
const credentials = /([a-z]{2}:\/\/?)(?!user:password@)[^\s"'/]+@/gi;

/** A text without users and passwords in its URLs, even if a database was given as the path of fixtures. */
export function withoutPasswords(text: string): string {
  if (!text.includes(":/")) return text;
  return text.replaceAll(database, withoutPassword).replaceAll(credentials, "$1…@");
}

function withoutPassword(url: string): string {
  return url
    .replace(/^(\w[\w+]*:\/\/?).*@/, "$1…@")
    .replaceAll(/([?&]\w*password=)[^&\s]*/gi, "$1…");
}
