import type { Reply } from "../../core/http/reply.ts";
import { sqliteReply, syntaxError, unknownToken } from "./errors.ts";
import { longestStatement, mostValues } from "./limits.ts";
import { wordKind } from "./words.ts";

/** A word that the service writes into its statement where a name must stand, and the token after it. */
interface Place {
  readonly word: string;
  readonly offset: number;
  readonly next: string;
  readonly nextOffset: number;
}

/**
 * What SQLite's parser says about `INSERT INTO table (a, b) VALUES (?, ?)`, before it looks anything up; undefined
 * when the statement is well formed. The words are sanitised, so they have one byte a character.
 */
export function refuseInsertSyntax(table: string, columns: readonly string[]): Reply | undefined {
  const head = `INSERT INTO ${table} (`;
  const text = `${head}${columns.join(", ")}) VALUES (`;
  if (text.length + placeholdersLength(columns.length) > longestStatement) {
    return sqliteReply("statement too long", "tooBig");
  }
  const offset = "INSERT INTO ".length;
  const tablePlace = { word: table, offset, next: "(", nextOffset: head.length - 1 };
  for (const place of [tablePlace, ...columnPlaces(columns, head.length)]) {
    const error = nameError(place);
    if (error !== undefined) return sqliteReply(error);
  }
  if (columns.length <= mostValues) return undefined;
  const variable = text.length + mostValues * "?, ".length;
  return sqliteReply(`too many SQL variables at offset ${variable}`);
}

function placeholdersLength(count: number): number {
  return "?".length * count + ", ".length * (count - 1) + ")".length;
}

function columnPlaces(columns: readonly string[], start: number): readonly Place[] {
  let offset = start;
  return columns.map((word, index) => {
    const next = index === columns.length - 1 ? ")" : ",";
    const place = { word, offset, next, nextOffset: offset + word.length };
    offset += word.length + ", ".length;
    return place;
  });
}

function nameError({ word, offset, next, nextOffset }: Place): string | undefined {
  switch (wordKind(word)) {
    case "name":
      return undefined;
    case "empty":
      return syntaxError(next, nextOffset);
    case "illegal":
      return unknownToken(word, offset);
    case "keyword":
    case "integer":
    case "real":
    case "separated":
      return syntaxError(word, offset);
  }
}
