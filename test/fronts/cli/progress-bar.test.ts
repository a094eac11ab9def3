import { expect, test } from "vitest";
import { followProgress } from "../../../src/fronts/cli/progress.ts";
import { testIo } from "./test-io.ts";

/** What is drawn of tables at times, on a terminal. */
function drawn(
  updates: readonly (readonly [time: number, done: number, table?: string])[],
  options: Parameters<typeof testIo>[0] = {},
): string {
  let time = 0;
  const io = { ...testIo({ isTerminal: true, ...options }), now: () => time };
  const { onProgress, clear } = followProgress(io);
  for (const [at, done, table = "users"] of updates) {
    time = at;
    void onProgress({ table, done, total: 1_000_000 });
  }
  clear();
  clear();
  return io.err();
}

const clearLine = "\r\u001B[K";

test("shows how far it is, and how long the rest may take", () => {
  const text = drawn([
    [0, 0],
    [5_000, 250_000],
  ]);
  expect(text).toBe(
    `${clearLine}users  [=====               ]  25 %  250,000 of 1,000,000 rows  15 s left${clearLine}`,
  );
});

test("appears after a while, is drawn anew now and then, and leaves an empty line", () => {
  const text = drawn([0, 300, 400, 450, 500, 550].map((time) => [time, time]));
  const counts = text.split(clearLine).map((line) => /(\d+) of/.exec(line)?.[1]);
  expect(counts).toEqual([undefined, "400", "500", undefined]);
});

test("keeps a table's name from moving the cursor", () => {
  const name = "a\u001B[2J\n";
  const text = drawn([
    [0, 0, name],
    [500, 1, name],
  ]);
  expect(text).toContain("a\\u001b[2J\\n  [");
});

test("never appears for what is done at once", () => {
  expect(drawn([[0, 1]])).toBe("");
});

test.each([[{ isTerminal: false }], [{ env: { CI: "true" } }], [{ env: { TERM: "dumb" } }]])(
  "never appears where nobody watches: %j",
  (options) => {
    expect(
      drawn(
        [
          [0, 1],
          [900, 2],
        ],
        options,
      ),
    ).toBe("");
  },
);
