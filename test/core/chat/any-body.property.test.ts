import fc from "fast-check";
import { expect, test } from "vitest";
import { chatProfiles } from "../../../src/core/chat/profiles.ts";
import { tries } from "../../support/tries.ts";
import { bodyOf, chatContext, post } from "./support.ts";

/** A valid request with something of everything. */
const whole = {
  model: "atlas",
  messages: [
    { role: "system", content: [{ type: "text", text: "Be brief." }], name: "boss" },
    { role: "user", content: [{ type: "image_url", image_url: { url: "a", detail: "low" } }] },
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "a", type: "function", function: { name: "f", arguments: "{}" } },
        { id: "b", type: "function", function: { name: "g", arguments: "" } },
      ],
    },
    { role: "tool", tool_call_id: "a", content: "1" },
    { role: "tool", tool_call_id: "b", content: [{ type: "text", text: "2" }] },
    { role: "function", name: "f", content: "3" },
  ],
  stream: true,
  stream_options: { include_usage: true },
  temperature: 1,
  n: 2,
  stop: ["x"],
  logprobs: true,
  top_logprobs: 2,
  logit_bias: { 1: 5 },
  metadata: { a: "b" },
  store: true,
  tools: [
    {
      type: "function",
      function: { name: "f", parameters: { type: "object", properties: {} }, strict: null },
    },
  ],
  tool_choice: { type: "function", function: { name: "f" } },
  response_format: { type: "json_schema", json_schema: { name: "x", schema: {} } },
  web_search_options: { user_location: { type: "approximate", approximate: { city: "x" } } },
};

type Change = { readonly kind: "set" | "drop" | "add"; readonly value: unknown };

const odd = fc.constantFrom<unknown>(
  null,
  "",
  "__proto__",
  "constructor",
  [],
  {},
  [null],
  -1,
  1.5,
  1e308,
  true,
);
const change = fc.record({
  kind: fc.constantFrom("set", "drop", "add"),
  value: fc.oneof(odd, fc.jsonValue()),
});

/** Places in a value, as ways from it down. */
function places(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [[]];
  return [
    [],
    ...Object.entries(value).flatMap(([key, item]) => places(item).map((way) => [key, ...way])),
  ];
}

function changed(value: unknown, [key, ...way]: readonly string[], how: Change): unknown {
  if (typeof value !== "object" || value === null || key === undefined) return how.value;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  if (way.length > 0 || how.kind === "set") {
    const item = changed(Reflect.get(copy, key), way, how);
    Object.defineProperty(copy, key, { value: item, enumerable: true, configurable: true });
  } else if (how.kind === "drop") Reflect.deleteProperty(copy, key);
  else Object.assign(copy, { unheard_of: how.value });
  return copy;
}

const mutated = fc
  .array(fc.tuple(fc.constantFrom(...places(whole)), change), { minLength: 1, maxLength: 3 })
  .map((changes) => changes.reduce<unknown>((body, [way, how]) => changed(body, way, how), whole));

test.each([...chatProfiles.values()])("takes a whole request under $name", async (profile) => {
  expect(await post(chatContext({ profile }), whole)).toMatchObject({ status: 200 });
});

test.each([...chatProfiles.values()])(
  "answers any JSON with 200 or a 4xx of four keys under $name",
  async (profile) => {
    const body = fc.oneof(
      { weight: 1, arbitrary: fc.jsonValue() },
      { weight: 9, arbitrary: mutated },
    );
    await fc.assert(
      fc.asyncProperty(body, async (any) => {
        const reply = await post(chatContext({ profile }), JSON.stringify(any));
        if (reply.status === 200) return;
        expect(reply.status).toBe(400);
        expect(bodyOf(reply).error).toEqual({
          message: expect.stringMatching(profile.name === "document" ? /^Cannot .*[.?]$/s : /./),
          type: "invalid_request_error",
          param: expect.toSatisfy(isPath),
          code: expect.toSatisfy((code) => code === null || typeof code === "string"),
        });
      }),
      { numRuns: tries(1_000) },
    );
  },
);

/** Whether something is a way to a field, or null. */
function isPath(param: unknown): boolean {
  return param === null || (typeof param === "string" && param !== "" && !param.startsWith("."));
}
