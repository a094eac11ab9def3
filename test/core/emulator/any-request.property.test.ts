import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Call } from "../../../src/core/http/call.ts";
import { createEmulator } from "../../../src/index.ts";
import { contractModels } from "../../support/contract-chats.ts";
import { contractTables } from "../../support/contract-tables.ts";
import { ObserverLog } from "../../support/observer-log.ts";
import { tries } from "../../support/tries.ts";

const name = fc.oneof(
  fc.constantFrom(
    "users",
    "pairs",
    "places",
    "logs",
    "orders",
    "id",
    "name",
    "tags",
    "extra",
    "a",
    "b",
  ),
  fc.constantFrom(
    "__proto__",
    "constructor",
    "toString",
    "",
    ".",
    "..",
    "%",
    "%zz",
    "%ff",
    "a,b",
    "x%2Cy,2",
  ),
  fc.string({ unit: "binary", maxLength: 8 }),
);
const operator = fc.constantFrom(
  "",
  ".eq",
  ".ne",
  ".gt",
  ".like",
  ".in",
  ".lte",
  ".foo",
  ".",
  ".__proto__",
);
const value = fc.oneof(
  fc.constantFrom(
    "",
    "5",
    "-1",
    "1e999",
    "true",
    "null",
    "%25a%25",
    "_",
    "9".repeat(40),
    "0x10",
    "%ff",
    "+",
  ),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.double().map(String),
);
const parameter = fc
  .tuple(fc.oneof(name, fc.constantFrom("sort_by", "order", "limit", "offset")), operator, value)
  .map(([column, suffix, text]) => `${column}${suffix}=${text}`);
const query = fc.array(parameter, { maxLength: 4 }).map((parts) => parts.join("&"));
const path = fc.oneof(
  fc.array(name, { maxLength: 3 }).map((parts) => `/rest/${parts.join("/")}`),
  fc.constantFrom("/v1/chat/completions", "/v1/models", "/chat/completions/", "/models/%zz", "/"),
  fc.array(name, { maxLength: 3 }).map((parts) => `/${parts.join("/")}`),
);
const method = fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE");
const text = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.dictionary(name, fc.jsonValue()).map((row) => JSON.stringify(row)),
  fc
    .record(
      {
        model: fc.oneof(fc.constantFrom("atlas", "atlas-embed"), fc.jsonValue()),
        messages: fc.oneof(
          fc.array(
            fc.record({
              role: fc.constantFrom("user", "system", "assistant", "tool", "robot"),
              content: fc.oneof(fc.string({ unit: "binary" }), fc.jsonValue()),
            }),
          ),
          fc.jsonValue(),
        ),
        stream: fc.oneof(fc.boolean(), fc.jsonValue()),
        n: fc.jsonValue(),
        tools: fc.jsonValue(),
        stream_options: fc.jsonValue(),
      },
      { requiredKeys: ["model", "messages"] },
    )
    .map((body) => JSON.stringify(body)),
  fc.string({ unit: "binary" }),
);
const bytes = fc.oneof(
  text.map((json) => new TextEncoder().encode(json)),
  fc.uint8Array({ maxLength: 40 }),
);
const headers = fc.record({
  authorization: fc.constantFrom("Bearer local-token", "Bearer", "bearer x", "Bearer \u00ff"),
  "content-type": fc.constantFrom("application/json", "text/plain", "", "a/b+json", ";;"),
});

test("answers whatever a client sends with a 2xx or a 4xx, and goes on", async () => {
  const log = new ObserverLog();
  const chats = [
    {
      name: "a",
      when: { user: { regex: "(?<x>.)(.*)$", flags: "s" }, request: { "messages.0.role": "user" } },
      reply: { content: "{{ match.x }}{{ user }}" },
    },
    {
      name: "b",
      when: { toolResult: { name: "x" }, system: "s", header: { "x-a": "b" } },
      reply: { content: "b" },
    },
  ];
  const fixtures = { tables: contractTables, models: contractModels, chats };
  const emulator = await createEmulator({ fixtures, observer: log });
  const { signal } = new AbortController();
  await fc.assert(
    fc.asyncProperty(
      method,
      path,
      query,
      headers,
      bytes,
      async (...[verb, where, asked, sent, body]) => {
        const call: Call = {
          method: verb,
          path: where,
          query: asked,
          headers: sent,
          readBody: () => Promise.resolve({ kind: "bytes", bytes: body }),
          signal,
        };
        const { reply } = await emulator.core.handle(call);
        expect(log.takeFailures()).toEqual([]);
        expect(reply.status).toBeGreaterThanOrEqual(200);
        expect(reply.status).toBeLessThan(500);
        // A front can put it on the wire.
        expect(() => new Headers({ ...reply.headers })).not.toThrow();
      },
    ),
    { numRuns: tries(1_500) },
  );
  expect(
    (await emulator.fetch("/v1/models", { headers: { authorization: "Bearer k" } })).status,
  ).toBe(200);
});
