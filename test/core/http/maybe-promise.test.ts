import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import {
  andThen,
  isPromise,
  type MaybePromise,
  once,
} from "../../../src/core/http/maybe-promise.ts";

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

test("takes for a promise only what has a method called then", () => {
  const withoutMethod = new Map();
  Reflect.set(withoutMethod, "then", 1);
  const others = [{ count: 1 }, Object.create(null), new Map(), withoutMethod];
  expect(others.map((other) => isPromise(other))).toEqual([false, false, false, false]);
});

test("loads once, when first asked, and is there at once from then on", async () => {
  let loads = 0;
  const load = once(() => Promise.resolve({ count: ++loads }));
  expect(loads).toBe(0);
  const [first, second] = await Promise.all([load(), load()]);
  expect(load()).toBe(first);
  expect([loads, second]).toEqual([1, first]);
});
