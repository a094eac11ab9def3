import { expect, test } from "vitest";
import { anyStep, pathProblem, readPlace } from "../../../src/core/recordings/recording-path.ts";

test.each([
  ["body", { head: "body", steps: [] }],
  ["body.messages.*.name", { head: "body", steps: ["messages", anyStep, "name"] }],
  ["body.messages.0", { head: "body", steps: ["messages", "0"] }],
  ["body.a\\.b.\\*.c\\\\.\\[0\\]", { head: "body", steps: ["a.b", "*", "c\\", "[0]"] }],
  ["body.__proto__", { head: "body", steps: ["__proto__"] }],
  ["query.nonce", { head: "query", steps: ["nonce"] }],
  ["query.users.name", { head: "query", steps: ["users.name"] }],
  ["query.*", { head: "query", steps: [anyStep] }],
  ["header.X-Tenant", { head: "header", steps: ["x-tenant"] }],
])("reads the path %s", (path, expected) => {
  expect(readPlace(path)).toEqual(expected);
});

test.each([
  ["bdy.user", 'begins with "bdy", which is not a part of a request. Did you mean "body"?'],
  ["$.user", 'begins with "$"'],
  ["", 'begins with ""'],
  ["headers.x-tenant", 'Did you mean "header"?'],
  ["query", "names no parameter"],
  ["header.", "names no header"],
  ["body..name", "an empty step"],
  ["body.", "an empty step"],
  ["body.a\\", "ends with a backslash"],
  ["body.messages[0].name", 'its step "messages[0]" has "*" or brackets within it'],
  ["body.na*", 'its step "na*" has'],
])("refuses the path %j", (path, message) => {
  expect(pathProblem(path)).toContain(message);
  expect(() => readPlace(path)).toThrow(`Cannot read the path "${path}"`);
});
