import { expect, test } from "vitest";
import type { Call } from "../../../src/core/http/call.ts";
import type { Reply } from "../../../src/core/http/reply.ts";
import {
  answerElsewhere,
  answerTables,
  type TablesContext,
} from "../../../src/core/tables/answer-tables.ts";
import { call } from "../../support/calls.ts";
import { jsonOf, starbasedbContext } from "../../core/tables/ask.ts";
import { observedShop } from "../../core/tables/observed-shop.ts";

function guarded(): TablesContext {
  return { ...starbasedbContext(observedShop()), tokens: ["Secret"], cors: true };
}

async function answer(made: Call): Promise<Reply> {
  return answerTables(made, made.path, guarded());
}

const withToken = { authorization: "Bearer Secret" };

test.each([
  [undefined],
  ["Bearer other"],
  ["Bearer secret"],
  ["bearer Secret"],
  ["Bearer  Secret"],
  ["Bearer\tSecret"],
  ["Secret"],
  ["Bearer Secret, Bearer Secret"],
])("denies the authorization %j", async (authorization) => {
  const headers = authorization === undefined ? {} : { authorization };
  const reply = await answer(call("GET", "/users", { headers }));
  expect([reply.status, jsonOf(reply)]).toEqual([401, { error: "Unauthorized request" }]);
  expect(reply.headers).toEqual({ "content-type": "application/json" });
});

test("denies before it looks at path, method or body", async () => {
  const denied: Call = {
    ...call("POST", "/"),
    readBody: () => {
      throw new Error("The body was read.");
    },
  };
  const inside = await answer(denied);
  const elsewhere = answerElsewhere(denied, "/foo", guarded());
  expect([inside.status, elsewhere.status]).toEqual([401, 401]);
});

test("answers HEAD without the token with the head of the refusal", async () => {
  const reply = await answer(call("HEAD", "/users"));
  expect(reply.status).toBe(401);
  expect(reply.body).toEqual({ kind: "none" });
  expect(reply.headers["content-type"]).toBe("application/json");
});

test.each(["HEAD", "OPTIONS", "PROPFIND", "TRACE", "PURGE"])(
  "does not allow %s",
  async (method) => {
    const reply = await answer(call(method, "/users/5", { headers: withToken }));
    expect(reply.status).toBe(405);
    expect(jsonOf(reply)).toEqual(method === "HEAD" ? undefined : { error: "Method not allowed" });
    expect(reply.headers).not.toHaveProperty("allow");
  },
);

test("has no CORS, also where it is on", async () => {
  const headers = { origin: "https://app.example", "access-control-request-method": "GET" };
  const preflight = await answer(call("OPTIONS", "/users", { headers }));
  const get = await answer(call("GET", "/users/1", { headers: { ...headers, ...withToken } }));
  expect([preflight.status, get.status]).toEqual([401, 200]);
  expect({ ...preflight.headers, ...get.headers }).toEqual({ "content-type": "application/json" });
});

test.each(["BIND", "FOO", "get"])("does not know the method %s, token or not", async (method) => {
  const reply = await answer(call(method, "/users"));
  expect(reply.status).toBe(501);
  expect(reply.headers).toEqual({ "content-type": "text/plain" });
});

test.each([
  ["?token=Secret", 500, "application/json"],
  ["?token=secret", 440, "text/plain;charset=UTF-8"],
  ["", 440, "text/plain;charset=UTF-8"],
])("asks who wants a websocket for the token in the query: %j", async (query, status, type) => {
  const headers = { ...withToken, upgrade: "websocket" };
  const reply = await answer(call("GET", `/users${query}`, { headers }));
  expect(reply.status).toBe(status);
  expect(reply.headers["content-type"]).toBe(type);
});

test.each([
  ["/", 400, '{"error":"Unknown operation"}'],
  ["/REST/users", 400, '{"error":"Unknown operation"}'],
  ["/query", 400, '{"error":"Unknown operation"}'],
  ["/api/x", 404, "Not found"],
  ["/restaurant", 500, undefined],
  // Where the tables have another place, these are not theirs.
  ["/rest", 400, '{"error":"Unknown operation"}'],
  ["/rest/users/1", 400, '{"error":"Unknown operation"}'],
])("answers %s, which is not below /rest, with %i", (path, status, text) => {
  const made = call("GET", path, { headers: withToken });
  const reply = answerElsewhere(made, path, guarded());
  expect(reply.status).toBe(status);
  expect(reply.body.kind === "text" ? reply.body.text : undefined).toBe(text);
});
