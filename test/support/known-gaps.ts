import type { TransportName } from "./transports.ts";

/** Titles of contract scenarios that a transport is known to fail. Each turns red when it begins to pass. */
export const knownGaps: Readonly<Record<TransportName, readonly string[]>> = {
  direct: [],
  node: [],
  msw: [],
};
