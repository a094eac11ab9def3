import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openaiBody } from "../../../src/core/chat/request/fields.ts";
import { responsesBody } from "../../../src/extras/responses/fields.ts";
import {
  missingFrom,
  possibleInSchema,
  possibleInSdk,
  readSdkTypes,
} from "../../support/sdk-types.ts";

const types = readSdkTypes(fileURLToPath(new URL("../../../", import.meta.url)));

const chat = possibleInSdk(types, "ChatCompletionCreateParamsBase");
const responses = possibleInSdk(types, "ResponseCreateParamsBase");

test.each([
  ["chat completions", openaiBody, chat],
  ["responses", responsesBody, responses],
])("%s take every value and argument of the SDK's types", (_, schema, sdk) => {
  expect(missingFrom(possibleInSchema(schema), sdk)).toEqual([]);
});

test.each([
  [
    "chat completions",
    openaiBody,
    chat,
    [
      "audio.format",
      "function_call",
      "messages[].content[].image_url.detail",
      "messages[].content[].input_audio.format",
      "messages[].content[].type",
      "messages[].role",
      "messages[].tool_calls[].type",
      "modalities[]",
      "moderation.policy.input.mode",
      "prediction.type",
      "prompt_cache_options.ttl",
      "prompt_cache_retention",
      "reasoning_effort",
      "response_format.type",
      "service_tier",
      "tool_choice",
      "tool_choice.allowed_tools.mode",
      "tool_choice.type",
      "tools[].custom.format.grammar.syntax",
      "tools[].type",
      "verbosity",
      "web_search_options.search_context_size",
    ],
  ],
  [
    "responses",
    responsesBody,
    responses,
    [
      "include[]",
      "input[].content[].detail",
      "input[].content[].type",
      "input[].role",
      "input[].type",
      "moderation.policy.output.mode",
      "prompt_cache_options.mode",
      "prompt_cache_retention",
      "reasoning.effort",
      "reasoning.summary",
      "service_tier",
      "text.format.type",
      "text.verbosity",
      "tool_choice",
      "tool_choice.mode",
      "tool_choice.type",
      "tools[].type",
      "truncation",
    ],
  ],
])("the values of %s are compared where they are few", (_, schema, sdk, places) => {
  const ours = possibleInSchema(schema);
  const compared = [...sdk.texts.keys()].filter((place) => ours.texts.has(place));
  expect(compared).toEqual(expect.arrayContaining(places));
  expect([...(sdk.keys.get("the body") ?? [])]).toContain("model");
  expect([...(ours.keys.get("the body") ?? [])]).toContain("model");
});

test("a value or an argument that a schema lacks is told by its place", () => {
  const wide = {
    texts: new Map([["verbosity", new Set(["low", "endless"])]]),
    keys: new Map([["the body", new Set(["verbosity", "mood"])]]),
  };
  expect(missingFrom(possibleInSchema(openaiBody), wide)).toEqual([
    "text endless at verbosity",
    "key mood at the body",
  ]);
});
