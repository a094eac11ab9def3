import { expect, test } from "vitest";
import { bodyOf, post, replying } from "./support.ts";

test.each([
  [{ city: "{{ user }}", days: "{{ 1 | plus: 1 }}", ok: null }, '{"city":"Hi","days":2,"ok":null}'],
  [["{{ user }}", { a: ["{{ true }}"] }], '["Hi",{"a":[true]}]'],
  [[], "[]"],
])("sends the content %j as JSON", async (content, text) => {
  const { choices } = bodyOf(await post(replying({ content })));
  expect(choices[0].message.content).toBe(text);
});
