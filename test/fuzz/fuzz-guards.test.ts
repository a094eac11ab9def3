import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inputFolder } from "./file-watch.ts";
import type { FuzzKind, Problem } from "./fuzz-kind.ts";
import { type FuzzReport, fuzzerOf } from "./fuzz-run.ts";

// A check that finds nothing may be one that looks at nothing: each is given something to find.

const range = { seed: 1, count: 400 };
const bad = 7;

/** Numbers, of which one does what no input may do. */
function kindThat(does: () => Problem | Promise<Problem>): FuzzKind<number> {
  return {
    name: "planted",
    make: (random) => random.int(0, 50),
    open: () =>
      Promise.resolve({
        try: (input) => (input === bad ? does() : undefined),
        check: () => Promise.resolve(undefined),
        close: () => Promise.resolve(),
      }),
  };
}

function run(does: () => Problem | Promise<Problem>, slowMs = 1_000): Promise<FuzzReport> {
  return fuzzerOf(kindThat(does)).run({ ...range, slowMs });
}

/** Works, which is more than to take so long where a machine is busy. */
function work(ms: number): undefined {
  const before = process.cpuUsage();
  for (let done = 0; done < ms * 1_000;) {
    const { user, system } = process.cpuUsage(before);
    done = user + system;
  }
}

const path = join(tmpdir(), "backlot-planted.txt");

const faults: readonly (readonly [
  what: string,
  expected: RegExp,
  does: () => Problem | Promise<Problem>,
])[] = [
  ["an answer that is wrong", /^wrong$/, () => "wrong"],
  [
    "an exception",
    /^thrown: RangeError: x/,
    () => {
      throw new RangeError("x");
    },
  ],
  ["a promise that rejects", /^thrown: Error: y/, () => Promise.reject(new Error("y"))],
  [
    "a promise that nobody waits for",
    /^thrown and not caught: Error: z/,
    () => {
      void Promise.reject(new Error("z"));
      return undefined;
    },
  ],
  [
    "a property on every object",
    /^a prototype was touched: polluted/,
    () => {
      Reflect.set(Object.prototype, "polluted", 1);
      return undefined;
    },
  ],
  [
    "another function in place of one",
    /^a prototype was touched: at$/,
    () => {
      Reflect.set(Array.prototype, "at", work);
      return undefined;
    },
  ],
  [
    "a file that is written",
    /^a file was written: .*backlot-planted/,
    () => {
      writeFileSync(path, "");
      rmSync(path);
      return undefined;
    },
  ],
  [
    "a file that is written at leisure",
    /^a file was written: /,
    async () => {
      await writeFile(path, "");
      rmSync(path);
      return undefined;
    },
  ],
  [
    "a file that is read",
    /^a file was read: .*package\.json/,
    () => {
      readFileSync("package.json");
      return undefined;
    },
  ],
];

test.each(faults)("finds %s", async (_, expected, does) => {
  const { finding } = await run(does);
  expect(finding).toMatchObject({ problem: expect.stringMatching(expected), inputs: [bad] });
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test("finds what takes too long, also when it is tried again", async () => {
  const kind = kindThat(() => undefined);
  const slow = {
    ...kind,
    open: async () => ({
      ...(await kind.open()),
      try: (input: number) => (input === bad ? work(60) : undefined),
    }),
  };
  const { finding } = await fuzzerOf(slow).run({ ...range, slowMs: 40 });
  const problem: unknown = expect.stringMatching(/^slow: it took \d+ ms$/);
  expect(finding).toMatchObject({ problem, inputs: [bad] });
});

test("finds memory that grows, and no memory that does not", async () => {
  const kept: string[] = [];
  const kind = kindThat(() => undefined);
  const growing = {
    ...kind,
    open: async () => ({
      ...(await kind.open()),
      try: () => void kept.push("x".repeat(60_000).toUpperCase()),
    }),
  };
  const long = { seed: 1, count: 1_500, heapEvery: 500 };
  const grown = await fuzzerOf(growing).run(long);
  expect(grown.finding).toMatchObject({ problem: expect.stringMatching(/^memory grows: /) });
  const flat = await fuzzerOf(kind).run(long);
  expect(flat).toMatchObject({ tried: 1_500, finding: undefined });
  expect(flat.heap.length).toBeGreaterThan(1);
});

test("repeats a finding by its seed and path", async () => {
  const fuzzer = fuzzerOf(kindThat(() => "wrong"));
  const { finding } = await fuzzer.run(range);
  expect(finding).toMatchObject({ inputs: [bad], path: expect.stringMatching(/^\d+(?::\d+)+$/) });
  const repeated = await fuzzer.run({ ...range, seed: finding?.seed ?? 0, path: finding?.path });
  expect(repeated).toMatchObject({ tried: 0, finding: { inputs: [bad], problem: "wrong" } });
});

test("leaves the folder of an input to it", async () => {
  const folder = `${inputFolder}planted`;
  const { finding } = await run(() => {
    mkdirSync(folder);
    writeFileSync(join(folder, "db.json"), "{}");
    readFileSync(join(folder, "db.json"));
    rmSync(folder, { recursive: true });
    return undefined;
  });
  expect(finding).toBeUndefined();
});
