import { expect, test } from "vitest";
import { barText, canShowBar, progressBar } from "../../../src/fronts/cli/progress.ts";
import { testIo, type TestIo } from "./test-io.ts";

const progress = { table: "users", done: 250_000, total: 1_000_000 };

/** A terminal, and a clock that is set by hand. */
function terminal(env = {}): TestIo & { time: number } {
  const io = { ...testIo({ isTerminal: true, env }), time: 0 };
  return Object.assign(io, { now: () => io.time });
}

test.each([
  [
    110,
    "users  [==========>                             ]  25 %  250,000 of 1,000,000 rows  50,000/s  15 s left",
  ],
  [80, "users  [===>           ]  25 %  250,000 of 1,000,000 rows  50,000/s  15 s left"],
  [70, "users   25 %  250,000 of 1,000,000 rows  50,000/s  15 s left"],
  [50, "users   25 %  250,000 of 1,000,000 rows  50,000/s"],
  [20, "users   25 %"],
  [4, ""],
])("shows in %d columns as much as fits", (columns, expected) => {
  const text = barText(progress, { elapsed: 5_000, columns });
  expect(text).toBe(expected);
  expect(text.length).toBeLessThan(columns);
});

test.each([
  [{ ...progress, done: 0 }, 0, "  0 %  0 of 1,000,000 rows  0/s"],
  [
    { ...progress, done: 1_000_000 },
    60_000,
    "100 %  1,000,000 of 1,000,000 rows  16,667/s  0 s left",
  ],
  [
    { ...progress, done: 10_000 },
    1_000,
    "  1 %  10,000 of 1,000,000 rows  10,000/s  1 min 39 s left",
  ],
])("shows %j after %d ms", (given, elapsed, expected) => {
  expect(barText(given, { elapsed, columns: 100 })).toContain(expected);
});

test("keeps a table's name from moving the cursor", () => {
  const text = barText({ ...progress, table: "a\u001B[2J\n" }, { elapsed: 1, columns: 100 });
  expect(text).toMatch(/^a\uFFFD\[2J\uFFFD {2}\[/);
});

test("appears after a while, is drawn anew now and then, and leaves an empty line", () => {
  const io = terminal();
  const bar = progressBar(io);
  for (const time of [0, 300, 400, 450, 500, 550]) {
    io.time = time;
    bar.update({ table: "t", done: time, total: 1_000 });
  }
  bar.clear();
  bar.clear();
  const drawn = io.err().split("\r\u001B[K");
  expect(drawn.map((text) => /(\d+) of/.exec(text)?.[1])).toEqual([
    undefined,
    "400",
    "500",
    undefined,
  ]);
  expect(io.err().endsWith("\r\u001B[K")).toBe(true);
});

test("never appears for what is done at once", () => {
  const io = terminal();
  const bar = progressBar(io);
  bar.update({ table: "t", done: 1, total: 2 });
  bar.clear();
  expect(io.err()).toBe("");
});

test.each([
  [true, {}, true],
  [false, {}, false],
  [true, { CI: "true" }, false],
  [true, { CI: "" }, true],
  [true, { TERM: "dumb" }, false],
])("terminal %j with %j: %j", (isTerminal, env, expected) => {
  expect(canShowBar(testIo({ isTerminal, env }))).toBe(expected);
});
