import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** A busy machine may take its time: what is waited for comes, or the test fails. */
const expect = { poll: { timeout: 10_000 } };

/** Those that measure their own process, and so cannot share it with others. */
const alone = ["test/fuzz/fuzz-guards.test.ts", "test/fronts/node/streams.test.ts"];

/** To load the modules anew for each file takes two fifths of the time, and no file leaves anything in another's way. */
const isolate = false;

export default defineConfig({
  test: {
    // Three on two cores, where vitest takes one: much of the time is waiting for browsers, servers and processes. With two
    // all takes a fifth longer.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: "unit",
          expect,
          include: ["test/{core,extras,fuzz}/**/*.test.ts", "test/fronts/vitest/**/*.test.ts"],
          exclude: [...alone, "test/extras/recordings/contract/**"],
          isolate,
          globalSetup: "test/support/postgres/global-setup.ts",
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: "fronts",
          expect,
          include: [
            "test/fronts/{node,msw,cli,vite}/**/*.test.ts",
            "test/extras/recordings/contract/**/*.test.ts",
            "test/{contract,examples}/**/*.test.ts",
          ],
          exclude: [...alone],
          isolate,
          testTimeout: 20_000,
        },
      },
      { test: { name: "alone", expect, include: [...alone], testTimeout: 20_000 } },
      {
        test: {
          name: "browser",
          expect,
          include: ["test/fronts/page/**/*.test.ts", "test/contract/*.contract.test.ts"],
          globalSetup: "test/support/browser/global-setup.ts",
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: "package",
          expect,
          include: ["test/package/**/*.test.ts"],
          globalSetup: [
            "test/support/installed-package.ts",
            "test/support/postgres/global-setup.ts",
          ],
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
});
