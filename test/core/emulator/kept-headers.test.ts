import { expect, test } from "vitest";
import { KeptHeaders } from "../../../src/core/emulator/journal/entry.ts";

const first = { host: "a", accept: "*/*" };

test("keeps headers that are the same once", () => {
  const kept = new KeptHeaders();
  expect(kept.keep(first)).toBe(first);
  expect(kept.keep({ ...first })).toBe(first);
});

test.each([
  ["another value", { ...first, accept: "text/html" }],
  ["one more", { ...first, cookie: "a=1" }],
  ["one less", { host: "a" }],
  ["another name", { host: "a", cookie: "*/*" }],
  ["none", {}],
])("keeps headers of their own for %s", (_, headers) => {
  const kept = new KeptHeaders();
  kept.keep(first);
  expect(kept.keep(headers)).toBe(headers);
  expect(kept.keep(first)).toBe(first);
});

test("measures those that it keeps", () => {
  const kept = new KeptHeaders();
  kept.keep({ host: "a", cookie: undefined });
  const { size } = kept;
  kept.keep({ host: "a".repeat(1001) });
  expect(kept.size).toBeGreaterThan(size + 900);
});
