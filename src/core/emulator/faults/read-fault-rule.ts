import { refuseUnknownTable } from "../../fixture-set/read-state.ts";
import {
  type FaultRule,
  faultRuleSchema,
  type PlannedFault,
} from "../../fixture-set/format/fault-format.ts";
import { copyAsJson } from "../../fixture-set/json/json-copy.ts";
import { problemsError } from "../../errors/emulator-error.ts";
import { Findings, problemAtPath, check } from "../../schema/schema.ts";
import type { StateOwner } from "../state.ts";

/** Validates a rule. `tables` has the names of all tables. Throws `ERR_FAULT_REFUSED` with every problem. */
function readFaultRule(value: unknown, tables: readonly string[]): FaultRule {
  const findings = new Findings();
  const copied = copyAsJson(value, findings);
  const rule = findings.none ? check(faultRuleSchema, copied, { path: [], findings }) : undefined;
  refuseUnknownTable(copied, tables, { path: [], findings });
  if (rule !== undefined && findings.none) return rule;
  const problems = findings.list.map(problemAtPath);
  throw problemsError("ERR_FAULT_REFUSED", "plan the fault", { problems, more: findings.more });
}

/** Validates a rule and plans its fault. Throws `ERR_FAULT_REFUSED` with every problem. */
export function addFault({ state }: StateOwner, input: unknown): PlannedFault {
  return state.faults.add(readFaultRule(input, state.database.names()));
}
