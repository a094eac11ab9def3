import { expect, test } from "vitest";
import { SortedTree } from "../../../src/core/store/sorted-tree.ts";
import { comparedOrder } from "./numbered-trees.ts";

test("tells what was put in, changed and taken out since a fork", () => {
  const keys = Array.from({ length: 20_000 }, (_, at) => at * 2);
  const values = keys.map((key) => `v${key}`);
  const before = new SortedTree(
    comparedOrder<string>((left, _, right) => left - right),
    { keys, values },
  );
  const after = before.fork();
  expect(after.differencesFrom(before)).toEqual(new Map());
  after.set(7, "put in");
  after.set(20_000, "changed");
  after.set(30_000, "v30000");
  after.delete(39_998, "");
  const changes: [number, string | undefined][] = [
    [7, "put in"],
    [20_000, "changed"],
    [39_998, undefined],
  ];
  expect(after.differencesFrom(before)).toEqual(new Map(changes));
  const undone: [number, string | undefined][] = [
    [7, undefined],
    [20_000, "v20000"],
    [39_998, "v39998"],
  ];
  expect(before.differencesFrom(after)).toEqual(new Map(undone));
});
