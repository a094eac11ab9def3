import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { operatorNames } from "../../src/core/store/operators.ts";

test("the page of the interfaces names every operator of filters", () => {
  const page = readFileSync(new URL("../../docs/interfaces.md", import.meta.url), "utf8");
  const row = page.split("\n").find((line) => line.startsWith("| `<column>.<operator>=<value>`"));
  const named = [...(row ?? "").matchAll(/`([a-z]+)`/g)].map(([, name]) => name);
  expect(named).toEqual(operatorNames);
});
