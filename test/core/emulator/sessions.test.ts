import { expect, onTestFinished, test, vi } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import { call } from "../../support/calls.ts";

const fixtures = {
  seed: 1,
  clock: "2024-01-01T00:00:00Z",
  models: [{ id: "atlas" }],
  tables: { users: [{ id: 1, name: "Ada" }] },
  chats: [
    { name: "count", replies: [{ content: "one" }, { content: "two" }, { content: "three" }] },
  ],
} as const;

const made = (): ReturnType<typeof createEmulator<typeof fixtures>> =>
  createEmulator({ fixtures, auth: false });

type Fetch = Awaited<ReturnType<typeof made>>["fetch"];

async function chat(fetch: Fetch, path = "/v1"): Promise<string> {
  const body = JSON.stringify({ model: "atlas", messages: [{ role: "user", content: "Hi" }] });
  const response = await fetch(`${path}/chat/completions`, { method: "POST", body });
  const completion = (await response.json()) as {
    readonly choices: readonly { readonly message: { readonly content: string } }[];
  };
  return completion.choices[0]?.message.content ?? "";
}

async function rows(response: Response): Promise<readonly unknown[]> {
  return ((await response.json()) as { readonly result: readonly unknown[] }).result;
}

test("a session sees no row of another one, and none of the base session written later", async () => {
  const emulator = await made();
  const [one, two] = [emulator.session("one"), emulator.session("two")];
  one.tables.users.insert({ name: "Grace" });
  two.tables.users.update(1, { name: "Alan" });
  expect(emulator.tables.users.rows()).toEqual([{ id: 1, name: "Ada" }]);
  expect(one.tables.users.rows().map(({ name }) => name)).toEqual(["Ada", "Grace"]);
  expect(two.tables.users.rows()).toEqual([{ id: 1, name: "Alan" }]);
});

test("a session begins as the base session is when it is first used", async () => {
  const emulator = await made();
  const session = emulator.session("late");
  emulator.tables.users.insert({ name: "Grace" });
  await chat(emulator.fetch);
  expect(session.tables.users.size).toBe(2);
  expect(await chat(session.fetch)).toBe("two");
});

test("sessions count turns and draw random numbers apart from each other", async () => {
  const emulator = await made();
  const answers: string[] = [];
  for (const id of ["a", "b", "a", "b"]) answers.push(await chat(emulator.session(id).fetch));
  expect(answers).toEqual(["one", "one", "two", "two"]);
  const ids = ["a", "b"].map((id) => emulator.session(id).snapshot().random);
  expect(ids[0]).toEqual(ids[1]);
});

test("a request names its session by header or by path, and the path wins", async () => {
  const emulator = await made();
  emulator.session("one").tables.users.insert({ name: "Grace" });
  const count = async (path: string, headers = {}): Promise<number> =>
    (await rows(await emulator.fetch(path, { headers }))).length;
  expect(await count("/rest/users", { "x-backlot-session": "one" })).toBe(2);
  expect(await count("/@one/v1/rest/users")).toBe(2);
  expect(await count("/@one/rest/users", { "x-backlot-session": "two" })).toBe(2);
  expect(await count("/@tw%6f/rest/users", { "x-backlot-session": "one" })).toBe(1);
  expect(await count("/rest/users", { "x-backlot-session": "" })).toBe(1);
  const two = emulator.session("two");
  expect((await rows(await two.fetch("/@one/rest/users"))).length).toBe(2);
});

test("the reset of a session goes back to the fixtures and leaves the others alone", async () => {
  const emulator = await made();
  emulator.tables.users.insert({ name: "Grace" });
  const session = emulator.session("one");
  await session.fetch("/rest/users");
  session.reset();
  expect(session.tables.users.size).toBe(1);
  expect(session.journal.list()).toEqual([]);
  expect(emulator.tables.users.size).toBe(2);
});

test("scripts added in a session are tried there alone", async () => {
  const emulator = await made();
  const session = emulator.session("one");
  await session.chats.add({ name: "own", reply: { content: "mine" } });
  expect([await chat(session.fetch), await chat(emulator.fetch)]).toEqual(["mine", "one"]);
});

test("a snapshot of one session can be restored in another", async () => {
  const emulator = await made();
  const [one, two] = [emulator.session("one"), emulator.session("two")];
  one.tables.users.insert({ name: "Grace" });
  await chat(one.fetch);
  two.restore(one.snapshot());
  expect(two.tables.users.size).toBe(2);
  expect(await chat(two.fetch)).toBe("two");
});

test("the sessions that were not used for the longest time go when there are too many", async () => {
  const emulator = await createEmulator({ fixtures, auth: false, maxSessions: 2 });
  for (const id of ["a", "b", "a", "c"]) emulator.session(id).tables.users.insert({ name: id });
  const sizes = ["a", "c", "b"].map((id) => emulator.session(id).tables.users.size);
  expect(sizes).toEqual([3, 2, 1]);
});

test("a session that was used within the last minute stays while an older one is there", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const emulator = await createEmulator({ fixtures, auth: false, maxSessions: 3 });
  for (const id of ["old", "older", "busy"]) await emulator.fetch(`/@${id}/rest/users`);
  vi.advanceTimersByTime(61_000);
  await emulator.fetch("/@busy/rest/users");
  await emulator.fetch("/@old/rest/users");
  await emulator.fetch("/@new/rest/users");
  const ids = emulator.core.sessions.list().map(({ id }) => id);
  expect(ids).toEqual(["busy", "old", "new"]);
});

test("a caller without a key begins no session in process either, and no journal has the request", async () => {
  const emulator = await createEmulator({ fixtures });
  expect((await emulator.fetch("/@mine/rest/users")).status).toBe(401);
  expect(emulator.core.sessions.list()).toEqual([]);
  const headers = { authorization: "Bearer local-token" };
  expect((await emulator.fetch("/@mine/rest/users", { headers })).status).toBe(200);
  expect((await emulator.fetch("/@mine/rest/users")).status).toBe(401);
  expect(emulator.session("mine").journal.list()).toHaveLength(2);
});

test("limits are counted for each session", async () => {
  const limited = { ...fixtures, limits: { requestsPerMinute: 1 } };
  const emulator = await createEmulator({ fixtures: limited, auth: false });
  const ask = async (id: string): Promise<number> => {
    const body = JSON.stringify({ model: "atlas", messages: [{ role: "user", content: "Hi" }] });
    const { fetch } = emulator.session(id);
    return (await fetch("/v1/chat/completions", { method: "POST", body })).status;
  };
  expect([await ask("a"), await ask("a"), await ask("b")]).toEqual([200, 429, 200]);
});

test.each(["", "x".repeat(201)])("refuses the session id %j from code", async (id) => {
  const emulator = await made();
  expect(() => emulator.session(id)).toThrow(/Cannot use the session/);
});

test("refuses a request whose session's id is too long, in the interface's envelope", async () => {
  const emulator = await made();
  const headers = { "x-backlot-session": "x".repeat(201) };
  const response = await emulator.fetch("/rest/users", { headers });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: "invalid_session" });
});

test.each(["x".repeat(201), "h1, h2", "t\u00e4st", "tÃ¤st"])(
  "refuses the session %j of a header, which no journal has then",
  async (id) => {
    const exchanged: unknown[] = [];
    const observer = { exchanged: (record: unknown): void => void exchanged.push(record) };
    const emulator = await createEmulator({ fixtures, auth: false, observer });
    const headers = { "x-backlot-session": id };
    for (const path of ["/rest/users", "/__backlot/faults"]) {
      const response = await emulator.fetch(path, { headers });
      const text = await response.text();
      expect([response.status, text]).toEqual([400, expect.stringContaining("invalid_session")]);
    }
    expect(emulator.journal.list()).toEqual([]);
    expect(emulator.core.sessions.list()).toEqual([]);
    expect(exchanged).toEqual([expect.objectContaining({ answeredBy: "invalid_session" })]);
  },
);

test("refuses an id that is too long in the envelope of the control API there", async () => {
  const emulator = await made();
  const response = await emulator.fetch(`/@${"x".repeat(201)}/__backlot/faults`);
  expect(await response.json()).toEqual({
    error: { code: "invalid_session", message: expect.stringContaining("more than 200") },
  });
});

test.each([
  ["/__backlot/faults", { host: "evil.test" }],
  ["/__backlot/faults", { origin: "http://evil.test" }],
  ["/__backlot/nothing", {}],
  ["/__backlot/faults?typo=1", {}],
])("makes no session, and lets none go, for a refused %s with %j", async (path, extra) => {
  const emulator = await createEmulator({ fixtures, auth: false, maxSessions: 1 });
  emulator.session("kept").tables.users.insert({ name: "Grace" });
  const headers = { host: "localhost", ...extra };
  const { reply } = await emulator.core.handle(call("GET", `/@other${path}`, { headers }));
  expect(reply.status).toBeGreaterThanOrEqual(400);
  expect(emulator.core.sessions.list().map(({ id }) => id)).toEqual(["kept"]);
});

test("drives no other session by the control API when the id is too long", async () => {
  const emulator = await made();
  emulator.tables.users.insert({ name: "Grace" });
  const path = `/@${"x".repeat(201)}/__backlot/reset`;
  const { status } = await emulator.fetch(path, { method: "POST" });
  expect([status, emulator.tables.users.size]).toEqual([400, 2]);
});

test.each(["__proto__", "constructor", "ä ö", "a/b"])("takes %j for a session's id", async (id) => {
  const emulator = await made();
  emulator.session(id).tables.users.insert({ name: "Grace" });
  const response = await emulator.fetch(`/@${encodeURIComponent(id)}/rest/users`);
  expect(await rows(response)).toHaveLength(2);
});

test("500 sessions at a time change rows of a large table, ask scripts and read journals, each alone", async () => {
  const users = Array.from({ length: 100_000 }, (_, index) => ({
    id: index + 1,
    name: `n${index}`,
  }));
  const emulator = await createEmulator({
    fixtures: { ...fixtures, tables: { users } },
    auth: false,
  });
  const run = async (id: string): Promise<void> => {
    const session = emulator.session(id);
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ name: id });
    await emulator.fetch(`/@${id}/rest/users`, { method: "POST", headers, body });
    await emulator.fetch(`/@${id}/rest/users/7`, { method: "DELETE" });
    expect([await chat(session.fetch), await chat(session.fetch)]).toEqual(["one", "two"]);
    const table = session.tables.users;
    expect([table.size, table.get(100_001), table.get(7)]).toEqual([
      100_000,
      { id: 100_001, name: id },
      undefined,
    ]);
    expect(session.journal.list().map(({ method }) => method)).toEqual([
      "POST",
      "DELETE",
      "POST",
      "POST",
    ]);
  };
  await Promise.all(Array.from({ length: 500 }, (_, index) => run(`test-${index}`)));
  expect([emulator.tables.users.size, emulator.journal.list()]).toEqual([100_000, []]);
});
