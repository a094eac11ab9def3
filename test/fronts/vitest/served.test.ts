import { expect, expectTypeOf, onTestFinished, test as plainTest } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import { serveTests, startServer } from "../../../src/fronts/node/index.ts";
import { createTest } from "../../../src/fronts/vitest/index.ts";

const fixtures = { tables: { users: [{ id: 1, name: "Ada" }] } } as const;
const emulator = await createEmulator({ fixtures, auth: false });
const server = await startServer(emulator, { port: 0 });
const test = createTest<typeof fixtures>({ url: server.url });

const storing = (retryCount: string): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", "x-stainless-retry-count": retryCount },
  body: JSON.stringify({ name: "Grace" }),
});

test("gives a session of a server, with typed rows", async ({ backlot }) => {
  await backlot.fetch("/rest/users", storing("0"));
  const rows = await backlot.tables.users.rows();
  expectTypeOf(rows).toEqualTypeOf<readonly { readonly id: number; readonly name: string }[]>();
  expect(rows).toHaveLength(2);
  expect(emulator.tables.users.size).toBe(1);
});

test("what its journal lists can be looked through", async ({ backlot }) => {
  await backlot.fetch("/rest/users", storing("1"));
  const requests = await backlot.journal.list();
  expect(requests).toHaveBeenAsked({ path: "/rest/users", body: { name: "Grace" }, times: 1 });
  expect(requests).toHaveBeenRetried({ times: 1 });
  expect(() => expect(requests).toHaveBeenAsked({ body: { name: "Ada" } }))
    .toThrowErrorMatchingInlineSnapshot(`
    [Error: expected the journal to have been asked body {"name": "Ada"}, but it was not. The closest requests:
      #1 POST /rest/users → 201: body.name was "Grace", not "Ada"]
  `);
  await expect.poll(() => backlot.journal.list()).toHaveBeenAsked({ status: 201 });
});

test("refuses its journal itself, which takes its time", ({ backlot }) => {
  expect(() => expect(backlot.journal).toHaveBeenAsked()).toThrow(
    "Cannot look for requests: the journal of a server is asynchronous. Pass its list: expect(await backlot.journal.list()).",
  );
});

test("plans faults of its own", async ({ backlot }) => {
  await backlot.faults.add({ table: "users", status: 503, times: 1 });
  expect((await backlot.fetch("/rest/users")).status).toBe(503);
  expect(await backlot.faults.list()).toEqual([]);
  expect(await backlot.journal.list()).toMatchObject([{ status: 503, fault: "fault 1" }]);
  expect((await fetch(`${server.url}/rest/users`)).status).toBe(200);
});

emulator.session("builder").tables.users.insert({ name: "Grace" });
emulator.session("builder").snapshot("two users");
emulator.core.sessions.delete("builder");
const testFrom = createTest<typeof fixtures>({ url: server.url, from: "two users" });

testFrom.for([1, 2])("each session begins as the snapshot, %i", async (number, { backlot }) => {
  expect(await backlot.tables.users.rows()).toHaveLength(2);
  await backlot.fetch(`/rest/users/${number}`, { method: "DELETE" });
  expect(emulator.tables.users.size).toBe(1);
});

const testFromNowhere = createTest({ url: server.url, from: "three users" });

testFromNowhere.fails("fails each test that is to begin as no snapshot", ({ backlot }) => {
  expect(backlot).toBeUndefined();
});

let attempts: string[] = [];
test("a retry begins anew", { retry: 1 }, async ({ backlot }) => {
  attempts = [...attempts, backlot.id];
  await backlot.fetch("/rest/users", storing("0"));
  expect(await backlot.tables.users.rows()).toHaveLength(2);
  expect(new Set(attempts).size).toBe(2);
});

plainTest("a session is gone once its test is over", async () => {
  expect(emulator.core.sessions.list()).toEqual([]);
  await server.close();
});

plainTest("a global setup tells the tests its URL, until it is taken down", async () => {
  const provided: string[] = [];
  const setUp = serveTests(emulator);
  const takeDown = await setUp({ provide: (name, url) => void provided.push(name, url) });
  onTestFinished(takeDown);
  expect(provided).toEqual(["backlot", expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)]);
  const [, url = ""] = provided;
  expect((await fetch(`${url}/__backlot/health`)).status).toBe(200);
  await takeDown();
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});

plainTest.each([
  [{ url: undefined }, /"url" is undefined. Name a file with .*serveTests.*backlot exec/],
  [{ url: "http://127.0.0.1:4010", auth: false }, /"auth" cannot be combined with "url"/],
  [{ url: "127.0.0.1" }, /Cannot connect to "127.0.0.1"/],
])("refuses %j", (options, message) => {
  expect(() => createTest(options)).toThrow(message);
});
