import { expect, test } from "vitest";
import { isLong } from "../../support/tries.ts";
import { serverInProcess } from "./in-process.ts";
import { fuzzWorld } from "./run.ts";

// `npm run fuzz:world` goes on for as long as one likes, with a process that dies.

test("keeps what it acknowledged through requests, faults, sessions, snapshots and resets in any order", async () => {
  const server = await serverInProcess();
  const runs = isLong ? 2_000 : 100;
  const report = await fuzzWorld(server, { seed: 1, runs, longest: 12 });
  await server.close();
  expect(report).toMatchObject({ finding: undefined, runs });
}, 300_000);
