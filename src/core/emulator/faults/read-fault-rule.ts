import { refuseUnknownTable } from "../../fixture-set/read-state.ts";
import {
  type FaultRule,
  faultRuleSchema,
  type PlannedFault,
} from "../../fixture-set/format/fault-format.ts";
import { copyAsJson } from "../../fixture-set/json/json-copy.ts";
import { problemsError } from "../../errors/emulator-error.ts";
import { Findings, problemAtPath, check } from "../../schema/schema.ts";
import { didYouMean, showText } from "../../errors/show.ts";
import type { StateOwner } from "../state.ts";

/** The names of all tables and scripts. */
interface KnownNames {
  readonly tables: readonly string[];
  readonly scripts: readonly string[];
}

/** Validates a rule. Throws `ERR_FAULT_REFUSED` with every problem. */
function readFaultRule(value: unknown, { tables, scripts }: KnownNames): FaultRule {
  const findings = new Findings();
  const copied = copyAsJson(value, findings);
  const rule = findings.none ? check(faultRuleSchema, copied, { path: [], findings }) : undefined;
  refuseUnknownTable(copied, tables, { path: [], findings });
  if (rule?.script !== undefined && !scripts.includes(rule.script)) {
    const advice = didYouMean(rule.script, scripts);
    findings.report(["script"], `There is no script ${showText(rule.script)}.${advice}`);
  }
  if (rule !== undefined && findings.none) return rule;
  const problems = findings.list.map(problemAtPath);
  throw problemsError("ERR_FAULT_REFUSED", "plan the fault", { problems, more: findings.more });
}

/**
 * Validates a rule and plans its fault. Throws `ERR_FAULT_REFUSED` with every problem, and `ERR_ADDED_FULL` where there
 * is no room for it.
 */
export function addFault({ state }: StateOwner, input: unknown): PlannedFault {
  const scripts = state.scripts.list().map(({ name }) => name);
  const rule = readFaultRule(input, { tables: state.database.names(), scripts });
  state.added.take(rule);
  return state.faults.add(rule);
}
