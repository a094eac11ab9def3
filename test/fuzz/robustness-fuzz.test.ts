import { expect, test } from "vitest";
import { fuzzers } from "./kinds.ts";

// `npm run fuzz` tries a million of each kind.

/** Of each kind as many as take some seconds. */
const counts: Readonly<Record<string, number>> = {
  http: 1_000,
  query: 8_000,
  write: 6_000,
  chat: 4_000,
  control: 1_000,
  fixtures: 1_000,
  dump: 1_000,
  cassette: 1_000,
};

/** A machine that does other things, too, may take its time. */
const patientMs = 15_000;

test.each(fuzzers)(
  "survives what $name sends",
  async ({ name, run }) => {
    const count = counts[name] ?? 1_000;
    const { findings, tried } = await run({ seed: 1, count, slowMs: patientMs });
    expect(findings).toEqual([]);
    expect(tried).toBe(count);
  },
  120_000,
);
