import type { Findings } from "../../schema/findings.ts";
import type { JsonPath } from "../../schema/json.ts";
import type { StorageRules } from "../../store/storage-rules.ts";
import { foldedNames } from "./folded-names.ts";
import type { TablePlan } from "./read-tables.ts";

/** Reports names that these rules do not allow. SQLite folds the case of ASCII letters. */
export function refuseFoldedNames(
  plans: readonly TablePlan[],
  findings: Findings,
  storage: StorageRules,
): void {
  for (const { table: plan, column, text } of foldedNames(plans, storage)) {
    const path = column === undefined ? plan.path : pathOfColumn(plan, column);
    findings.report(path, text, { at: "key" });
  }
}

/** Where a column is listed, or is first used by a row. */
function pathOfColumn({ given, path, rows, rowsPath }: TablePlan, name: string): JsonPath {
  if (given.columns !== undefined) return [...path, "columns", name];
  const row = rows.findIndex((one) => Object.hasOwn(one, name));
  return row === -1 ? [...path, "generate", "row", name] : [...rowsPath, row, name];
}
