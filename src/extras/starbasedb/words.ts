/**
 * The kind of token that SQLite reads in a sanitised name, which the service writes into its statement unquoted. A
 * `name` is an identifier or a keyword that may serve as one; `separated` is a number with underscores between its
 * digits.
 */
type WordKind = "empty" | "name" | "keyword" | "integer" | "real" | "separated" | "illegal";

/** Deletes every character but ASCII letters, digits and underscores, as the service does with all names. */
export function sanitize(text: string): string {
  return text.replace(/[^A-Za-z0-9_]/g, "");
}

/** The kind of token that a sanitised name is in SQL. */
export function wordKind(word: string): WordKind {
  if (word === "") return "empty";
  if (/^\d/.test(word)) return numberKind(word);
  return reservedWords.has(word.toUpperCase()) ? "keyword" : "name";
}

function numberKind(word: string): WordKind {
  if (/^\d+$/.test(word) || /^0x[0-9a-f]+$/i.test(word)) return "integer";
  if (/^\d+e\d+$/i.test(word)) return "real";
  const isSeparated = /^(?:0x[0-9a-f][0-9a-f_]*|\d[\d_]*(?:e\d[\d_]*)?)$/i.test(word);
  return isSeparated ? "separated" : "illegal";
}

/**
 * A number without the underscores between its digits. Underscores elsewhere make the number invalid, so it is left
 * unchanged.
 */
export function withoutSeparators(word: string): string {
  if (wordKind(word) !== "separated") return word;
  const misplaced = /^0x/i.test(word) ? /_(?![0-9a-f])/i : /(?<!\d)_|_(?!\d)/;
  return misplaced.test(word) ? word : word.replaceAll("_", "");
}

/** Whether a word may be the name of a table, or of a column that is written to. */
export function isName(word: string): boolean {
  return wordKind(word) === "name";
}

/** Whether a name may begin an expression, as it does in WHERE and ORDER BY. */
export function startsExpression(name: string): boolean {
  return !namesThatStartNoExpression.has(name.toUpperCase());
}

/** Whether `PRAGMA table_info(…)`, which precedes most statements, accepts a word. */
export function isPragmaArgument(word: string): boolean {
  const kind = wordKind(word);
  if (kind === "keyword") return wordsThatPragmaTakes.has(word.toUpperCase());
  return kind === "name" || kind === "integer" || kind === "real";
}

/** SQLite's keywords that cannot be names. For all others the parser falls back to an identifier. */
export const reservedWords: ReadonlySet<string> = new Set(
  (
    "ADD ALL ALTER AND AS AUTOINCREMENT BETWEEN CASE CHECK COLLATE COMMIT CONSTRAINT CREATE DEFAULT DEFERRABLE " +
    "DELETE DISTINCT DROP ELSE ESCAPE EXCEPT EXISTS FOREIGN FROM GROUP HAVING IN INDEX INSERT INTERSECT INTO IS " +
    "ISNULL JOIN LIMIT NOT NOTHING NOTNULL NULL ON OR ORDER PRIMARY REFERENCES RETURNING SELECT SET TABLE THEN TO " +
    "TRANSACTION UNION UNIQUE UPDATE USING VALUES WHEN WHERE"
  ).split(" "),
);

/** Names that begin another construct at the start of an expression. */
const namesThatStartNoExpression: ReadonlySet<string> = new Set(["CAST", "RAISE"]);

/** Keywords that a pragma accepts as its argument, since some pragmas have them as values. */
const wordsThatPragmaTakes: ReadonlySet<string> = new Set(["DEFAULT", "DELETE", "ON"]);

/** Names that mean the time in an expression, even if a column has them. */
export const timeWords: ReadonlySet<string> = new Set([
  "CURRENT_DATE",
  "CURRENT_TIME",
  "CURRENT_TIMESTAMP",
]);

/** Names of the row id, unless a column has them. */
export const rowIdWords: ReadonlySet<string> = new Set(["ROWID", "OID", "_ROWID_"]);
