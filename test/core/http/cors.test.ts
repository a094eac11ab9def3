import { expect, test } from "vitest";
import type { Call, CallHeaders } from "../../../src/core/http/call.ts";
import { jsonReply } from "../../../src/core/http/reply.ts";
import { isPreflight, preflightReply, withCors } from "../../../src/core/http/cors.ts";

function callWith(method: string, headers: CallHeaders): Call {
  return {
    method,
    path: "/",
    query: "",
    headers,
    readBody: () => Promise.resolve({ kind: "bytes", bytes: new Uint8Array() }),
    signal: new AbortController().signal,
  };
}

const asking = { origin: "https://app.test", "access-control-request-method": "PATCH" };

test.each([
  ["OPTIONS", asking, true],
  ["OPTIONS", { origin: "https://app.test" }, false],
  ["OPTIONS", { "access-control-request-method": "PATCH" }, false],
  ["GET", asking, false],
])("takes %s with %j for a preflight: %j", (method, headers, expected) => {
  expect(isPreflight(callWith(method, headers))).toBe(expected);
});

test("echoes the headers that a preflight asks for", () => {
  const reply = preflightReply(
    callWith("OPTIONS", {
      ...asking,
      "access-control-request-headers": "authorization,x-stainless-os",
    }),
    ["GET", "PATCH"],
  );
  expect(reply.status).toBe(204);
  expect(reply.headers).toMatchObject({
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, PATCH",
    "access-control-allow-headers": "authorization,x-stainless-os",
    "access-control-max-age": "7200",
    vary: "Origin, Access-Control-Request-Headers",
  });
  expect(reply.body).toEqual({ kind: "none" });
});

test("allows no headers to a preflight that asks for none", () => {
  const reply = preflightReply(callWith("OPTIONS", asking), ["GET"]);
  expect(reply.headers).not.toHaveProperty("access-control-allow-headers");
  expect(reply.headers).not.toHaveProperty("access-control-allow-private-network");
});

test("lets a public page reach this machine when its browser asks", () => {
  const headers = { ...asking, "access-control-request-private-network": "true" };
  const reply = preflightReply(callWith("OPTIONS", headers), ["GET"]);
  expect(reply.headers["access-control-allow-private-network"]).toBe("true");
});

test("adds to a reply that any page may read it, and which headers", () => {
  const reply = withCors(jsonReply(200, {}, { "x-request-id": "1" }), [
    "x-request-id",
    "retry-after",
  ]);
  expect(reply.headers).toEqual({
    "content-type": "application/json",
    "x-request-id": "1",
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "x-request-id, retry-after",
  });
});

test("names no exposed headers where there are none", () => {
  expect(withCors(jsonReply(200, {}), []).headers).not.toHaveProperty(
    "access-control-expose-headers",
  );
});
