import { expect, test } from "vitest";
import { followProgress, Stopped } from "../../../src/fronts/cli/progress.ts";
import { run } from "../../../src/fronts/cli/run.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { testIo, type TestIo } from "./test-io.ts";

const progress = { table: "users", done: 250_000, total: 1_000_000 };

/** Surroundings whose clock goes on by 200 ms with each look. */
function busyIo(options: Parameters<typeof testIo>[0]): TestIo {
  let time = 0;
  return { ...testIo(options), now: () => (time += 200) };
}

/** Fixtures with a table that generates rows. */
function generating(count: number): Readonly<Record<string, unknown>> {
  return { "db.json": { tables: { t: { generate: { count, row: { n: "{{ number }}" } } } } } };
}

test("lets others have a turn when it was busy for long, bar or no bar", async () => {
  const io = { ...testIo(), time: 0, now: () => io.time };
  const { onProgress } = followProgress(io);
  expect(onProgress(progress)).toBeUndefined();
  io.time = 60;
  const turn = onProgress(progress);
  expect(turn).toBeInstanceOf(Promise);
  await turn;
  expect(onProgress(progress)).toBeUndefined();
  expect(io.err()).toBe("");
});

test("ends the making of rows that nobody waits for any more", async () => {
  const io = busyIo({});
  const { onProgress } = followProgress(io, { stopped: Promise.resolve() });
  await expect(onProgress(progress)).rejects.toBeInstanceOf(Stopped);
});

test("shows a bar while fixtures are checked that generate rows", async () => {
  const folder = await temporaryFolder(generating(1_000));
  const io = busyIo({ cwd: folder.path, isTerminal: true, env: { NO_COLOR: "1" } });
  expect(await run(["check", "db.json"], io)).toBe(0);
  expect(io.err()).toMatch(/t {2}\[=+ *\] +\d+ % {2}\d+ of 1,000 rows/);
  expect(io.err().endsWith("\r\u001B[K")).toBe(true);
  expect(io.out()).toBe("ok  db.json: 1 table (1000 rows)\n");
});

test.each(["json", "silent"])("shows no bar with --log %s", async (format) => {
  const folder = await temporaryFolder(generating(1_000));
  const io = busyIo({ cwd: folder.path, isTerminal: true });
  const running = run(["db.json", "--port", "0", "--log", format], io);
  io.stop();
  expect(await running).toBe(0);
  expect(io.err()).toBe("");
});
