import { integerValue, realValue, type Value } from "../../core/store/value.ts";
import type { TableSchema } from "../../core/store/schema.ts";
import { columnNamed } from "./columns.ts";
import { startsExpression, timeWords, withoutSeparators, wordKind } from "./words.ts";

/** The meaning of a word where SQL expects an expression. */
export type Term =
  | { readonly kind: "column"; readonly column: string }
  | { readonly kind: "constant"; readonly constant: Value };

/** What looking up words needs. */
export interface TermScope {
  readonly schema: TableSchema;
  /** The time, in milliseconds of Unix time. */
  readonly now: () => number;
}

/** The meaning of a word as an expression over a table; undefined if SQLite refuses it. */
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
      return constantTerm(realValue(Number(word)));
    case "keyword":
      return word.toUpperCase() === "NULL" ? constantTerm(null) : undefined;
    case "name":
      return startsExpression(word) ? nameTerm(word, scope) : undefined;
  }
}

function constantTerm(constant: Value): Term {
  return { kind: "constant", constant };
}

function nameTerm(name: string, { schema, now }: TermScope): Term | undefined {
  const upper = name.toUpperCase();
  if (timeWords.has(upper)) return constantTerm(timeText(upper, now()));
  const column = columnNamed(schema, name);
  if (column !== undefined) return { kind: "column", column };
  if (upper === "TRUE") return constantTerm(1);
  return upper === "FALSE" ? constantTerm(0) : undefined;
}

/** Hexadecimal literals have at most 64 bits; larger decimal ones are REAL. */
function integerTerm(word: string): Term | undefined {
  const value = BigInt(word);
  const signed = BigInt.asIntN(64, value);
  if (/^0x/i.test(word)) {
    if (value >= 2n ** 64n) return undefined;
    return constantTerm(integerValue(signed));
  }
  return constantTerm(signed === value ? integerValue(value) : realValue(Number(value)));
}

/** The time as SQLite writes it, in UTC. */
function timeText(word: string, now: number): string {
  const [date = "", rest = ""] = new Date(now).toISOString().split("T");
  const time = rest.slice(0, 8);
  if (word === "CURRENT_DATE") return date;
  return word === "CURRENT_TIME" ? time : `${date} ${time}`;
}
