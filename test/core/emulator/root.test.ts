import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import { call } from "../../support/calls.ts";

const { core } = await createEmulator({
  fixtures: { tables: { users: [{ id: 1, name: "Ada" }] } },
  auth: false,
});

test.each([
  ["/app/rest/users/1", "/rest/users/1"],
  ["/app/@one/rest/users/1", "/@one/rest/users/1"],
  ["/app/__backlot/health", "/__backlot/health"],
  ["/rest/users/1", "/rest/users/1"],
  ["/application/rest/users/1", "/application/rest/users/1"],
])("below the root /app/, %s is %s", async (sent, path) => {
  expect(core.pathBelow("/app/", sent)).toBe(path);
  const { reply } = await core.handle(call("GET", sent), { root: "/app/" });
  const { reply: same } = await core.handle(call("GET", path));
  expect([reply.status, reply.body]).toEqual([same.status, same.body]);
});

test("a root leaves the emulator its own paths", () => {
  expect(core.pathBelow("/v1/", "/v1/rest/users")).toBe("/v1/rest/users");
});

test("names the root in the addresses that it tells", async () => {
  const { reply } = await core.handle(call("GET", "/app/@one/users"), { root: "/app/" });
  expect(JSON.stringify(reply.body)).toContain("are at /app/@one/rest/users.");
});
