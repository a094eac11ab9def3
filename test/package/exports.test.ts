import { expect, test } from "vitest";

test("the entry points export what the README documents", async () => {
  expect(Object.keys(await import("../../src/index.ts")).toSorted()).toEqual([
    "EmulatorError",
    "createEmulator",
    "isEmulatorError",
  ]);
  expect(Object.keys(await import("../../src/node/index.ts")).toSorted()).toEqual([
    "loadFixtures",
    "startServer",
  ]);
  expect(Object.keys(await import("../../src/vitest/index.ts")).toSorted()).toEqual([
    "createTest",
    "journalMatchers",
  ]);
});
