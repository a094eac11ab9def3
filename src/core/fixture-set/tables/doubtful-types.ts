import type { Findings } from "../../schema/schema.ts";
import type { TablePlan } from "./read-tables.ts";
import { columnKind, namedKinds } from "../../store/column-kinds.ts";
import { nearestName, showText } from "../../errors/show.ts";

/** Common column types with a meaning here. */
const known = [...namedKinds, "BLOB", "FLOAT", "DOUBLE", "CHAR", "VARCHAR"];

/** SQL types that are numbers to SQLite. They are not typos, however similar to another type. */
const usual = "BIT BOOL CIDR DATE DATETIME DECIMAL MONEY NUMBER TIME YEAR".split(" ");

/** Warns of column types that are probably typos: SQLite takes any unknown word for a numeric type. */
export function warnOfDoubtfulTypes(plans: readonly TablePlan[], findings: Findings): void {
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

/** The nearest known type, if a column of that type would store values in another way. */
function nearestType(type: string): string | undefined {
  if (columnKind(type) !== "NUMERIC") return undefined;
  // Only the name: `VARCHAR` for `varchar (20)`.
  const name = type.replace(/\(.*/s, "").trim().toUpperCase();
  const nearest = nearestName(name, [...usual, ...known]);
  return nearest !== undefined && columnKind(nearest) !== "NUMERIC" ? nearest : undefined;
}
