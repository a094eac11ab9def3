import { expect, test } from "vitest";
import { openaiBody } from "../../src/core/chat/request/fields.ts";
import { responsesBody } from "../../src/extras/responses/fields.ts";
import {
  missingFrom,
  possibleInSchema,
  possibleInSdk,
  readSdkTypes,
} from "../support/sdk-types.ts";
import { today } from "../support/today.ts";

const types = readSdkTypes(today);

// What the service or its own programs take that the types of the newest SDK do not have.
const beyondTheTypes = {
  chat: [
    // Its older types wrote it so.
    "text in-memory at prompt_cache_retention",
  ],
  responses: [
    // The service's own command line sends them.
    "text agent_message at input[].type",
    "key client_metadata at the body",
    // The tools are there, and so they can be chosen.
    "text local_shell at tool_choice.type",
    "text namespace at tool_choice.type",
    "text tool_search at tool_choice.type",
    "text web_search at tool_choice.type",
    "text web_search_2025_08_26 at tool_choice.type",
    // The service names them in its replies.
    "key presence_penalty at the body",
    "key frequency_penalty at the body",
  ],
};

test.each([
  ["chat completions", openaiBody, "ChatCompletionCreateParamsBase", beyondTheTypes.chat],
  ["responses", responsesBody, "ResponseCreateParamsBase", beyondTheTypes.responses],
])("%s take every value and argument of today's types, and few others", (_, body, root, more) => {
  const sdk = possibleInSdk(types, root);
  const ours = possibleInSchema(body);
  expect(missingFrom(ours, sdk)).toEqual([]);
  expect(missingFrom(sdk, ours).toSorted()).toEqual(more.toSorted());
});
