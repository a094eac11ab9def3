import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { operatorNames } from "../../src/core/store/operators.ts";

test("the page of tables names every operator of filters", () => {
  const page = readFileSync(new URL("../../docs/tables.md", import.meta.url), "utf8");
  const row = page.split("\n").find((line) => line.startsWith("| `<column>.<operator>=<value>`"));
  const named = [...(row ?? "").matchAll(/`([a-z]+)`/g)].map(([, name]) => name);
  expect(named).toEqual(operatorNames);
});
