import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inputFolder } from "./file-watch.ts";
import type { FuzzKind, Problem } from "./fuzz-kind.ts";
import { type FuzzReport, fuzzerOf } from "./fuzz-run.ts";

// A check that finds nothing may be one that looks at nothing: each is given something to find.

const counts = { from: 490, count: 40 };
const bad = 501;

/** Numbers, of which one does what no input may do. */
function kindThat(does: () => Problem | Promise<Problem>): FuzzKind<number> {
  let made = counts.from;
  return {
    name: "planted",
    make: () => made++,
    open: () =>
      Promise.resolve({
        try: (input) => (input === bad ? does() : undefined),
        check: () => Promise.resolve(undefined),
        close: () => Promise.resolve(),
      }),
  };
}

function run(does: () => Problem | Promise<Problem>, slowMs = 1_000): Promise<FuzzReport> {
  return fuzzerOf(kindThat(does)).run({ ...counts, seed: 1, slowMs });
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
  const { findings, tried } = await run(does);
  expect(findings).toMatchObject([{ kind: "planted", problem: expect.stringMatching(expected) }]);
  // Prototypes are looked at closely after each block.
  expect([501, 529]).toContain(findings[0]?.index);
  expect(tried).toBe(counts.count);
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
  const { findings } = await fuzzerOf(slow).run({ ...counts, seed: 1, slowMs: 40 });
  expect(findings).toMatchObject([
    { problem: expect.stringMatching(/^slow: it took \d+ ms$/), index: bad, again: true },
  ]);
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
  const range = { seed: 1, count: 1_000, heapEvery: 500 };
  const grown = await fuzzerOf(growing).run(range);
  expect(grown.findings).toMatchObject([{ problem: expect.stringMatching(/^memory grows: /) }]);
  expect(kept.length).toBe(1_000);
  const flat = await fuzzerOf(kind).run(range);
  expect(flat).toMatchObject({ findings: [], heap: { length: 2 } });
});

test("leaves the folder of an input to it", async () => {
  const folder = `${inputFolder}planted`;
  const { findings } = await run(() => {
    mkdirSync(folder);
    writeFileSync(join(folder, "db.json"), "{}");
    readFileSync(join(folder, "db.json"));
    rmSync(folder, { recursive: true });
    return undefined;
  });
  expect(findings).toEqual([]);
});
