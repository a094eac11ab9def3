import { expect, test } from "vitest";
import { propertySeed, tries } from "../support/tries.ts";
import { fuzzers } from "./kinds.ts";

// `npm run fuzz` tries a million of each kind.

/** Of each kind as many as take a second or so. */
const counts: Readonly<Record<string, number>> = {
  http: 500,
  query: 3_000,
  write: 3_000,
  chat: 2_000,
  control: 500,
  fixtures: 500,
  dump: 500,
  cassette: 500,
};

/** A machine that does other things, too, may take its time. */
const patientMs = 15_000;

test.each(fuzzers)(
  "survives what $name sends",
  async ({ name, run }) => {
    const count = tries(counts[name] ?? 1_000);
    const { finding, tried } = await run({ seed: 1_000 * propertySeed, count, slowMs: patientMs });
    // Of the inputs thousands of lines would be printed: the seed and the path repeat them.
    expect(finding && { ...finding, inputs: finding.inputs.length }).toBeUndefined();
    expect(tried).toBe(count);
  },
  120_000,
);
