import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { CallBody } from "../../../src/core/http/call.ts";
import { call } from "../../support/calls.ts";
import { tries } from "../../support/tries.ts";
import { entry, controlled } from "./controlled.ts";

const name = fc.oneof(
  fc.constantFrom("users", "odd%2Fname", "__proto__", "constructor", "a", "greeting", "%", "%ff"),
  fc.string({ unit: "binary", maxLength: 6 }),
);
const path = fc.oneof(
  fc.constantFrom("/health", "/reset", "/state", "/chats", "/requests", "/sessions", "", "/"),
  fc.constantFrom("/openapi.json", "/fixtures.schema.json", "/requests/live", "/faults"),
  fc
    .tuple(fc.constantFrom("tables", "chats", "sessions", "table"), name)
    .map((segments) => `/${segments.join("/")}`),
  fc.array(name, { maxLength: 4 }).map((segments) => `/${segments.join("/")}`),
);
const method = fc.oneof(
  fc.constantFrom("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"),
  fc.string({ maxLength: 30 }),
);
const query = fc.oneof(
  fc.constant(""),
  fc
    .array(
      fc
        .tuple(
          fc.constantFrom("interface", "method", "path", "status", "since", "limit", "__proto__"),
          fc.oneof(
            fc.constantFrom("tables", "GET", "/", "200", "1", "a", "2024-01-01", "%ff", "-"),
            fc.string({ unit: "binary", maxLength: 8 }),
          ),
        )
        .map((pair) => pair.join("=")),
      { maxLength: 3 },
    )
    .map((pairs) => pairs.join("&")),
  fc.string({ unit: "binary", maxLength: 10 }),
);
const scope = fc.record({ scope: fc.array(fc.constantFrom("tables", "chats", "journal", "x")) });
const json = fc.oneof(
  scope,
  fc.array(fc.dictionary(name, fc.jsonValue())),
  fc.dictionary(fc.constantFrom("rows", "bad", "reply", "__proto__"), fc.jsonValue()),
  fc.jsonValue(),
);
const body: fc.Arbitrary<CallBody> = fc.oneof(
  json.map((value): CallBody => ({
    kind: "bytes",
    bytes: new TextEncoder().encode(JSON.stringify(value)),
  })),
  fc.uint8Array({ maxLength: 20 }).map((bytes): CallBody => ({ kind: "bytes", bytes })),
  fc.constantFrom<CallBody>({ kind: "aborted" }, { kind: "too-large", limit: 5 }),
);
const headers = fc.record(
  {
    host: fc.constantFrom("localhost", "localhost", "127.0.0.1:80", "evil.example", "", "[::1"),
    origin: fc.constantFrom("http://localhost", "null", "https://evil.example"),
    authorization: fc.constantFrom("Bearer secret", "Bearer", "x"),
    "content-type": fc.constantFrom("application/json", "text/plain", ";", "a/b+json"),
    "access-control-request-method": fc.constant("GET"),
  },
  { requiredKeys: ["host"] },
);

test("answers whatever is sent with a 2xx or a 4xx, and changes nothing with a 4xx", async () => {
  const entries = [entry({ id: "1" })];
  const asked = fc.record({ method, path, query, headers, body });
  await fc.assert(
    fc.asyncProperty(asked, fc.option(fc.constant("secret")), async (sent, token) => {
      const settings = token === null ? {} : { controlToken: token };
      const context = controlled({ entries, settings });
      const made = call("GET", "/", { headers: sent.headers });
      const whole = { ...made, ...sent, readBody: () => Promise.resolve(sent.body) };
      const reply = await context.answer(whole);
      expect(reply.status).toBeGreaterThanOrEqual(200);
      expect(reply.status).toBeLessThan(500);
      if (reply.status >= 400) expect(context.isChanged).toBe(false);
      // A front can put it on the wire.
      expect(() => new Headers({ ...reply.headers })).not.toThrow();
    }),
    { numRuns: tries(2_000) },
  );
});
