import { expect, test } from "vitest";
import { unusedParts } from "../../../src/core/chat/scripts/script-warnings.ts";
import type { Script } from "../../../src/core/chat/scripts/script.ts";

const replies: Script["replies"] = [{ content: "a" }, { content: "b" }, { content: "c" }];

test("tells of each reply that `times` leaves no request for", () => {
  const found = unusedParts({ name: "s", times: 1, replies });

  expect(found.map(({ path }) => path.join("."))).toEqual(["replies.1", "replies.2"]);
  expect(found[0]?.message).toBe(
    'Reply 2 of the script "s" can never be given: its "times" is 1. ' +
      'Raise "times", or leave it out and say "after": "end".',
  );
});

test.each(["get weather", "get.weather", "x".repeat(65), "météo"])(
  "tells that no request can offer the tool %s",
  (tool) => {
    const found = unusedParts({ name: "s", when: { tool }, replies });

    expect(found).toEqual([
      { path: ["when", "tool"], message: expect.stringContaining(`can be called "${tool}"`) },
    ]);
  },
);

test.each<Partial<Script>>([
  {},
  { times: 3 },
  { times: 4, after: "cycle" },
  { after: "end" },
  { when: { tool: "get_weather-2", user: "a" } },
])("has nothing to say of %j", (more) => {
  expect(unusedParts({ name: "s", replies, ...more })).toEqual([]);
});
