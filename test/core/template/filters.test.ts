import { expect, test } from "vitest";
import { loadEngine } from "../../../src/core/template/engine.ts";
import { loadFakeValues } from "../../../src/core/template/fake-values.ts";
import { createTemplates } from "../../../src/core/template/templates.ts";

const templates = createTemplates({ seed: 1 });
const fakeValues = await loadFakeValues({ seed: 1 });
const engine = await loadEngine({ fakeValues: () => fakeValues, now: () => 0 });

test.each(Object.keys(engine.liquid.filters))("gives a value for %s at once", (name) => {
  const context = { n: 2, word: "person.firstName", list: ["abcd", "b"], exp: "x == 1" };
  const values = [
    ...["n", "word", "list", "'YWI='"].map((given) => `{{ ${given} | ${name} }}`),
    `{{ n | ${name}: 2 }}`,
    `{{ list | ${name}: 'a' }}`,
    `{{ list | ${name}: 'x', exp }}`,
  ].flatMap((text) => {
    try {
      return [engine.evaluate(engine.parse(text), { ...context, x: 1 })];
    } catch {
      // This one takes something else.
      return [];
    }
  });
  expect(values).not.toEqual([]);
  expect(values.filter((value) => value instanceof Promise)).toEqual([]);
});

test.each(["{{ 'Ada' | sha256 }}", "{{ 'Ada' | hmac_sha256: 'key' }}"])(
  "refuses %s, whose filter would have to be waited for",
  async (text) => {
    expect(await templates.check(text, {})).toMatchObject({
      message: expect.stringContaining("undefined filter"),
    });
  },
);
