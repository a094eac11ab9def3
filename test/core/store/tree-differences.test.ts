import { expect, test } from "vitest";
import { differences } from "../../../src/core/store/tree/differences.ts";
import { SortedTree } from "../../../src/core/store/tree/sorted-tree.ts";

test("tells what was put in, changed and taken out since a fork", () => {
  const keys = Array.from({ length: 20_000 }, (_, at) => at * 2);
  const values = keys.map((key) => `v${key}`);
  const before = new SortedTree((left: number, _, right) => left - right, { keys, values });
  const after = before.fork();
  expect(differences(before.root, after.root)).toEqual(new Map());
  after.set(7, "put in");
  after.set(20_000, "changed");
  after.set(30_000, "v30000");
  after.delete(39_998, "");
  const changes: [number, string | undefined][] = [
    [7, "put in"],
    [20_000, "changed"],
    [39_998, undefined],
  ];
  expect(differences(before.root, after.root)).toEqual(new Map(changes));
  const undone: [number, string | undefined][] = [
    [7, undefined],
    [20_000, "v20000"],
    [39_998, "v39998"],
  ];
  expect(differences(after.root, before.root)).toEqual(new Map(undone));
});
