import type { Problem } from "../../errors/emulator-error.ts";
import type { Assembled } from "../assemble.ts";
import { positionOf } from "../json/text-position.ts";
import type { Finding, Findings } from "../../schema/findings.ts";
import type { TablePlan } from "./plan-tables.ts";

/** How dumps are read. */
export interface PlanDumpsOptions {
  /** The tables of the document's other files. */
  readonly others: readonly TablePlan[];
  /** Unix time in milliseconds, for `CURRENT_TIMESTAMP`. */
  readonly now: number;
  readonly skipUnsupported?: boolean | undefined;
}

/** The tables of a document's dumps. */
export interface PlannedDumps {
  readonly plans: readonly TablePlan[];
  /** Whether something is wrong, so that what others refer to may be missing. */
  readonly isPartial: boolean;
  readonly warnings: readonly Problem[];
}

/** Reads the SQL dumps of a document. What is wrong with them is added to its problems, with file and place. */
export async function planDumps(
  { dumps, problems, origins }: Pick<Assembled, "dumps" | "problems" | "origins">,
  findings: Findings,
  { others, now, skipUnsupported = false }: PlanDumpsOptions,
): Promise<PlannedDumps> {
  if (dumps.length === 0) return { plans: [], isPartial: false, warnings: [] };
  // Loads the parser, for which those who have no dumps need not wait.
  const { readDumps } = await import("../../../extras/sqlite/read-dumps.ts");
  const schemas = others.map(({ schema }) => schema);
  const dumped = readDumps(dumps, { skipUnsupported, others: schemas, now });
  problems.push(...dumped.problems);
  findings.countMore(dumped.more);
  const plans = dumped.tables.map(({ placeOf, ...contents }): TablePlan => {
    const path = ["tables", contents.schema.name];
    const locate = async ({ path: inDump, message }: Finding): Promise<Problem> => {
      const { file, offset } = placeOf(inDump);
      return { message, file: file.path, ...positionOf(file.text, offset) };
    };
    origins.add(path, { locate });
    return { ...contents, given: {}, generate: undefined, path, rowsPath: [...path, "rows"] };
  });
  return { plans, isPartial: dumped.problems.length > 0, warnings: dumped.warnings };
}
