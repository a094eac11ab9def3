import { expect, test } from "vitest";
import { serve } from "../../support/served.ts";

function request(...lines: readonly string[]): string {
  return ["GET /rest/users HTTP/1.1", "Host: localhost", ...lines, "\r\n"].join("\r\n");
}

async function headersAsked(requests: readonly string[]): Promise<readonly unknown[]> {
  await using served = await serve({ tables: { users: [{ id: 1 }] } });
  for (const text of requests) {
    using connection = await served.connect();
    connection.send(text);
    await connection.until("unauthorized");
  }
  return served.emulator.journal.list().map(({ headers }) => headers);
}

test("tells requests apart whose headers differ in one value, in a name, or in number", async () => {
  const requests = [
    request("X-Tenant: a"),
    request("X-Tenant: a"),
    request("X-Tenant: b"),
    request("X-Team: b"),
    request("X-Team: b", "X-Tenant: a"),
    request("X-Tenant: a"),
  ];
  expect(await headersAsked(requests)).toEqual([
    { host: "localhost", "x-tenant": "a" },
    { host: "localhost", "x-tenant": "a" },
    { host: "localhost", "x-tenant": "b" },
    { host: "localhost", "x-team": "b" },
    { host: "localhost", "x-team": "b", "x-tenant": "a" },
    { host: "localhost", "x-tenant": "a" },
  ]);
});

test("joins a header that is sent twice, each time that it is", async () => {
  const twice = request("X-Tenant: a", "X-Tenant: b");
  expect(await headersAsked([twice, twice, request("X-Tenant: a")])).toEqual([
    { host: "localhost", "x-tenant": "a, b" },
    { host: "localhost", "x-tenant": "a, b" },
    { host: "localhost", "x-tenant": "a" },
  ]);
});
