import { expect, test } from "vitest";
import { answerChat, refuseUnknownPath } from "../../../src/core/chat/answer-chat.ts";
import type { CallBody } from "../../../src/core/http/call.ts";
import { call } from "../../support/calls.ts";
import { answererOf } from "../../support/answerer.ts";
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
    message:
      'Incorrect API key provided: sk-********9876. Add it to "apiKeys" (config.json), ' +
      'or start with --no-auth (in code: auth: false). Without "apiKeys" any key is accepted.',
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

test.each([
  ["GET", "/nowhere"],
  ["GET", "/chat/completions"],
  ["OPTIONS", "/nowhere"],
])("asks for the key before it looks at path and method: %s %s", async (method, path) => {
  const reply = await send(chatContext(keyed), method, path);
  expect(reply.status).toBe(401);
  expect(bodyOf(reply).error).toMatchObject({ code: null });
});

test("asks for a key even when any will do", async () => {
  expect(await post(chatContext({ apiKeys: [] }))).toMatchObject({ status: 401 });
});

test.each([
  ["GET", "/", ""],
  ["POST", "/chat/completion", ' Did you mean "/v1/chat/completions"?'],
  ["POST", "/chat/completions/", ' Did you mean "/v1/chat/completions"?'],
  ["POST", "//chat/completions", ' Did you mean "/v1/chat/completions"?'],
  ["GET", "//models/", ' Did you mean "/v1/models"?'],
])("answers %s %s with 404 and the paths that exist", async (method, path, hint) => {
  const reply = await send(chatContext(), method, path);
  expect(reply.status).toBe(404);
  expect(bodyOf(reply).error).toEqual({
    message:
      `Cannot answer ${method} /v1${path}: there is no such path. ` +
      `Use POST /v1/chat/completions, GET /v1/models, GET /v1/models/{id}.${hint}`,
    type: "invalid_request_error",
    param: null,
    code: "unknown_url",
  });
});

test.each([
  ["GET", "/chat/completions", "POST, OPTIONS"],
  ["POST", "/models", "GET, HEAD, OPTIONS"],
  ["DELETE", "/models/atlas", "GET, HEAD, OPTIONS"],
])("answers %s %s with 405 and the method that is possible", async (method, path, allow) => {
  const reply = await send(chatContext(), method, path);
  expect(reply).toMatchObject({ status: 405, headers: { allow } });
  expect(bodyOf(reply).error).toMatchObject({
    type: "invalid_request_error",
    code: "method_not_supported",
    param: null,
  });
});

const models = [model("atlas"), model("org/tiny:v1")];

test.each([
  ["/models", 200],
  ["/models/org%2Ftiny:v1", 200],
  ["/models/nope", 404],
])("answers HEAD %s as GET, without the body", async (path, status) => {
  const context = chatContext({ models });
  const get = await send(context, "GET", path);
  const head = await send(context, "HEAD", path);
  expect(head).toMatchObject({ status, body: { kind: "none" } });
  const text = get.body.kind === "text" ? get.body.text : "";
  expect(head.headers).toMatchObject({
    "content-type": "application/json",
    "content-length": String(new TextEncoder().encode(text).length),
  });
});

test("refuses HEAD where there is nothing to get", async () => {
  const reply = await send(chatContext(), "HEAD", "/chat/completions");
  expect(reply).toMatchObject({
    status: 405,
    headers: { allow: "POST, OPTIONS" },
    body: { kind: "none" },
  });
});

function otherPaths(base: string): string[] {
  return [`${base}/rest/{table}`, `${base}/rest/{table}/{key}`];
}

test("names the paths of the rest of the service too when it knows no such path", async () => {
  const context = chatContext({ otherPaths });
  const reply = await send(context, "GET", "/model");
  expect(reply.status).toBe(404);
  expect(bodyOf(reply).error.message).toBe(
    "Cannot answer GET /v1/model: there is no such path. Use POST /v1/chat/completions, GET /v1/models, " +
      'GET /v1/models/{id}, /v1/rest/{table}, /v1/rest/{table}/{key}. Did you mean "/v1/models"?',
  );
});

test("refuses a path of no interface with 404, though chat has one of that name", async () => {
  const context = chatContext({ apiKeys: [], otherPaths: () => ["/rest/{table}"] });
  const headers = { authorization: "Bearer x" };
  const reply = await refuseUnknownPath(call("GET", "/models", { headers }), context);
  expect(reply).toMatchObject({ status: 404, headers: { "x-request-id": "req_1" } });
  expect(bodyOf(reply).error).toMatchObject({
    message: expect.stringMatching(/^Cannot answer GET \/models: .*, \/rest\/\{table\}\.$/),
    type: "invalid_request_error",
    code: "unknown_url",
    param: null,
  });
});

test("asks for the key before it refuses a path of no interface", async () => {
  const reply = await refuseUnknownPath(call("GET", "/v2/x"), chatContext({ apiKeys: [] }));
  expect(reply.status).toBe(401);
  expect(bodyOf(reply).error.message).toContain("without an API key");
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

test.each([
  ["/chat/completions", "POST, OPTIONS"],
  ["/models", "GET, HEAD, OPTIONS"],
  ["/models/atlas", "GET, HEAD, OPTIONS"],
])("tells by OPTIONS what %s allows, without a key", async (path, allow) => {
  const reply = await send(chatContext({ ...keyed, cors: true }), "OPTIONS", path);
  expect(reply).toMatchObject({ status: 204, headers: { allow }, body: { kind: "none" } });
});

const asksToDelete = {
  origin: "http://localhost:5173",
  "access-control-request-method": "DELETE",
  "access-control-request-headers": "authorization",
};

test.each([
  ["/nowhere", "DELETE"],
  ["/models", "GET, HEAD, DELETE"],
])("allows a page to ask %s in vain, so that it sees the error", async (path, methods) => {
  const context = chatContext({ ...keyed, cors: true });
  const reply = await send(context, "OPTIONS", path, { headers: asksToDelete });
  expect(reply).toMatchObject({ status: 204, body: { kind: "none" } });
  expect(reply.headers["access-control-allow-methods"]).toBe(methods);
});

test("answers a preflight for a path of no interface without a key", async () => {
  const asked = call("OPTIONS", "/v2/x", { headers: asksToDelete });
  const reply = await refuseUnknownPath(asked, chatContext({ ...keyed, cors: true }));
  expect(reply).toMatchObject({ status: 204, body: { kind: "none" } });
  expect(reply.headers["access-control-allow-headers"]).toBe("authorization");
});

test("answers a preflight as any other OPTIONS when CORS is off", async () => {
  const reply = await send(chatContext(keyed), "OPTIONS", "/models", { headers: asksToDelete });
  expect(reply).toMatchObject({ status: 204, headers: { allow: "GET, HEAD, OPTIONS" } });
  expect(reply.headers["access-control-allow-origin"]).toBeUndefined();
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
    "openai-organization",
    "openai-processing-ms",
    "retry-after-ms",
    "retry-after",
  ]);
});

test("tells pages of no header that is about this permission itself", async () => {
  const context = { ...chatContext({ cors: true }) };
  const headers = { origin: "http://x", "access-control-request-method": "POST" };
  const reply = await send(context, "OPTIONS", "/models", { headers });
  expect(reply.headers["access-control-expose-headers"]).not.toContain("access-control");
});

test.each([
  [0, undefined, "6"],
  [0, { firstTokenMs: 30 }, "36"],
  [-20, undefined, "0"],
])("tells how long an answer takes: %i ms, with the pace %j", async (step, pace, expected) => {
  let time = 0;
  const error = { status: 500, message: "No" };
  const now = (): number => (time += step + 5.6);
  const context = replying({ error, ...(pace !== undefined && { pace }) }, { now });
  const reply = await post(context);
  expect(reply.headers["openai-processing-ms"]).toBe(expected);
});

test("says nothing of origins when CORS is off", async () => {
  const reply = await post(chatContext());
  expect(Object.keys(reply.headers).filter((name) => name.startsWith("access-"))).toEqual([]);
});

test("answers with a script's error, before any stream begins", async () => {
  const error = { status: 429, message: "Slow down", retryAfterMs: 1500 };
  const context = replying({ error, headers: { "X-Mine": "1" }, pace: { firstTokenMs: 30 } });
  const reply = await post(context, chatBody({ stream: true }));
  expect(reply).toMatchObject({ status: 429, delayMs: 30 });
  expect(answererOf(reply)).toBe('script "only" reply 1');
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
  const reply = await post(
    replying({ content: "Hi {{ user | upcas }}" }),
    chatBody({ stream: true }),
  );
  expect(reply).toMatchObject({ status: 500, headers: { "x-should-retry": "false" } });
  expect(bodyOf(reply).error).toEqual({
    message:
      'Cannot answer with the script "only". Cannot render the template at line 1, column 4: ' +
      'undefined filter: upcas. Did you mean "upcase"?',
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
