import { EmulatorError } from "../../errors/emulator-error.ts";
import { didYouMean } from "../../errors/nearest-name.ts";
import type { FaultRule, PlannedFault } from "../../fixture-set/format/fault-format.ts";
import { showText } from "../../errors/show.ts";
import type { Readers } from "../readers.ts";
import type { StateOwner } from "../state.ts";

/** The faults of the requests to come, for code that runs beside the emulator. */
export interface PlannedFaults {
  /**
   * Plans a fault behind those that are there, and gives it with its id. Of several that match a request the first
   * acts whose chance falls. Throws `ERR_FAULT_REFUSED` for a rule that does not fit.
   */
  readonly add: (rule: FaultRule) => PlannedFault;
  /** In the order in which they are tried, without those that acted as often as they should. */
  readonly list: () => readonly PlannedFault[];
  /** Takes a fault out. Throws `ERR_FAULT_REFUSED` when there is none of that id. */
  readonly remove: (id: string) => void;
  /** Takes all out. */
  readonly clear: () => void;
}

/** Faults of the state that requests see. */
export function plannedFaults(
  owner: StateOwner,
  { addFault }: Pick<Readers, "addFault">,
): PlannedFaults {
  return {
    add: (input) => addFault(owner, input),
    list: () => structuredClone(owner.state.faults.list()),
    remove: (id) => removeFault(owner, id),
    clear: () => owner.state.faults.clear(),
  };
}

/** Takes a fault out. Throws `ERR_FAULT_REFUSED` when there is none of that id. */
export function removeFault({ state: { faults } }: StateOwner, id: string): void {
  if (faults.remove(id)) return;
  const ids = faults.list().map((planned) => planned.id);
  throw new EmulatorError(
    "ERR_FAULT_REFUSED",
    `Cannot remove the fault ${showText(id)}: there is none of that id.${didYouMean(id, ids)}`,
  );
}
