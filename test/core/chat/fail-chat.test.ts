import { expect, test } from "vitest";
import { failChat, refuseUnrecordedChat } from "../../../src/core/chat/answer-chat.ts";
import { call } from "../../support/calls.ts";
import { bodyOf, chatContext } from "./support.ts";

const planned = {
  message: "Out of order.",
  isWorded: true,
  waitMs: undefined,
  headers: { "x-mine": "1" },
};

test.each([
  [429, "requests", "rate_limit_exceeded"],
  [400, "invalid_request_error", null],
  [499, "invalid_request_error", null],
  [500, "server_error", null],
  [503, "server_error", null],
])("answers a planned %i with its usual type and code", (status, type, code) => {
  const reply = failChat(call("POST", "/v1/models"), { ...planned, status }, chatContext());
  expect(reply).toMatchObject({ status, headers: { "x-mine": "1", "x-request-id": "req_1" } });
  expect(bodyOf(reply)).toEqual({ error: { message: "Out of order.", type, param: null, code } });
});

test.each([
  [429, 6000, "Rate limit reached for requests. Please try again in 6s. Out of order."],
  [
    500,
    undefined,
    "The server had an error while processing your request. Please retry. Out of order.",
  ],
])("says what the service says with a %i before the name of a plan", (status, waitMs, words) => {
  const error = { ...planned, isWorded: false, status, waitMs };
  const reply = failChat(call("POST", "/v1/models"), error, chatContext());
  expect(bodyOf(reply).error.message).toBe(words);
});

test("refuses what is not recorded, and asks SDKs not to try again", () => {
  const reply = refuseUnrecordedChat(call("POST", "/v1/x"), "Nobody recorded it.", chatContext());
  expect(reply).toMatchObject({ status: 404, headers: { "x-should-retry": "false" } });
  expect(bodyOf(reply).error).toEqual({
    message: "Nobody recorded it.",
    type: "invalid_request_error",
    param: null,
    code: "not_recorded",
  });
});

test("answers HEAD without a body, and lets pages read the headers where CORS is on", () => {
  const context = chatContext({ cors: true });
  const reply = failChat(call("HEAD", "/v1/models"), { ...planned, status: 503 }, context);
  expect(reply).toMatchObject({ status: 503, body: { kind: "none" } });
  expect(reply.headers["access-control-expose-headers"]).toMatch(/, x-mine$/);
});
