import { test } from "vitest";
import { knownGaps } from "./known-gaps.ts";
import { type Transport, transports } from "./transports.ts";

/**
 * One scenario, run over every transport. Where its title is a known gap of a transport it is expected to fail
 * there, and turns red when it passes.
 */
export function contract(title: string, run: (transport: Transport) => Promise<void>): void {
  for (const transport of transports) {
    const expected = knownGaps[transport.name].includes(title) ? test.fails : test;
    expected(`${title} [${transport.name}]`, () => run(transport));
  }
}
