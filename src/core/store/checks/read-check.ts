import type { CheckConstraint, Column } from "../schema.ts";
import { compileExpression } from "./compile-expression.ts";
import { parseExpression } from "./parse-expression.ts";
import { strictStorage } from "../storage-rules.ts";
import { truthOf } from "./scalar.ts";

/**
 * Reads the expression of a CHECK constraint over these columns. Throws an `ExpressionProblem` that names what cannot be
 * evaluated.
 */
export function readCheck(
  { sql, name }: { readonly sql: string; readonly name?: string | undefined },
  columns: readonly Column[],
): CheckConstraint {
  const { expression, reads } = parseExpression(
    sql,
    columns.map((column) => column.name),
  );
  // Throws for unknown functions, under any storage rules.
  compileExpression(expression, columns, strictStorage);
  const compile: CheckConstraint["compile"] = (own, storage) => {
    const run = compileExpression(expression, own, storage);
    return (row) => truthOf(run(row)) !== false;
  };
  const isNamed = name !== undefined;
  return { name: name ?? usualName(sql), isNamed, sql, columns: [...reads], compile };
}

/** SQLite names a constraint without a name after its expression, or after the first word of it if that is quoted. */
function usualName(sql: string): string {
  const text = sql.trim();
  const [, quoted] =
    /^"((?:[^"]|"")*)"|^'((?:[^']|'')*)'|^`((?:[^`]|``)*)`|^\[([^\]]*)\]/
      .exec(text)
      ?.filter((part) => part !== undefined) ?? [];
  if (quoted === undefined) return text;
  const quote = text.charAt(0);
  return quoted.replaceAll(quote + quote, quote);
}
