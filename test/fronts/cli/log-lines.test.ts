import { expect, test } from "vitest";
import type { Output } from "../../../src/fronts/cli/io.ts";
import { createLog } from "../../../src/fronts/cli/log.ts";
import { testIo } from "./test-io.ts";

/** An output whose reader takes nothing until it is told to. */
function pausedOutput(): { readonly stdout: Output; readonly read: (share?: number) => string } {
  let waiting = "";
  return {
    stdout: {
      isTerminal: false,
      write: (text) => void (waiting += text),
      unread: () => waiting.length,
    },
    read: (share = 1) => {
      const text = waiting.slice(0, Math.ceil(waiting.length * share));
      waiting = waiting.slice(text.length);
      return text;
    },
  };
}

const long = "x".repeat(1_000_000);

test("a log that nobody reads keeps 16 MB, and then says how many lines were left out", () => {
  const { stdout, read } = pausedOutput();
  const log = createLog("pretty", { ...testIo(), stdout });
  for (let line = 0; line < 100; line++) log.warned(long);
  expect(stdout.unread?.()).toBeLessThan(18_000_000);
  const kept = read().trimEnd().split("\n").length;
  log.warned("read again");
  expect(read().trimEnd().split("\n")).toEqual([
    `12:34:56  ${100 - kept} lines were left out, since nothing read this log`,
    "12:34:56  warning: read again",
  ]);
});

test("a JSON log says it as an event", () => {
  const { stdout, read } = pausedOutput();
  const log = createLog("json", { ...testIo(), stdout });
  for (let line = 0; line < 18; line++) log.warned(long);
  read();
  log.warned("read again");
  const events = read().trimEnd().split("\n");
  expect(events.map((event): unknown => JSON.parse(event))).toEqual([
    { event: "left_out", lines: 2 },
    { event: "warning", message: "read again" },
  ]);
});

test("a log goes on once its reader has taken half of what waited", () => {
  const { stdout, read } = pausedOutput();
  const log = createLog("pretty", { ...testIo(), stdout });
  for (let line = 0; line < 20; line++) log.warned(long);
  read(0.25);
  log.warned("too soon");
  expect(read(0.6)).not.toContain("too soon");
  log.warned("soon enough");
  expect(read()).toMatch(/lines were left out.*\n.*soon enough\n$/);
});
