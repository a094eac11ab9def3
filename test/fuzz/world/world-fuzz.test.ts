import { expect, test } from "vitest";
import { propertySeed } from "../../support/tries.ts";
import { serverInProcess } from "./in-process.ts";
import { fuzzWorld } from "./run.ts";

// `npm run fuzz -- world` goes on for as long as one likes, with a process that dies.

test.each([
  ["", 1],
  [" of the service", 2],
  [" with room for few rows", 3],
])(
  "keeps what it acknowledged through all moves in any order, in tables%s",
  async (_, seed) => {
    const server = await serverInProcess();
    const runs = 300;
    const report = await fuzzWorld(server, { seed: 3 * propertySeed + seed, runs, longest: 12 });
    await server.close();
    expect(report).toMatchObject({ finding: undefined, runs });
  },
  300_000,
);
