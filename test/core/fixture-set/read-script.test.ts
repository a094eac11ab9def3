import { expect, test } from "vitest";
import { readScript } from "../../../src/core/fixture-set/read-script.ts";

test("reads a script", async () => {
  expect(await readScript({ name: "hi", reply: { content: "Hello" } })).toEqual({
    name: "hi",
    replies: [{ content: "Hello" }],
  });
});

test("names a script that has no name", async () => {
  const script = await readScript({ reply: { content: "a" } }, { defaultName: "added-1" });
  expect(script.name).toBe("added-1");
});

test.each([
  [{ reply: { contnt: "a" } }, 'reply.contnt: Unknown key "contnt". Did you mean "content"?'],
  [{ reply: { content: "{{ a | b }}" } }, "reply.content: The template is not valid: "],
  [{ when: { user: { regex: "(" } }, reply: { content: "a" } }, "when.user.regex: Invalid regular"],
  [{ reply: { content: "a", pace: { gapMs: Number.NaN } } }, "reply.pace.gapMs: The value is NaN"],
  [{}, 'A script needs "reply", or several "replies".'],
  [null, "The value must be an object, but is null."],
  [undefined, "The value is undefined"],
])("refuses %j", async (value, expected) => {
  await expect(readScript(value)).rejects.toMatchObject({
    code: "ERR_SCRIPT_REFUSED",
    message: expect.stringContaining(`Cannot use the script:\n${expected}`),
    problems: [{ message: expect.any(String) }],
  });
});
