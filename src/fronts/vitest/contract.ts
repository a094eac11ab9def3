import { refuseOlder } from "../needs/refuse-older.ts";
import { fetchDirectly } from "../node/fetch-directly.ts";
import { contractExtras, type ContractOptions, describeContractWith } from "./extras.ts";

export type { ContractOptions } from "./extras.ts";

refuseOlder("backlot/contract", "vitest", import.meta.url);

/**
 * Makes tests for vitest that send the same requests to a real service and to an emulator of the fixtures, one test for
 * each request. A failing test lists every difference. It does the same as `backlot verify`.
 *
 * @example
 * describeContract({
 *   against: "https://api.example.com/v1",
 *   apiKey: process.env.API_KEY,
 *   fixtures: await loadFixtures("fixtures"),
 * });
 */
export function describeContract(options: ContractOptions): void {
  describeContractWith(options, {
    extras: contractExtras,
    fetch: (request) => fetchDirectly(request),
  });
}
