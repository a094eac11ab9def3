import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Connection, transactSoon, within } from "../../../src/extras/postgres/connection.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("an answer that does not come in time is waited for no longer", async () => {
  const told = within(5_000, new Promise(ignore)).catch(String);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await told).toContain("no answer within 5 seconds");
});

test("what has begun in time may take longer", async () => {
  const result = transactSoon(connection, takenAfter(1_000), () => doneAfter(60_000));
  await vi.advanceTimersByTimeAsync(61_000);
  expect(await result).toBe("done");
});

test("what begins too late does not go on", async () => {
  const act = vi.fn<() => Promise<string>>(() => doneAfter(0));
  const told = transactSoon(connection, takenAfter(10_000), act).catch(String);
  await vi.advanceTimersByTimeAsync(8_000);
  expect(await told).toContain("no answer within 8 seconds");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(act).not.toHaveBeenCalled();
});

test("what fails is told at once", async () => {
  const told = transactSoon(connection, held, () => doneAfter(0)).catch(String);
  expect(await told).toContain("The lock is held.");
});

/** A connection whose transactions do what they are given, and nothing else. */
const connection = {
  transaction: () => ({ execute: (work: (session: unknown) => unknown) => work(undefined) }),
} as unknown as Connection;

function held(): Promise<never> {
  return Promise.reject(new Error("The lock is held."));
}

function takenAfter(milliseconds: number): () => Promise<void> {
  return () => new Promise((resolve) => void setTimeout(resolve, milliseconds));
}

function doneAfter(milliseconds: number): Promise<string> {
  return new Promise((resolve) => void setTimeout(() => resolve("done"), milliseconds));
}

function ignore(): void {}
