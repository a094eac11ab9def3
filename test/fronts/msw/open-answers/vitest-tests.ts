import { expect, test } from "vitest";
import { cases, clientOf, expected, tryCase } from "./left-answers.ts";

// Run by open-answers.test.ts, with a vitest of its own.
for (const way of ["fetch", "msw"] as const) {
  test.each(cases)(`${way}: $name`, async (one) => {
    using client = await clientOf(way);
    expect(await tryCase(one, client)).toEqual(expected(one));
  });
}
