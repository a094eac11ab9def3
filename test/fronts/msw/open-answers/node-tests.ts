import assert from "node:assert/strict";
import { test } from "node:test";
import { cases, clientOf, expected, tryCase } from "./left-answers.ts";

// Run by open-answers.test.ts, with `node --test`.
for (const way of ["fetch", "msw"] as const) {
  for (const one of cases) {
    void test(`${way}: ${one.name}`, async () => {
      using client = await clientOf(way);
      assert.deepEqual(await tryCase(one, client), expected(one));
    });
  }
}
