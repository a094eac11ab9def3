import type { JsonPath } from "../../schema/json.ts";
import type { Findings } from "../../schema/schema.ts";
import { ExpressionProblem } from "../../store/checks/expression.ts";
import { readCheck } from "../../store/checks/read-check.ts";
import type { CheckConstraint } from "../../store/schema.ts";
import type { TableInput } from "../format/table-format.ts";
import type { TablePlan } from "./read-tables.ts";

/** Adds the checks of a table to its plan, and reports those that cannot be read. */
export function withChecks(plan: TablePlan, findings: Findings): TablePlan {
  const checks = writtenChecks(plan.given).flatMap(
    ({ path, ...written }): readonly CheckConstraint[] => {
      try {
        return [readCheck(written, plan.schema.columns)];
      } catch (error) {
        if (!(error instanceof ExpressionProblem)) throw error;
        const message = `Cannot evaluate this condition: it has ${error.message.replace(/,$/, "")}.`;
        findings.report([...plan.path, ...path], message);
        return [];
      }
    },
  );
  return { ...plan, schema: { ...plan.schema, checks } };
}

interface WrittenCheck {
  readonly name?: string;
  readonly sql: string;
  readonly path: JsonPath;
}

/** The checks as written, those of columns first. */
function writtenChecks({ columns = {}, check }: TableInput): readonly WrittenCheck[] {
  const found: WrittenCheck[] = [];
  for (const [name, column] of Object.entries(columns)) {
    const sql = typeof column === "object" ? column.check : undefined;
    if (sql !== undefined) found.push({ sql, path: ["columns", name, "check"] });
  }
  if (typeof check === "string") found.push({ sql: check, path: ["check"] });
  for (const [name, sql] of Object.entries(typeof check === "object" ? check : {})) {
    const named = name === sql ? {} : { name };
    found.push({ ...named, sql, path: ["check", name] });
  }
  return found;
}
