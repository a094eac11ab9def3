import type { Extras } from "../../core/emulator/extras.ts";
import { starbasedbProfile } from "../../extras/starbasedb/profile.ts";

export type { ContractOptions } from "../../extras/recordings/contract/describe-contract.ts";
export { describeContractWith } from "../../extras/recordings/contract/describe-contract.ts";

/** The extras of an emulator that a real service is compared with. */
export const contractExtras: Extras = { tableProfiles: [starbasedbProfile] };
