import { expect, test } from "vitest";
import { limitRate } from "../../../../src/extras/recordings/verify/ask.ts";
import { HandTimers } from "../../../support/hand-timers.ts";

test("lets the first go at once, and the others when their turn comes", async () => {
  const timers = new HandTimers();
  const turn = limitRate(5, timers);
  const gone: number[] = [];
  const all = [1, 2, 3].map(async () => {
    await turn();
    gone.push(timers.now());
  });
  await all[0];
  timers.advance(199);
  await Promise.resolve();
  expect(gone).toEqual([0]);
  timers.advance(1);
  await all[1];
  timers.advance(200);
  await all[2];
  expect(gone).toEqual([0, 200, 400]);
});

test("makes nobody wait who comes late", async () => {
  const timers = new HandTimers();
  const turn = limitRate(5, timers);
  await turn();
  timers.advance(1_000);
  await turn();
  expect(timers.pending).toBe(0);
});
