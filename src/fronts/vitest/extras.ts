import type { Extras } from "../../core/emulator/extras.ts";
import { starbasedbProfile } from "../../extras/starbasedb/profile.ts";

export type { ContractOptions } from "../../extras/recordings/contract/describe-contract.ts";
export { describeContractWith } from "../../extras/recordings/contract/describe-contract.ts";

/** The extras of the emulator with which a real service is compared. */
export const contractExtras: Extras = { tableProfiles: [starbasedbProfile] };
