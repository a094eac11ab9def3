import { expect, test } from "vitest";
import { answerChat, refuseUnknownPath } from "../../../src/core/chat/answer-chat.ts";
import { call } from "../../support/calls.ts";
import { bodyOf, chatContext } from "./support.ts";

function otherPaths(base: string): string[] {
  return [`${base}/rest/{table}`];
}

test("names the whole paths to one who asks beside the mount point", async () => {
  const context = chatContext({ basePaths: ["/api/$&"], otherPaths });

  const reply = await refuseUnknownPath(call("POST", "/v1/chat/completions"), context);

  expect(bodyOf(reply).error.message).toBe(
    "Cannot answer POST /v1/chat/completions: there is no such path. Use POST /api/$&/chat/completions, " +
      "GET /api/$&/models, GET /api/$&/models/{id}, /api/$&/rest/{table}. " +
      'Did you mean "/api/$&/chat/completions"?',
  );
});

test("names the whole paths below a mount point that is not the root", async () => {
  const context = chatContext({ basePaths: ["/api", "/v2"] });

  const reply = await answerChat(call("GET", "/v2/model"), "/model", context);

  expect(bodyOf(reply).error.message).toMatch(
    /^Cannot answer GET \/v2\/model: .* Did you mean "\/v2\/models"\?$/,
  );
});

test.each([
  ["/v1/model", undefined, "/v1"],
  ["/model", undefined, ""],
  ["/v1/model", "/@test-7", "/@test-7/v1"],
  ["/model", "/@a%2Cb", "/@a%2Cb"],
])("names paths as the request %s has them, in its session %s", async (path, prefix, root) => {
  const context = chatContext({ basePaths: ["/v1", ""], otherPaths });

  const reply = await refuseUnknownPath({ ...call("GET", path), prefix }, context);

  expect(bodyOf(reply).error.message).toBe(
    `Cannot answer GET ${prefix ?? ""}${path}: there is no such path. Use POST ${root}/chat/completions, ` +
      `GET ${root}/models, GET ${root}/models/{id}, ${root}/rest/{table}. Did you mean "${root}/models"?`,
  );
});
