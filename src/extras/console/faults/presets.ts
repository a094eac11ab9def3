import type { FaultRule } from "../../../core/fixture-set/format/fault-format.ts";

/** Faults that are often needed. */
export const presets: readonly (readonly [title: string, rule: FaultRule])[] = [
  ["slow network", { delayMs: { min: 500, max: 2000 } }],
  ["429, then fine", { status: 429, retryAfterMs: 1000, times: 1 }],
  ["cut after 5 chunks", { interface: "chat", fault: "cut", afterChunks: 5, times: 1 }],
  ["every fifth fails", { status: 500, every: 5 }],
  ["no answer", { fault: "hang", times: 1 }],
];
