import { expect, test } from "vitest";
import { type ChatError, chatErrors, errorReply } from "../../../src/core/chat/errors.ts";
import { bodyOf } from "./support.ts";

// The words and codes of errors: clients show the one, and programs look at the other.

const long = "x".repeat(200);
const cut = `${"x".repeat(100)}…`;
const names = ["a", "b", "c", "d", "e", "f", "g"];
const few = '"a", "b", "c", "d", "e"';
const noRetry = { "x-should-retry": "false" };

/** Errors that name no field of the request. */
test.each<[ChatError, Partial<ChatError>]>([
  [
    chatErrors.noKey(),
    {
      status: 401,
      message:
        "Cannot answer without an API key: the request has no usable Authorization header. " +
        'Send "Authorization: Bearer YOUR_KEY".',
      advice: "Or start with --no-auth (in code: auth: false).",
    },
  ],
  [
    chatErrors.wrongMethod("PUT", `/${long}`, ["GET", "HEAD"]),
    {
      status: 405,
      message: `Cannot answer PUT /${cut.slice(1)}: only GET and HEAD can be used there.`,
      code: "method_not_supported",
      headers: { allow: "GET, HEAD, OPTIONS" },
    },
  ],
  [
    chatErrors.unsupportedMediaType("text/plain"),
    {
      status: 415,
      message:
        'Cannot read the request: its content type is "text/plain". Send "application/json".',
      code: "unsupported_media_type",
    },
  ],
  [
    chatErrors.bodyTooLarge(9),
    {
      status: 413,
      message: "Cannot read the request: its body has more than 9 bytes.",
      code: "request_too_large",
    },
  ],
  [
    chatErrors.bodyCutShort(),
    {
      status: 400,
      message: "Cannot read the request: the client went away before its body was complete.",
    },
  ],
  [
    chatErrors.notJson(long),
    {
      status: 400,
      message:
        `Cannot read the request: its body is not JSON (${cut}). Send one JSON object with ` +
        '"content-type: application/json"; most HTTP libraries have an option for that.',
    },
  ],
  [
    chatErrors.noModel(),
    {
      status: 400,
      message: 'Cannot read the request: it names no model. Set the parameter "model".',
    },
  ],
  [
    chatErrors.unknownArguments(["modle", long, ...names], ["model", "n"]),
    {
      status: 400,
      message:
        `Cannot read the request: there is no argument "modle", "${cut}", "a", "b", "c" and 4 more. ` +
        'Did you mean "model"?',
    },
  ],
  [
    chatErrors.unknownModel("atals", ["atlas"]),
    {
      status: 404,
      message:
        "Cannot answer: the model `atals` does not exist or you do not have access to it. " +
        'Did you mean "atlas"?',
      code: "model_not_found",
      isMiss: true,
      advice:
        'Add it to "models" (models.json), or accept any name with "chat": {"unknownModels": "accept"}.',
    },
  ],
  [
    chatErrors.unknownModel(long, ["atlas"]),
    {
      status: 404,
      message:
        `Cannot answer: the model \`${cut}\` does not exist or you do not have access to it. ` +
        "GET /models lists those that exist.",
      code: "model_not_found",
      isMiss: true,
      advice:
        'Add it to "models" (models.json), or accept any name with "chat": {"unknownModels": "accept"}.',
    },
  ],
  [
    chatErrors.noScriptMatched("None.", undefined),
    {
      status: 404,
      message: "Cannot answer: no script matches the request. None.",
      code: "no_script_matched",
      headers: noRetry,
      isMiss: true,
    },
  ],
  [
    chatErrors.notRecorded("Nobody recorded it."),
    { status: 404, message: "Nobody recorded it.", code: "not_recorded", headers: noRetry },
  ],
  [
    chatErrors.templateFailed("greet", "It has no end."),
    {
      status: 500,
      message: 'Cannot answer with the script "greet". It has no end.',
      type: "server_error",
      code: "template_failed",
      headers: noRetry,
    },
  ],
])("words $message", (error, expected) => {
  expect({ ...error, inService: undefined }).toEqual({
    type: "invalid_request_error",
    code: null,
    param: null,
    ...expected,
  });
});

/** Errors that name a field. */
test.each<[ChatError, string | null, string]>([
  [chatErrors.missing("p"), "missing_required_parameter", 'the parameter "p" is missing.'],
  [
    chatErrors.unknownParameter("p.nmae", "nmae", ["name"]),
    "unknown_parameter",
    'there is no parameter "p.nmae". Did you mean "name"?',
  ],
  [
    chatErrors.wrongType("p", "a text", 5),
    "invalid_type",
    '"p" must be a text, but it is the number 5.',
  ],
  [
    chatErrors.wrongType("p", "a text", null),
    "invalid_type",
    '"p" must be a text, but it is null.',
  ],
  [
    chatErrors.wrongType("p", "a text", { a: 1 }),
    "invalid_type",
    '"p" must be a text, but it is an object.',
  ],
  [
    chatErrors.wrongType("p", "a number", true),
    "invalid_type",
    '"p" must be a number, but it is the boolean true.',
  ],
  [
    chatErrors.wrongValue("p", "systen", ["system", "user"]),
    "invalid_value",
    '"p" is "systen", but it must be one of system, user. Did you mean "system"?',
  ],
  [
    chatErrors.wrongValue("p", ["system"], ["system", "user"]),
    "invalid_value",
    '"p" is an array, but it must be one of system, user.',
  ],
  [
    chatErrors.wrongForm("p", "a b", "without spaces", "^[^ ]+$"),
    "invalid_value",
    '"p" is "a b", but it must be without spaces.',
  ],
  [
    chatErrors.outOfRange("p", 0, { integer: true, least: 1 }),
    "integer_below_min_value",
    '"p" is 0, but it must be 1 or more.',
  ],
  [
    chatErrors.outOfRange("p", 3, { least: 1, most: 2 }),
    "decimal_above_max_value",
    '"p" is 3, but it must be from 1 to 2.',
  ],
  [
    chatErrors.tooLong("p", { of: "characters", length: 5, most: 4 }),
    "string_above_max_length",
    '"p" has 5 characters, but it can have at most 4.',
  ],
  [
    chatErrors.tooLong("p", { of: "items", length: 5, most: 4 }),
    "array_above_max_length",
    '"p" has 5 items, but it can have at most 4.',
  ],
  [chatErrors.emptyArray("p"), "empty_array", '"p" is empty, but it needs at least one item.'],
  [
    chatErrors.tooLong("p", { of: "properties", length: 5, most: 4 }),
    "object_above_max_properties",
    '"p" has 5 properties, but it can have at most 4.',
  ],
  [chatErrors.onlyWithList("p", "q"), null, '"p" works only together with "q".'],
  [chatErrors.onlyEnabled("p", "q"), null, '"p" works only together with "q": true.'],
  [
    chatErrors.notOffered("p", "f", ["g", "h"], "tools"),
    null,
    '"p" names "f", which is not offered. There is "g", "h".',
  ],
])("words of a field: $message", (error, code, problem) => {
  const message = `Cannot read the request: ${problem}`;
  const param = error.param === "p.nmae" ? "p.nmae" : "p";
  expect({ ...error, inService: undefined }).toEqual({
    status: 400,
    type: "invalid_request_error",
    code,
    param,
    message,
  });
});

test("names the place of messages that do not follow each other", () => {
  const errors = [
    chatErrors.toolMessageWithoutCall(2),
    chatErrors.toolCallsWithoutMessages(3, names),
  ];
  expect(errors).toMatchObject([
    { code: null, param: "messages.[2].role" },
    { code: null, param: "messages.[3].role" },
  ]);
  expect(errors.map(({ message }) => message)).toEqual([
    'Cannot read the request: message 2 has the role "tool", but it answers no call: it must ' +
      'follow an assistant message whose "tool_calls" have its "tool_call_id".',
    'Cannot read the request: an assistant message with "tool_calls" must be followed by one message with ' +
      `the role "tool" for each "tool_call_id". There is none for ${few} and 2 more.`,
  ]);
});

test.each([
  [["a", "b"], "a, b"],
  [Array.from({ length: 12 }, (_, at) => `m${at}`), "m0, m1, m2, m3, m4, m5, m6, m7, m8, m9"],
  [[], "there is none in the fixtures"],
])("names the chat models to use instead of another, of %j", (models, named) => {
  const error = chatErrors.notAChatModel(long, models);
  expect({ ...error, inService: undefined }).toEqual({
    status: 404,
    message: `Cannot answer: \`${cut}\` is not a chat model. Use one of these: ${named}.`,
    type: "invalid_request_error",
    code: "model_not_supported",
    param: "model",
  });
});

test("words what is too large to be answered", () => {
  expect(chatErrors.answerTooLarge(9, 8)).toMatchObject({
    status: 400,
    message:
      "Cannot answer: all choices together would have 9 characters; the limit is 8. " +
      "Ask for fewer choices, or send a shorter message.",
    code: "answer_too_large",
    param: "n",
  });
  expect(
    chatErrors.contextLengthExceeded({ limit: 9, prompt: 8, completion: 7, param: "messages" }),
  ).toMatchObject({
    status: 400,
    message:
      "This model's maximum context length is 9 tokens. However, you requested 15 tokens (8 in the messages, 7 in " +
      "the completion). Please reduce the length of the messages or completion.",
  });
});

const limited = { kind: "requests", model: long, limit: 3, remaining: 1, requested: 1 } as const;

test.each([
  [{ waitMs: 0.4 }, "Please try again in 1ms.", { "retry-after-ms": "1", "retry-after": "1" }],
  [{ waitMs: 6000 }, "Please try again in 6s.", { "retry-after-ms": "6000", "retry-after": "6" }],
  [
    { waitMs: 5, clockStands: true },
    "The clock is stopped: waiting does not help. Reset the state, or let the clock run.",
    noRetry,
  ],
])("words a limit with the wait %j", (wait, advice, headers) => {
  expect(chatErrors.rateLimited({ ...limited, ...wait })).toEqual({
    status: 429,
    message:
      `Rate limit reached for ${cut} in organization org-backlot on requests per min (RPM): ` +
      `Limit 3, Used 2, Requested 1. ${advice}`,
    type: "requests",
    code: "rate_limit_exceeded",
    param: null,
    headers,
  });
});

test("says that waiting does not help a request that is larger than its limit", () => {
  const error = chatErrors.rateLimited({ ...limited, waitMs: Infinity, clockStands: true });
  expect(error.headers).toEqual(noRetry);
  expect(error.message).toBe(
    `Request too large for ${cut} in organization org-backlot on requests per min (RPM): Limit 3, ` +
      "Requested 1. The request alone is larger than the limit: waiting does not help. Ask for less.",
  );
});

test.each([
  ["sk-45678901", "********"],
  ["sk-456789012", "sk-********9012"],
])("masks the key %s", (key, shown) => {
  expect(chatErrors.wrongKey(key).message).toBe(`Incorrect API key provided: ${shown}.`);
});

test("puts four keys on the wire, and says in the log what gave the error", () => {
  const byCode = errorReply(chatErrors.bodyTooLarge(9));
  const byType = errorReply(chatErrors.bodyCutShort());
  const byWord = errorReply({ ...chatErrors.bodyTooLarge(9), answeredBy: "a word", isMiss: true });
  expect(Object.keys(bodyOf(byCode).error)).toEqual(["message", "type", "param", "code"]);
  expect([byCode, byType, byWord]).toMatchObject([
    { answeredBy: "request_too_large", isMiss: undefined },
    { answeredBy: "invalid_request_error" },
    { answeredBy: "a word", isMiss: true },
  ]);
});
