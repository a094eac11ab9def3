import { expect, test } from "vitest";
import { advertFor } from "./advert.ts";

test("advertises a product that is in stock", async () => {
  expect(await advertFor(1)).toBe("Everybody needs a Teapot!");
});

test("advertises nothing that is sold out", async () => {
  expect(await advertFor(2)).toBeUndefined();
});
