import type { PlannedFault } from "../../fixture-set/format/fault-rule-format.ts";
import type { StateOwner } from "../state.ts";
import { readFaultRule } from "./read-fault-rule.ts";

/** Plans a fault of a rule that may be anything. Throws `ERR_FAULT_REFUSED` with everything that is wrong. */
export function addFault({ state }: StateOwner, input: unknown): PlannedFault {
  return state.faults.add(readFaultRule(input, state.database.names()));
}
