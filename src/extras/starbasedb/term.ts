import { realText } from "../../core/store/number-text.ts";
import type { TableSchema } from "../../core/store/schema.ts";
import { findColumn } from "./columns.ts";
import { timeWords } from "./keywords.ts";
import { startsExpression, withoutSeparators, wordKind } from "./words.ts";

/** A value that a statement has in place of a column. Numbers are also needed as the text that LIKE sees. */
export type Constant =
  | { readonly kind: "null" }
  | { readonly kind: "number"; readonly text: string }
  | { readonly kind: "text"; readonly text: string };

/** What a word means where SQL wants an expression. */
export type Term =
  | { readonly kind: "column"; readonly column: string }
  | { readonly kind: "constant"; readonly constant: Constant };

/** What words are looked up in. */
export interface TermScope {
  readonly schema: TableSchema;
  /** The time, in milliseconds of Unix time. */
  readonly now: () => number;
}

/** What a word means as an expression over a table; undefined when SQLite refuses it. */
export function readTerm(written: string, scope: TermScope): Term | undefined {
  const word = withoutSeparators(written);
  switch (wordKind(word)) {
    case "empty":
    case "separated":
    case "illegal":
      return undefined;
    case "integer":
      return integerTerm(word);
    case "real":
      return constantTerm({ kind: "number", text: realText(Number(word)) });
    case "keyword":
      return word.toUpperCase() === "NULL" ? constantTerm({ kind: "null" }) : undefined;
    case "name":
      return startsExpression(word) ? nameTerm(word, scope) : undefined;
  }
}

function constantTerm(constant: Constant): Term {
  return { kind: "constant", constant };
}

function nameTerm(name: string, { schema, now }: TermScope): Term | undefined {
  const upper = name.toUpperCase();
  if (timeWords.has(upper)) return constantTerm({ kind: "text", text: timeText(upper, now()) });
  const column = findColumn(schema, name);
  if (column !== undefined) return { kind: "column", column };
  if (upper === "TRUE") return constantTerm({ kind: "number", text: "1" });
  return upper === "FALSE" ? constantTerm({ kind: "number", text: "0" }) : undefined;
}

/** Hexadecimal literals have at most 64 bits, decimal ones beyond that are REAL. */
function integerTerm(word: string): Term | undefined {
  const value = BigInt(word);
  const signed = BigInt.asIntN(64, value);
  if (/^0x/i.test(word)) {
    if (value >= 2n ** 64n) return undefined;
    return constantTerm({ kind: "number", text: signed.toString() });
  }
  const text = signed === value ? value.toString() : realText(Number(value));
  return constantTerm({ kind: "number", text });
}

/** The time as SQLite writes it, in UTC. */
function timeText(word: string, now: number): string {
  const [date = "", rest = ""] = new Date(now).toISOString().split("T");
  const time = rest.slice(0, 8);
  if (word === "CURRENT_DATE") return date;
  return word === "CURRENT_TIME" ? time : `${date} ${time}`;
}
