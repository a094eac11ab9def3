import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runOwnVitest } from "../../support/own-vitest.ts";

test("each client and each kind of request gets what HTTP gives, in Node, happy-dom and jsdom", async () => {
  const folder = fileURLToPath(new URL("environments", import.meta.url));
  const { code, out } = await runOwnVitest(folder, []);
  expect(out).toMatch(/Test Files +3 passed \(3\)/);
  expect(code).toBe(0);
});
