import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AnswerDeadline, within } from "../../../src/extras/postgres/connection.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("an answer that does not come in time is waited for no longer", async () => {
  const told = within(5_000, new Promise(ignore)).catch(String);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await told).toContain("no answer within 5 seconds");
});

test("what has begun in time may take longer", async () => {
  const deadline = new AnswerDeadline(5_000);
  const act = new Promise<string>((resolve) => void setTimeout(() => resolve("done"), 60_000));
  const result = deadline.race(act);
  deadline.meet();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await result).toBe("done");
});

test("what begins too late does not go on", async () => {
  const deadline = new AnswerDeadline(5_000);
  const told = deadline.race(new Promise(ignore)).catch(String);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await told).toContain("no answer within");
  expect(() => deadline.meet()).toThrow("no answer within");
});

function ignore(): void {}
