import { showText } from "../../core/errors/show.ts";
import { ExpressionProblem } from "../../core/store/checks/expression.ts";
import { readCheck } from "../../core/store/checks/read-check.ts";
import type { CheckConstraint, Column } from "../../core/store/schema.ts";
import { type Token, tokensOf, unquoteName } from "./sql-text.ts";

/** A CHECK constraint as written in the statement that creates its table. */
interface WrittenCheck {
  readonly name: string | undefined;
  readonly sql: string;
}

/** The CHECK constraints of a table. Those that cannot be evaluated are reported with their place, and left out. */
export function readChecks(
  sql: string,
  columns: readonly Column[],
  report: (at: number, what: string) => void,
): readonly CheckConstraint[] {
  return writtenChecks(sql).flatMap((written, at): readonly CheckConstraint[] => {
    try {
      return [readCheck(written, columns)];
    } catch (error) {
      if (!(error instanceof ExpressionProblem)) throw error;
      const named = written.name === undefined ? "" : ` ${showText(written.name)}`;
      report(at, `The CHECK constraint${named} with ${error.message}`);
      return [];
    }
  });
}

/**
 * The CHECK constraints in a statement: outside quotes, the word has no other meaning. The name of a constraint applies
 * to all constraints up to the next comma, as in SQLite.
 */
function writtenChecks(sql: string): readonly WrittenCheck[] {
  const tokens = tokensOf(sql);
  const open = tokens.findIndex(({ text }) => text === "(");
  const found: WrittenCheck[] = [];
  let name: string | undefined;
  for (let at = open + 1; at < tokens.length; at++) {
    const { text } = tokens[at] ?? { text: "" };
    const word = text.toUpperCase();
    if (word === "CHECK") {
      const end = closingBracket(tokens, at + 1);
      const from = (tokens[at + 1]?.offset ?? 0) + 1;
      found.push({ name, sql: sql.slice(from, tokens[end]?.offset).trim() });
    }
    if (word === "CONSTRAINT") name = unquoteName(tokens[at + 1]?.text ?? "");
    if (text === ",") name = undefined;
    // Words in brackets begin no constraint.
    if (word === "CHECK" || text === "(") at = closingBracket(tokens, text === "(" ? at : at + 1);
  }
  return found;
}

function closingBracket(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    const text = tokens[at]?.text;
    if (text === "(") depth++;
    if (text === ")" && --depth === 0) return at;
  }
  return tokens.length;
}
