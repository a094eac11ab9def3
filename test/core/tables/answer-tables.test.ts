import { expect, test } from "vitest";
import type { Call } from "../../../src/core/http/call.ts";
import {
  answerElsewhere,
  answerTables,
  type TablesContext,
} from "../../../src/core/tables/answer-tables.ts";
import { call } from "../../support/calls.ts";
import { documentAnswers } from "../../../src/core/tables/document/answer.ts";
import { answererOf } from "../../support/answerer.ts";
import { ask, jsonOf, openContext } from "./ask.ts";
import { shop } from "./shop.ts";

function guarded(): TablesContext {
  return { ...openContext(shop()), tokens: ["secret"] };
}

const hint: unknown = expect.any(String);
const unauthorized = { error: "Unauthorized request", code: "unauthorized", hint };

test.each([
  [undefined],
  ["Bearer other"],
  ["bearer secret"],
  ["Bearer  secret"],
  ["Bearer "],
  ["Basic secret"],
  ["secret"],
])("denies a call whose authorization is %j", async (authorization) => {
  const headers = authorization === undefined ? {} : { authorization };
  const reply = await answerTables(call("GET", "/users", { headers }), "/users", guarded());
  expect(reply.status).toBe(401);
  expect(jsonOf(reply)).toEqual(unauthorized);
});

test("denies before it looks at path, method, tables or body", async () => {
  const untouchable = new Proxy(shop(), {
    get: () => {
      throw new Error("The database was reached.");
    },
  });
  const denied: Call = {
    ...call("POST", "/nope", { body: "{" }),
    readBody: () => {
      throw new Error("The body was read.");
    },
  };
  const reply = await answerTables(denied, "/%zz", { ...guarded(), database: untouchable });
  expect(reply.status).toBe(401);
  expect(jsonOf(reply)).toEqual(unauthorized);
});

test("lets a call with the token in", async () => {
  const headers = { authorization: "Bearer secret" };
  const reply = await answerTables(call("GET", "/orders", { headers }), "/orders", guarded());
  expect(reply.status).toBe(200);
  expect(jsonOf(reply)).toEqual({ result: [{ id: 1, user_id: 1 }] });
  expect(answererOf(reply)).toBe("GET orders: 1 row");
});

const preflight = {
  origin: "http://localhost:5173",
  "access-control-request-method": "PATCH",
  "access-control-request-headers": "authorization,content-type",
};

test("answers a preflight without a token when CORS is on", async () => {
  const asked = call("OPTIONS", "/users/1", { headers: preflight });
  const reply = await answerTables(asked, "/users/1", { ...guarded(), cors: true });
  expect(reply.status).toBe(204);
  expect(reply.body).toEqual({ kind: "none" });
  expect(answererOf(reply)).toBe("preflight");
  expect(reply.headers).toMatchObject({
    "access-control-allow-origin": "*",
    "access-control-allow-headers": "authorization,content-type",
    "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
  });
});

test("denies a preflight without a token when CORS is off", async () => {
  const asked = call("OPTIONS", "/users/1", { headers: preflight });
  const reply = await answerTables(asked, "/users/1", guarded());
  expect(reply.status).toBe(401);
  expect(reply.headers).not.toHaveProperty("access-control-allow-origin");
});

test("lets pages of other origins read every reply when CORS is on, refusals too", async () => {
  const reply = await answerTables(call("GET", "/users"), "/users", { ...guarded(), cors: true });
  expect(reply.status).toBe(401);
  expect(reply.headers["access-control-allow-origin"]).toBe("*");
  expect(reply.headers).not.toHaveProperty("access-control-expose-headers");
});

test("leaves CORS to the profile", async () => {
  const answers = { ...documentAnswers, cors: undefined };
  const context = { ...openContext(shop()), cors: true, answers };
  const reply = await answerTables(call("GET", "/users"), "/users", context);
  expect(reply.status).toBe(200);
  expect(reply.headers).not.toHaveProperty("access-control-allow-origin");
});

test("answers HEAD with the head of GET and no body", async () => {
  const database = shop();
  const get = await ask(database, "GET /users");
  const head = await ask(database, "HEAD /users");
  const text = get.reply.body.kind === "text" ? get.reply.body.text : "";
  expect(head.status).toBe(200);
  expect(head.reply.body).toEqual({ kind: "none" });
  expect(head.reply.headers).toEqual({
    ...get.reply.headers,
    "content-length": String(new TextEncoder().encode(text).length),
  });
});

test("answers HEAD of an unknown table with 404 and no body", async () => {
  const { status, reply } = await ask(shop(), "HEAD /user");
  expect(status).toBe(404);
  expect(reply.body).toEqual({ kind: "none" });
});

test("tells by OPTIONS what a table and a row allow", async () => {
  const onTable = await ask(shop(), "OPTIONS /users");
  const onRow = await ask(shop(), "OPTIONS /users/1");
  expect([onTable.status, onRow.status]).toEqual([204, 204]);
  expect(onTable.reply.headers).toEqual({ allow: "GET, HEAD, POST, OPTIONS" });
  expect(onRow.reply.headers).toEqual({ allow: "GET, HEAD, PUT, PATCH, DELETE, OPTIONS" });
});

test("answers 404 at paths that a profile does not speak of, to who has the token", () => {
  const headers = { authorization: "Bearer secret" };
  const answered = answerElsewhere(call("GET", "/x", { headers }), "/x", guarded());
  expect(answered).toMatchObject({ status: 404, body: { kind: "none" } });
  expect(answerElsewhere(call("GET", "/x"), "/x", guarded()).status).toBe(401);
  const head = answerElsewhere(call("HEAD", "/x"), "/x", guarded());
  expect([head.status, head.body]).toEqual([401, { kind: "none" }]);
  expect(jsonOf(answerElsewhere(call("GET", "/x"), "/x", guarded()))).toEqual(unauthorized);
});

test("names the allowed methods in the head of a 405", async () => {
  const { status, body, reply } = await ask(shop(), "PROPFIND /users");
  expect(status).toBe(405);
  expect(body).toMatchObject({ code: "method_not_allowed" });
  expect(reply.headers["allow"]).toBe("GET, HEAD, POST, OPTIONS");
});

test("answers 413 with the limit for a body that is too large", async () => {
  const made: Call = {
    ...call("POST", "/users"),
    readBody: () => Promise.resolve({ kind: "too-large", limit: 10_000_000 }),
  };
  const reply = await answerTables(made, "/users", openContext(shop()));
  expect(reply.status).toBe(413);
  expect(jsonOf(reply)).toEqual({
    error: "The body is larger than the 10000000 bytes that are accepted.",
    code: "body_too_large",
  });
});

test("changes nothing when the client goes before its body is complete", async () => {
  const database = shop();
  const made: Call = {
    ...call("POST", "/users"),
    readBody: () => Promise.resolve({ kind: "aborted" }),
  };
  const reply = await answerTables(made, "/users", openContext(database));
  expect(reply.status).toBe(400);
  expect(jsonOf(reply)).toMatchObject({ error: "The body did not arrive completely." });
  expect(database.table("users")?.size).toBe(4);
});

test("keeps a column named __proto__ as any other", async () => {
  const database = shop();
  const body = '{"text":"x","level":{"__proto__":{"polluted":true}}}';
  const posted = await ask(database, "POST /logs", { body });
  const got = await ask(database, "GET /logs?text=x");
  expect(posted.status).toBe(201);
  expect(got.reply.body).toMatchObject({ kind: "text", text: `{"result":[${body}]}` });
  expect({}).not.toHaveProperty("polluted");
});

test("refuses a body nested deeper than could be read back", async () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const { status, body } = await ask(shop(), "POST /logs", { body: `{"level":${deep}}` });
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: "not_json" });
});
