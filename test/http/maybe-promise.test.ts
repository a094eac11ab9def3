import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { andThen, isPromise, type MaybePromise } from "../../src/http/maybe-promise.ts";

test("goes on at once with a value that is there", () => {
  expect(andThen({ count: 1 }, ({ count }) => ({ count: count + 1 }))).toEqual({ count: 2 });
});

test("goes on later with a value that is still to come", async () => {
  const coming = andThen(Promise.resolve({ count: 1 }), ({ count }) => ({ count: count + 1 }));
  expect(isPromise(coming)).toBe(true);
  await expect(coming).resolves.toEqual({ count: 2 });
});

test("passes a rejection on", async () => {
  const failing: MaybePromise<object> = Promise.reject(new Error("gone"));
  await expect(andThen(failing, () => ({}))).rejects.toThrow("gone");
});

test("knows promises of other realms", () => {
  const foreign: Promise<object> = runInNewContext("Promise.resolve({})");
  expect(isPromise(foreign)).toBe(true);
});
