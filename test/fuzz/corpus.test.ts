import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fuzzers } from "./kinds.ts";

// Inputs that something was wrong with once, as small as they were found. A file is called as the kind, and what it was.

const folder = new URL("corpus/", import.meta.url);

interface Found {
  /** What went wrong. */
  readonly was: string;
  readonly inputs: readonly unknown[];
}

test.each(readdirSync(folder))("survives %s", async (file) => {
  const found: Found = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
  const fuzzer = fuzzers.find(({ name }) => file.startsWith(`${name}.`));
  expect(await fuzzer?.replay(found.inputs, 15_000)).toBeUndefined();
  expect(fuzzer).toBeDefined();
});
