import { expect, test } from "vitest";
import { bearerKey, isAcceptedKey } from "../../../src/core/http/bearer-key.ts";

test.each([
  ["Bearer secret", "secret"],
  ["Bearer a b", "a b"],
  ["Bearer  secret", " secret"],
])("reads the key of %j", (header, key) => {
  expect(bearerKey(header)).toBe(key);
});

test.each([
  [undefined],
  [""],
  ["secret"],
  ["Bearer"],
  ["Bearer "],
  ["bearer secret"],
  ["BEARER secret"],
  ["Bearer\tsecret"],
  [" Bearer secret"],
  ["Basic c2VjcmV0"],
])("finds no key in %j", (header) => {
  expect(bearerKey(header)).toBeUndefined();
});

test.each([
  ["secret", ["secret"], true],
  ["secret", ["other", "secret"], true],
  ["schlüssel", ["schlüssel"], true],
  ["secret", [], false],
  ["secret", ["Secret"], false],
  ["secre", ["secret"], false],
  ["secrets", ["secret"], false],
  ["", ["secret"], false],
  ["a\u0000", ["a"], false],
])("tells whether %j is among %j: %j", (key, accepted, expected) => {
  expect(isAcceptedKey(key, accepted)).toBe(expected);
});

test("compares with every accepted key, whichever matches", () => {
  const seen: string[] = [];
  const accepted = new Proxy(["match", "second", "third"], {
    get: (target, name, receiver) => {
      if (typeof name === "string" && /^\d+$/.test(name)) seen.push(name);
      return Reflect.get(target, name, receiver);
    },
  });
  expect(isAcceptedKey("match", accepted)).toBe(true);
  expect(seen).toEqual(["0", "1", "2"]);
});
