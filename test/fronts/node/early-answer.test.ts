import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { serve } from "../../support/served.ts";

const fixtures = { tables: { users: [{ id: 1, name: "Ada" }] } };
const half = Buffer.alloc(6_000_000, "a");

test.each([
  ["too large", "Bearer local-token", "413"],
  ["that is denied", "Bearer other", "401"],
])("keeps the connection while a client that closes sends a body %s", async (_, key, status) => {
  await using served = await serve(fixtures);
  using connection = await served.connect();
  connection.send(
    `POST /rest/users HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nauthorization: ${key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${2 * half.length}\r\n\r\n`,
  );
  connection.send(half);
  const early = await connection.until('"code"');
  // Time for a server that does not wait to close the connection.
  await Promise.race([once(connection.socket, "close"), setTimeout(200)]);
  const wasOpen = !connection.socket.closed;
  connection.send(half);
  await connection.closed();
  expect(early).toContain(`HTTP/1.1 ${status}`);
  expect(wasOpen).toBe(true);
});

test("takes every header of a head that is within its limit", async () => {
  await using served = await serve(fixtures);
  const many = Array.from({ length: 1_500 }, (_, index) => [`x-${index}`, "1"]);
  const headers = Object.fromEntries([...many, ["authorization", "Bearer local-token"]]);
  expect((await served.fetch("/rest/users", { headers })).status).toBe(200);
});

test.each([
  ["without a Host", "GET /rest/users HTTP/1.1\r\n\r\n", "400 Bad Request"],
  [
    "with an unknown expectation",
    "GET /rest/users HTTP/1.1\r\nhost: localhost\r\nexpect: wonders\r\n\r\n",
    "401",
  ],
  ["for a tunnel", "CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n", "405"],
])("answers a request %s in JSON", async (_, request, status) => {
  await using served = await serve(fixtures);
  using connection = await served.connect();
  connection.send(request);
  const text = await connection.until('"code"');
  expect(text).toContain(`HTTP/1.1 ${status}`);
  expect(text).toContain("content-type: application/json");
});
