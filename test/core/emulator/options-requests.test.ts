import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import { call } from "../../support/calls.ts";

const fixtures = { tables: { users: [{ id: 1, name: "Ada" }] } };

const places = [
  "/v1/chat/completions",
  "/models",
  "/v1/models/atlas",
  "/rest/users",
  "/v1/rest/users/1",
  "/__backlot/requests",
  "/__backlot/health",
  "/",
  "/@a/v1/models",
];

test.each(places)("answers a plain OPTIONS of %s with what it allows", async (path) => {
  const { core } = await createEmulator({ fixtures, auth: false });
  const headers = { host: "localhost" };
  const { reply } = await core.handle(call("OPTIONS", path, { headers }));
  expect(reply).toMatchObject({ status: 204, body: { kind: "none" } });
  expect(reply.headers["allow"]).toMatch(/, OPTIONS$/);
});

test.each(["/v1/chat/completions", "/models", "/rest/users"])(
  "no OPTIONS of %s uses up a planned fault that is not for it",
  async (path) => {
    const emulator = await createEmulator({ fixtures, auth: false });
    emulator.faults.add({ status: 503, times: 1 });
    const asking = { origin: "http://page.test", "access-control-request-method": "POST" };
    for (const headers of [{}, { origin: "http://page.test" }, asking]) {
      const { reply } = await emulator.core.handle(call("OPTIONS", path, { headers }));
      expect(reply.status).toBe(204);
    }
    const { reply } = await emulator.core.handle(call("POST", path, { body: {} }));
    expect(reply.status).toBe(503);
    expect(emulator.faults.list()).toEqual([]);
  },
);

test("an OPTIONS is in the journal as any other request", async () => {
  const emulator = await createEmulator({ fixtures });
  await emulator.fetch("/v1/models", { method: "OPTIONS" });
  expect(emulator.journal.list()).toMatchObject([
    { method: "OPTIONS", path: "/v1/models", status: 204, answeredBy: "options" },
  ]);
});

test.each(["/nowhere", "/v1/nowhere", "/rest/nope", "/rest/users/1/more", "/models"])(
  "the journal has the body of a POST to %s, which is no place for it",
  async (path) => {
    const emulator = await createEmulator({ fixtures, auth: false });
    const body = JSON.stringify({ hello: "there" });
    await emulator.fetch(path, { method: "POST", body });
    await emulator.fetch(path, { method: "POST", body: "plain" });
    const entries = emulator.journal.list();
    expect(entries.map((entry) => entry.body)).toEqual([{ hello: "there" }, "plain"]);
    expect(entries.every(({ status }) => status === 404 || status === 405)).toBe(true);
  },
);

test("the journal has no body of a request without a key, or beyond the limit", async () => {
  const closed = await createEmulator({ fixtures });
  await closed.fetch("/nowhere", { method: "POST", body: "secret" });
  expect(closed.journal.list()).toMatchObject([{ status: 401, body: null }]);
  const small = await createEmulator({ fixtures, auth: false, bodyLimit: 10 });
  await small.fetch("/nowhere", { method: "POST", body: "longer than ten bytes" });
  expect(small.journal.list()).toMatchObject([{ status: 404, body: null }]);
});
