import { expect, test } from "vitest";
import {
  type ChatError,
  chatErrors,
  errorReply,
  usualMessage,
} from "../../../src/core/chat/errors.ts";
import { bodyOf } from "./support.ts";

// What errors say in the service's words, by which clients tell them.

const whole = { integer: true, least: 1, most: 8 } as const;

test.each<[ChatError, string]>([
  [chatErrors.noModel(), "you must provide a model parameter"],
  [chatErrors.missing("p"), "Missing required parameter: 'p'."],
  [chatErrors.unknownArguments(["a"], []), "Unrecognized request argument supplied: a"],
  [chatErrors.unknownArguments(["a", "b"], []), "Unrecognized request arguments supplied: a, b"],
  [chatErrors.unknownParameter("p.x", "x", []), "Unknown parameter: 'p.x'."],
  [
    chatErrors.wrongType("p", "true or false", "yes"),
    "Invalid type for 'p': expected a boolean, but got a string instead.",
  ],
  [
    chatErrors.wrongType("p", "a whole number", 1.5),
    "Invalid type for 'p': expected an integer, but got a decimal instead.",
  ],
  [
    chatErrors.wrongType("p", "an object", null),
    "Invalid type for 'p': expected an object, but got null instead.",
  ],
  [
    chatErrors.wrongValue("p", "any", ["none", "auto", "required"]),
    "Invalid value: 'any'. Supported values are: 'none', 'auto', and 'required'.",
  ],
  [
    chatErrors.wrongValue("p", "any", ["a", "b"]),
    "Invalid value: 'any'. Supported values are: 'a' and 'b'.",
  ],
  [chatErrors.wrongValue("p", "any", ["a"]), "Invalid value: 'any'. Supported values are: 'a'."],
  [
    chatErrors.wrongForm("p", "a b", "", "^a$"),
    "Invalid 'p': string does not match pattern. Expected a string that matches the pattern '^a$'.",
  ],
  [
    chatErrors.outOfRange("p", 0, whole),
    "Invalid 'p': integer below minimum value. Expected a value >= 1, but got 0 instead.",
  ],
  [
    chatErrors.outOfRange("p", 2.5, { least: 0, most: 2 }),
    "Invalid 'p': decimal above maximum value. Expected a value <= 2, but got 2.5 instead.",
  ],
  [
    chatErrors.tooLong("p", { of: "characters", length: 5, most: 4 }),
    "Invalid 'p': string too long. Expected a string with maximum length 4, but got a string with length 5 instead.",
  ],
  [
    chatErrors.tooLong("p", { of: "items", length: 5, most: 4 }),
    "Invalid 'p': array too long. Expected an array with maximum length 4, but got an array with length 5 instead.",
  ],
  [
    chatErrors.onlyWithList("p", "tools"),
    "Invalid value for 'p': 'p' is only allowed when 'tools' are specified.",
  ],
  [chatErrors.onlyEnabled("p", "q"), "The 'p' parameter is only allowed when 'q' is enabled."],
  [
    chatErrors.notOffered("p", "f", [], "tools"),
    "Invalid value for 'p': no function named 'f' was specified in the 'tools' parameter.",
  ],
  [
    chatErrors.unknownModel("m", []),
    "The model `m` does not exist or you do not have access to it.",
  ],
])("says in the service's words: %#", (error, words) => {
  expect(bodyOf(errorReply(error, { guides: false })).error.message).toBe(words);
  expect(bodyOf(errorReply(error, { guides: true })).error.message).not.toBe(words);
});

test.each([
  [401, {}, "Incorrect API key provided."],
  [404, { model: "m" }, "The model `m` does not exist or you do not have access to it."],
  [429, {}, "Rate limit reached for requests."],
  [429, { waitMs: 6000 }, "Rate limit reached for requests. Please try again in 6s."],
  [
    429,
    { model: "m", waitMs: 1500 },
    "Rate limit reached for m in organization org-backlot on requests per min (RPM): Limit 500, Used 500, " +
      "Requested 1. Please try again in 1.5s.",
  ],
  [500, {}, "The server had an error while processing your request. Please retry."],
  [503, {}, "The engine is currently overloaded, please try again later."],
  [400, {}, "Your request was refused."],
])("has words for the status %s", (status, about, words) => {
  expect(usualMessage(status, about)).toBe(words);
});
