import { defineConfig } from "vitest/config";

const vitestModule = process.env["VITEST_MODULE"] ?? "";
const isServed = process.env["BACKLOT_URL"] !== undefined;

/** Run by parallel-files.test.ts, which chooses the pool, the module, and whether there is a server already. */
export default defineConfig({
  resolve: {
    alias: [{ find: /^.*\/src\/fronts\/vitest\/index\.ts$/, replacement: vitestModule }],
  },
  test: {
    include: ["*.parallel.ts"],
    globalSetup: isServed ? [] : ["serve.ts"],
    maxWorkers: 4,
    maxConcurrency: 20,
    testTimeout: 15_000,
    hookTimeout: 15_000,
  },
});
