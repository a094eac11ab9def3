import { expect, test } from "vitest";
import { cases, expected } from "./open-answers/left-answers.ts";
import { run } from "./open-answers/run.ts";

test.each(["fetch", "msw"])(
  "keeps a program running until its timeout fires, with answers by %s",
  async (way) => {
    const { code, out } = await run("plain.ts", way);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^\[.*\]\n$/) });
    expect(JSON.parse(out)).toEqual(cases.map((one) => [one.name, expected(one)]));
  },
);

test("lets a program end that no longer waits for its answers", async () => {
  const { code, out } = await run("ends.ts");
  expect({ code, out }).toEqual({ code: 0, out: "fetch 200\nmsw 200\nover\n" });
});
