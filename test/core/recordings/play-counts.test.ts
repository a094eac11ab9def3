import { expect, test } from "vitest";
import { PlayCounts } from "../../../src/core/recordings/play-counts.ts";

test("counts by cassette and place", () => {
  const counts = new PlayCounts();
  counts.add("a", 2);
  counts.add("a", 2);
  counts.add("__proto__", 0);
  expect(counts.entries()).toEqual([
    ["a", [0, 0, 2]],
    ["__proto__", [1]],
  ]);
  expect([counts.of("a", 2), counts.of("a", 7), counts.of("b", 0)]).toEqual([2, 0, 0]);
});

test("forks go their own ways", () => {
  const counts = new PlayCounts([["a", [1]]]);
  const fork = counts.fork();
  counts.add("a", 0);
  fork.add("a", 1);
  const second = fork.fork();
  second.add("b", 0);
  expect(counts.entries()).toEqual([["a", [2]]]);
  expect(fork.entries()).toEqual([["a", [1, 1]]]);
  expect(second.entries()).toEqual([
    ["a", [1, 1]],
    ["b", [1]],
  ]);
});

test("what it begins with, and what it tells, is a copy", () => {
  const given = [1];
  const counts = new PlayCounts([["a", given]]);
  counts.add("a", 0);
  expect(given).toEqual([1]);
  const [[, told] = ["", []]] = counts.entries();
  counts.add("a", 0);
  expect(told).toEqual([2]);
});
