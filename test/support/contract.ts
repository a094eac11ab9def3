import { inject, test } from "vitest";
import { knownGaps } from "./known-gaps.ts";
import { type Transport, type TransportName, transports as localTransports } from "./transports.ts";

/** Where a browser was started for the tests, as for vitest's project of that name, the transports go through it. */
const isInBrowser: boolean = inject("browser") !== undefined;
const transports = isInBrowser
  ? (await import("./browser/transports.ts")).browserTransports
  : localTransports;

const gapTimeout = 500;

/**
 * For long lists of answers that depend on the emulator alone. In a browser our own worker is enough: behind msw's
 * worker, the emulator would answer the same.
 */
export const ofTheEmulator: { readonly without: readonly TransportName[] } = {
  without: ["browser msw worker"],
};

/**
 * One scenario, run over every transport. Where its title is a known gap of a transport it is expected to fail
 * there, and turns red when it passes. Transports are left out where the others show the same.
 */
export function contract(
  title: string,
  run: (transport: Transport) => Promise<void>,
  { without = [] }: { readonly without?: readonly TransportName[] } = {},
): void {
  for (const transport of transports) {
    if (without.includes(transport.name)) continue;
    const isGap = knownGaps[transport.name].includes(title);
    // What never comes shows soon enough.
    const options = isGap ? { timeout: gapTimeout } : {};
    const expected = isGap ? test.fails : test;
    expected(`${title} [${transport.name}]`, options, () => run(transport));
  }
}
