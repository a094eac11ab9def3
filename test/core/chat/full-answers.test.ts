import { expect, test } from "vitest";
import { openaiProfile } from "../../../src/core/chat/profiles.ts";
import { bodyOf, chatBody, chatContext, chunksOf, post, replying, script } from "./support.ts";

// What an answer of the profile `openai` has besides the keys that the documents show.

const noDetails = {
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0, cache_write_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 0,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
};

test("has every key of the published schema under openai", async () => {
  const body = bodyOf(await post(replying({ content: "Hello" }, { profile: openaiProfile })));
  expect(Object.keys(body)).toEqual([
    "id",
    "object",
    "created",
    "model",
    "choices",
    "usage",
    "service_tier",
    "system_fingerprint",
  ]);
  expect(body).toMatchObject({ service_tier: "default", system_fingerprint: "fp_backlot" });
  expect(body.choices[0].message).toEqual({
    role: "assistant",
    content: "Hello",
    refusal: null,
    annotations: [],
  });
  expect(body.usage).toMatchObject(noDetails);
});

test("has only the documented keys under document, from the same script", async () => {
  const scripts = [script("only", { content: "Hello" })];
  const full = chatContext({ scripts, profile: openaiProfile });
  await post(full);
  const body = bodyOf(await post(chatContext({ scripts })));
  expect(body).not.toHaveProperty("service_tier");
  expect(body.system_fingerprint).toBeNull();
  expect(body.choices[0].message).not.toHaveProperty("annotations");
  expect(Object.keys(body.usage)).toEqual(["prompt_tokens", "completion_tokens", "total_tokens"]);
});

test("keeps the counts of a script, and adds the others", async () => {
  const usage = {
    prompt_tokens_details: { cached_tokens: 7 },
    completion_tokens_details: { accepted_prediction_tokens: 3 },
  };
  const body = bodyOf(await post(replying({ content: "Hi", usage }, { profile: openaiProfile })));
  expect(body.usage.prompt_tokens_details).toEqual({
    ...noDetails.prompt_tokens_details,
    cached_tokens: 7,
  });
  expect(body.usage.completion_tokens_details).toEqual({
    ...noDetails.completion_tokens_details,
    accepted_prediction_tokens: 3,
  });
});

test.each([
  [undefined, "default"],
  [null, "default"],
  ["auto", "default"],
  ["flex", "flex"],
  ["priority", "priority"],
  ["fast", "priority"],
])("names the tier that answered: of %s it is %s", async (service_tier, answered) => {
  const context = chatContext({ profile: openaiProfile });
  const whole = bodyOf(await post(context, chatBody({ service_tier })));
  const streamed = await post(
    context,
    chatBody({ service_tier, stream: true, stream_options: { include_usage: true } }),
  );
  const chunks = chunksOf(streamed);
  expect(whole.service_tier).toBe(answered);
  expect(chunks.map((chunk) => chunk.service_tier)).toEqual(chunks.map(() => answered));
  expect(chunks.at(-1).usage).toEqual(whole.usage);
});
