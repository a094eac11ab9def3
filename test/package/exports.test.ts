import { expect, test } from "vitest";

test("the entry points export what the README documents", async () => {
  expect(Object.keys(await import("../../src/index.ts")).toSorted()).toEqual([
    "EmulatorError",
    "createEmulator",
    "isEmulatorError",
  ]);
  expect(Object.keys(await import("../../src/fronts/page/browser/index.ts"))).toEqual([
    "startWorker",
  ]);
  expect(Object.keys(await import("../../src/fronts/msw/index.ts")).toSorted()).toEqual([
    "handlers",
    "refuseUnhandled",
  ]);
  expect(Object.keys(await import("../../src/fronts/node/index.ts")).toSorted()).toEqual([
    "connect",
    "loadFixtures",
    "middleware",
    "serveTests",
    "startServer",
  ]);
  expect(Object.keys(await import("../../src/fronts/vite/index.ts")).toSorted()).toEqual([
    "backlot",
    "default",
  ]);
  expect(Object.keys(await import("../../src/fronts/vitest/contract.ts"))).toEqual([
    "describeContract",
  ]);
  expect(Object.keys(await import("../../src/fronts/page/worker/index.ts"))).toEqual([
    "startWorker",
  ]);
  expect(Object.keys(await import("../../src/fronts/vitest/index.ts")).toSorted()).toEqual([
    "createTest",
    "journalMatchers",
  ]);
});
