import { refuseOlder } from "../needs/refuse-older.ts";
import { contractExtras, type ContractOptions, describeContractWith } from "./extras.ts";

export type { ContractOptions } from "./extras.ts";

refuseOlder("backlot/contract", "vitest", import.meta.url);

/**
 * Makes tests of vitest that ask a real service and an emulator of the fixtures the same, one test for each request. A
 * test fails with a line for each difference. It does what `backlot verify` does.
 *
 * @example
 * describeContract({
 *   against: "https://api.example.com/v1",
 *   apiKey: process.env.API_KEY,
 *   fixtures: await loadFixtures("fixtures"),
 * });
 */
export function describeContract(options: ContractOptions): void {
  describeContractWith(options, contractExtras);
}
