import { expect, test } from "vitest";
import { type Answerer, labelOf } from "../../../src/core/http/answerer.ts";
import {
  asMiss,
  emptyReply,
  jsonReply,
  noAnswer,
  type Reply,
  withoutBody,
} from "../../../src/core/http/reply.ts";

test("replies with a value as JSON, and with the headers that are given", () => {
  expect(jsonReply(201, { a: [1] }, { "x-a": "1" })).toEqual({
    status: 201,
    headers: { "content-type": "application/json", "x-a": "1" },
    body: { kind: "text", text: '{"a":[1]}' },
  });
});

test("replies without a body, and with no headers unless they are given", () => {
  expect(emptyReply(204)).toEqual({ status: 204, headers: {}, body: { kind: "none" } });
  expect(emptyReply(204, { "x-a": "1" }).headers).toEqual({ "x-a": "1" });
});

test("marks a reply as a miss and leaves the rest of it as it is", () => {
  const reply = jsonReply(404, {});
  expect(asMiss(reply)).toEqual({ ...reply, isMiss: true });
});

test("answers HEAD with the length in bytes that the text would have", () => {
  expect(withoutBody(jsonReply(200, "é"))).toEqual({
    status: 200,
    headers: { "content-type": "application/json", "content-length": "4" },
    body: { kind: "none" },
  });
});

test("answers HEAD without a length where the body is no text", () => {
  const reply: Reply = {
    status: 200,
    headers: { "content-type": "text/event-stream" },
    body: { kind: "stream", stream: { frames: [], end: { how: "close", at: 0 } } },
  };
  expect(withoutBody(reply)).toEqual({ ...reply, body: { kind: "none" } });
});

test("leaves a HEAD unanswered where nothing is answered", () => {
  const silent: Reply = { status: 0, headers: {}, body: { kind: "no-answer", how: "reset" } };
  expect(noAnswer("reset")).toEqual(silent);
  expect(withoutBody(noAnswer("reset"))).toEqual(silent);
});

test("labels what gave an answer by its word, or by asking it", () => {
  const scene = { headers: { "x-a": "1" }, body: undefined, tables: {} };
  expect(labelOf(undefined, scene)).toBeUndefined();
  expect(labelOf("the front", scene)).toBe("the front");
  const asked: Answerer = {
    label: ({ headers }) => headers["x-a"] ?? "",
    outcome: () => ({}),
    details: () => ({}),
  };
  expect(labelOf(asked, scene)).toBe("1");
});
