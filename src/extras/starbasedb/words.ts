import { namesThatStartNoExpression, reservedWords, wordsThatPragmaTakes } from "./keywords.ts";

/**
 * What a sanitised name is to SQLite's tokenizer: the service writes it into its statement as it is. A `name`
 * is an identifier or a keyword that may stand for one, and `separated` a number with underscores among its digits.
 */
export type WordKind = "empty" | "name" | "keyword" | "integer" | "real" | "separated" | "illegal";

/** Deletes every character but ASCII letters, digits and underscores, as the service does with all names. */
export function sanitize(text: string): string {
  return text.replace(/[^A-Za-z0-9_]/g, "");
}

/** What a sanitised name is in SQL. */
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

/** A number without the underscores between its digits. Where they stand elsewhere, it means nothing and stays. */
export function withoutSeparators(word: string): string {
  if (wordKind(word) !== "separated") return word;
  const misplaced = /^0x/i.test(word) ? /_(?![0-9a-f])/i : /(?<!\d)_|_(?!\d)/;
  return misplaced.test(word) ? word : word.replaceAll("_", "");
}

/** Whether a word may stand where SQL wants the name of a table, or of a column that is written to. */
export function isName(word: string): boolean {
  return wordKind(word) === "name";
}

/** Whether a name may begin an expression, as it does in WHERE and ORDER BY. */
export function startsExpression(name: string): boolean {
  return !namesThatStartNoExpression.has(name.toUpperCase());
}

/** Whether `PRAGMA table_info(…)`, which comes before most statements, takes a word. */
export function isPragmaArgument(word: string): boolean {
  const kind = wordKind(word);
  if (kind === "keyword") return wordsThatPragmaTakes.has(word.toUpperCase());
  return kind === "name" || kind === "integer" || kind === "real";
}
