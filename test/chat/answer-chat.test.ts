import { expect, test } from "vitest";
import { answerChat } from "../../src/chat/answer-chat.ts";
import type { CallBody } from "../../src/http/call.ts";
import { call } from "../support/calls.ts";
import { bodyOf, chatBody, chatContext, model, post, replying, script, send } from "./support.ts";

const keyed = { apiKeys: ["local-key-1234"] };

test.each<[Record<string, string>]>([
  [{}],
  [{ authorization: "Basic abc" }],
  [{ authorization: "bearer local-key-1234" }],
  [{ authorization: "Bearer " }],
])("denies a request with the headers %j", async (headers) => {
  const reply = await post(chatContext(keyed), chatBody(), headers);
  expect(reply.status).toBe(401);
  expect(bodyOf(reply).error).toEqual({
    message: expect.stringContaining('Send "Authorization: Bearer YOUR_KEY"'),
    type: "invalid_request_error",
    param: null,
    code: null,
  });
});

test("denies a wrong key and shows it masked", async () => {
  const reply = await send(chatContext(keyed), "GET", "/models", {
    headers: { authorization: "Bearer sk-secret-secret-9876" },
  });
  expect(reply.status).toBe(401);
  expect(bodyOf(reply).error).toEqual({
    message: "Cannot answer: the API key sk-********9876 is not one of those accepted.",
    type: "invalid_request_error",
    param: null,
    code: "invalid_api_key",
  });
});

test("does not read the body of a denied request", async () => {
  const denied = { ...call("POST", "/v1/chat/completions"), readBody: () => expect.fail() };
  const reply = await answerChat(denied, "/chat/completions", chatContext(keyed));
  expect(reply.status).toBe(401);
});

test.each([
  ["an accepted key", keyed, "Bearer local-key-1234"],
  ["any key when there are none", { apiKeys: [] }, "Bearer x"],
])("takes %s", async (_, options, authorization) => {
  const reply = await post(chatContext(options), chatBody(), { authorization });
  expect(reply.status).toBe(200);
});

test("asks for a key even when any will do", async () => {
  expect(await post(chatContext({ apiKeys: [] }))).toMatchObject({ status: 401 });
});

test.each([
  ["GET", "/"],
  ["POST", "/chat/completion"],
  ["POST", "/chat/completions/"],
  ["GET", "/models/"],
  ["POST", "/completions"],
])("answers %s %s with 404 and the paths that exist", async (method, path) => {
  const reply = await send(chatContext(), method, path);
  expect(reply.status).toBe(404);
  expect(bodyOf(reply).error).toEqual({
    message:
      `Cannot answer ${method} ${path}: there is no such path. ` +
      "Use POST /chat/completions, GET /models, GET /models/{id}.",
    type: "invalid_request_error",
    param: null,
    code: "unknown_url",
  });
});

test.each([
  ["GET", "/chat/completions", "POST"],
  ["OPTIONS", "/chat/completions", "POST"],
  ["POST", "/models", "GET"],
  ["DELETE", "/models/atlas", "GET"],
])("answers %s %s with 405 and the method that is possible", async (method, path, allow) => {
  const reply = await send(chatContext(), method, path);
  expect(reply).toMatchObject({ status: 405, headers: { allow } });
  expect(bodyOf(reply).error).toMatchObject({
    type: "invalid_request_error",
    code: "method_not_supported",
    param: null,
  });
});

test.each<[CallBody, number, string | null]>([
  [{ kind: "too-large", limit: 10 }, 413, "request_too_large"],
  [{ kind: "aborted" }, 400, null],
  [{ kind: "bytes", bytes: new Uint8Array() }, 400, null],
  [{ kind: "bytes", bytes: new Uint8Array([0xff]) }, 400, null],
])("answers the body %j with %d", async (body, status, code) => {
  const request = {
    ...call("POST", "/v1/chat/completions"),
    readBody: () => Promise.resolve(body),
  };
  const reply = await answerChat(request, "/chat/completions", chatContext());
  expect(reply.status).toBe(status);
  expect(bodyOf(reply).error).toMatchObject({ type: "invalid_request_error", param: null, code });
});

test("parses the body whatever its content type says", async () => {
  const reply = await post(chatContext(), chatBody(), { "content-type": "text/plain" });
  expect(reply.status).toBe(200);
});

test("answers a preflight without a key", async () => {
  const reply = await send(chatContext({ ...keyed, cors: true }), "OPTIONS", "/chat/completions", {
    headers: {
      origin: "http://localhost:5173",
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,content-type,x-stainless-os",
    },
  });
  expect(reply).toMatchObject({ status: 204, body: { kind: "none" } });
  expect(reply.headers).toMatchObject({
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": "authorization,content-type,x-stainless-os",
  });
});

test("lets a page read the reply and its headers, errors included", async () => {
  const context = chatContext({
    cors: true,
    scripts: [script("busy", { error: { status: 429, message: "Slow", retryAfterMs: 1500 } })],
  });
  const reply = await post(context);
  expect(reply.headers["access-control-allow-origin"]).toBe("*");
  expect(reply.headers["access-control-expose-headers"]?.split(", ")).toEqual([
    "x-request-id",
    "openai-version",
    "openai-processing-ms",
    "retry-after-ms",
    "retry-after",
  ]);
});

test("says nothing of origins when CORS is off", async () => {
  const reply = await post(chatContext());
  expect(Object.keys(reply.headers).filter((name) => name.startsWith("access-"))).toEqual([]);
});

test("answers with a script's error, before any stream begins", async () => {
  const error = { status: 429, message: "Slow down", retryAfterMs: 1500 };
  const context = replying({ error, headers: { "X-Mine": "1" }, pace: { firstTokenMs: 30 } });
  const reply = await post(context, chatBody({ stream: true }));
  expect(reply).toMatchObject({ status: 429, delayMs: 30, answeredBy: 'script "only" reply 1' });
  expect(reply.headers).toMatchObject({
    "retry-after-ms": "1500",
    "retry-after": "2",
    "x-mine": "1",
    "x-request-id": "req_1",
  });
  expect(bodyOf(reply)).toEqual({
    error: {
      message: "Slow down",
      type: "requests",
      param: null,
      code: "rate_limit_exceeded",
    },
  });
});

test.each([
  [{ status: 400 }, { type: "invalid_request_error", param: null, code: null }],
  [{ status: 503 }, { type: "server_error", param: null, code: null }],
  [
    { status: 429, code: null },
    { type: "requests", param: null, code: null },
  ],
  [
    { status: 400, type: "t", code: "c", param: "p" },
    { type: "t", param: "p", code: "c" },
  ],
])("fills in what the error %j leaves out", async (error, expected) => {
  const reply = await post(replying({ error: { message: "No", ...error } }));
  expect(reply.status).toBe(error.status);
  expect(bodyOf(reply)).toEqual({ error: { message: "No", ...expected } });
});

test("answers 500, not to be tried again, when a script's template fails", async () => {
  const reply = await post(replying({ content: "Hi {{ usr }}" }), chatBody({ stream: true }));
  expect(reply).toMatchObject({ status: 500, headers: { "x-should-retry": "false" } });
  expect(bodyOf(reply).error).toEqual({
    message:
      'Cannot answer with the script "only". Cannot render the template at line 1, column 7: ' +
      'undefined variable: usr. Did you mean "user"?',
    type: "server_error",
    param: null,
    code: "template_failed",
  });
});

test("refuses an answer that would not fit into memory", async () => {
  const body = chatBody({ n: 128 }, "x".repeat(1_000_000));
  const reply = await post(chatContext({ models: [model("atlas")] }), body);
  expect(reply.status).toBe(400);
  expect(bodyOf(reply).error).toMatchObject({ code: "answer_too_large", param: "n" });
});
