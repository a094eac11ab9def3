import { EmulatorError } from "../../errors/emulator-error.ts";
import { didYouMean, showText } from "../../errors/show.ts";
import type { FaultRule, PlannedFault } from "../../fixture-set/format/fault-format.ts";
import type { Readers } from "../readers.ts";
import type { StateOwner } from "../state.ts";

/** The planned faults, for code that runs beside the emulator. */
export interface PlannedFaults {
  /**
   * Plans a fault after the existing ones, and returns it with its id. For each request, the first fault that matches
   * and passes its probability acts. Throws `ERR_FAULT_REFUSED` for an invalid rule.
   */
  readonly add: (rule: FaultRule) => PlannedFault;
  /** The faults in matching order, without used-up ones. */
  readonly list: () => readonly PlannedFault[];
  /** Removes a fault. Throws `ERR_FAULT_REFUSED` when there is none of that id. */
  readonly remove: (id: string) => void;
  /** Removes all faults. */
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

/** Removes a fault. Throws `ERR_FAULT_REFUSED` when there is none of that id. */
export function removeFault({ state: { faults } }: StateOwner, id: string): void {
  if (faults.remove(id)) return;
  const ids = faults.list().map((planned) => planned.id);
  throw new EmulatorError(
    "ERR_FAULT_REFUSED",
    `Cannot remove the fault ${showText(id)}: there is none of that id.${didYouMean(id, ids)}`,
  );
}
