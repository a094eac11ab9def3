import type { Findings } from "../../schema/findings.ts";
import type { TablePlan } from "./plan-tables.ts";
import { columnKind, namedKinds } from "../../store/column-kinds.ts";
import { nearestName } from "../../errors/nearest-name.ts";
import { showText } from "../../errors/show.ts";

/** Types that columns are usually given and that mean something here. */
const known = [...namedKinds, "BLOB", "FLOAT", "DOUBLE", "CHAR", "VARCHAR"];

/** Types that SQL has and that are numbers to SQLite; no slips, however near they are to one of the others. */
const usual = "BIT BOOL CIDR DATE DATETIME DECIMAL MONEY NUMBER TIME YEAR".split(" ");

/**
 * Tells of column types that are nearly known ones, and are numbers as they are written: SQLite takes any word for one
 * that it does not know.
 */
export function tellDoubtfulTypes(plans: readonly TablePlan[], findings: Findings): void {
  for (const { path, given } of plans) {
    for (const [name, column] of Object.entries(given.columns ?? {})) {
      const type = typeof column === "string" ? column : column.type;
      const nearest = type === undefined ? undefined : nearestType(type);
      if (type === undefined || nearest === undefined) continue;
      const place = [...path, "columns", name, ...(typeof column === "string" ? [] : ["type"])];
      const message = `The column type ${showText(type)} is taken as "NUMERIC". Did you mean ${showText(nearest)}?`;
      findings.report(place, message);
    }
  }
}

/** A type that is nearly written, and under which values are not kept as they are under the written one. */
function nearestType(type: string): string | undefined {
  if (columnKind(type) !== "NUMERIC") return undefined;
  // `VARCHAR` of `varchar (20)`.
  const name = type.replace(/\(.*/s, "").trim().toUpperCase();
  const nearest = nearestName(name, [...usual, ...known]);
  return nearest !== undefined && columnKind(nearest) !== "NUMERIC" ? nearest : undefined;
}
