import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { run } from "../../../src/fronts/cli/run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { spawnBacklot } from "./backlot-process.ts";
import { testIo, type TestIo } from "./test-io.ts";

/** Surroundings whose clock goes on by 200 ms with each look. */
function busyIo(options: Parameters<typeof testIo>[0]): TestIo {
  let time = 0;
  return { ...testIo(options), now: () => (time += 200) };
}

/** Fixtures with a table that generates rows. */
function generating(count: number): Readonly<Record<string, unknown>> {
  return { "db.json": { tables: { t: { generate: { count, row: { n: "{{ number }}" } } } } } };
}

test.each(["SIGINT", "SIGTERM"] as const)("%s ends a load at once", async (signal) => {
  const { path: cwd } = await temporaryFolder(generating(1_000_000));
  const backlot = spawnBacklot(["db.json", "--port", "0"], { cwd });
  await delay(1_000);
  backlot.signal(signal);
  expect(await backlot.exit).toBe(signal);
  expect([backlot.out(), backlot.err()]).toEqual(["", ""]);
});

test("shows a bar while large files are read and many rows are loaded", async () => {
  const rows = Array.from({ length: 210_000 }, (_, index) => ({ id: index, note: "x".repeat(80) }));
  const folder = await temporaryFolder({
    "fixtures/tables/a.json": rows,
    "fixtures/tables/b.json": [{ id: 1 }],
  });
  const io = busyIo({ cwd: folder.path, isTerminal: true, env: { NO_COLOR: "1" } });
  expect(await run(["check"], io)).toBe(0);
  const drawn = io.err().split("\r\u001B[K").filter(Boolean);
  expect(drawn.slice(0, 2)).toEqual([
    "reading fixtures  [                    ]   0 %  0 of 22 MB",
    expect.stringMatching(/^reading fixtures {2}\[=+\] 100 % {2}22 of 22 MB/),
  ]);
  expect(drawn[2]).toBe("loading tables  [                    ]   0 %  0 of 210,001 rows");
});
