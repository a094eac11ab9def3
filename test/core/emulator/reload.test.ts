import { expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../../src/index.ts";

const users = [
  { id: 1, name: "Ada" },
  { id: 2, name: "Grace" },
];

/** Fixtures whose script gives an answer. */
function fixturesWith(content: string, rows: readonly object[] = users) {
  return {
    tables: { users: { primaryKey: "id", rows } },
    chats: [{ name: "greeting", when: { user: "hello" }, reply: { content } }],
  };
}

async function loadInto(emulator: Pick<Emulator, "core">, fixtures: object): Promise<void> {
  const { core } = await createEmulator({ fixtures, auth: false });
  emulator.core.load(core.fixtures);
}

const json = { headers: { "content-type": "application/json" } };

const hello = {
  ...json,
  method: "POST",
  body: '{"model":"m","messages":[{"role":"user","content":"hello"}]}',
};

const addScript = {
  name: "added",
  when: { user: "bye" },
  reply: { content: "Bye." },
} as const;

test("a script that was mended answers, and nothing else is lost", async () => {
  const emulator = await createEmulator({ fixtures: fixturesWith("Helo"), auth: false });
  const session = emulator.session("one");
  for (const one of [session, emulator]) {
    await (await one.fetch("/v1/chat/completions", hello)).text();
    await one.fetch("/rest/users/1", { ...json, method: "PATCH", body: '{"name":"Mary"}' });
    one.faults.add({ interface: "tables", method: "DELETE", status: 503 });
    await one.chats.add(addScript);
  }
  emulator.snapshot("before");
  await loadInto(emulator, fixturesWith("Hello"));
  for (const one of [emulator, session]) {
    expect(await (await one.fetch("/v1/chat/completions", hello)).text()).toContain('"Hello"');
    expect(one.journal.list().map(({ id, path }) => [id, path])).toEqual([
      ["1", "/v1/chat/completions"],
      ["2", "/rest/users/1"],
      ["3", "/v1/chat/completions"],
    ]);
    expect(one.tables["users"]?.get(1)).toMatchObject({ name: "Mary" });
    expect((await one.fetch("/rest/users/2", { method: "DELETE" })).status).toBe(503);
    expect(one.chats.list().map(({ name }) => name)).toEqual(["added", "greeting"]);
  }
  emulator.tables["users"]?.update(1, { name: "Eve" });
  emulator.restore("before");
  expect(emulator.tables["users"]?.get(1)).toMatchObject({ name: "Mary" });
  expect(await (await emulator.fetch("/v1/chat/completions", hello)).text()).toContain('"Hello"');
});

test("rows are again what the fixtures say where these have changed, and journals stay", async () => {
  const emulator = await createEmulator({ fixtures: fixturesWith("Hello"), auth: false });
  const session = emulator.session("one");
  for (const one of [emulator, session]) {
    await one.fetch("/rest/users/1", { ...json, method: "PATCH", body: '{"name":"Mary"}' });
  }
  await loadInto(emulator, fixturesWith("Hello", [{ id: 1, name: "Augusta" }]));
  for (const one of [emulator, session]) {
    expect(one.tables["users"]?.get(1)).toMatchObject({ name: "Augusta" });
    expect(one.journal.list()).toHaveLength(1);
    one.reset();
    expect(one.tables["users"]?.get(1)).toMatchObject({ name: "Augusta" });
  }
});

test("a request that is under way ends in the journal that it began in", async () => {
  const slow = { chats: [{ name: "slow", reply: { content: "a", pace: { firstTokenMs: 30 } } }] };
  const emulator = await createEmulator({ fixtures: slow, auth: false });
  const answer = emulator.fetch("/v1/chat/completions", hello);
  await expect.poll(() => emulator.journal.list().length).toBe(1);
  await loadInto(emulator, fixturesWith("Hello"));
  await (await answer).text();
  expect(emulator.journal.list()).toMatchObject([{ id: "1", script: "slow", ended: "complete" }]);
});

test("tells when fixtures were loaded again, and after which request", async () => {
  const clock = "2024-01-01T12:03:00.000Z";
  const emulator = await createEmulator({ fixtures: fixturesWith("Hello"), auth: false, clock });
  await emulator.fetch("/rest/users");
  await loadInto(emulator, fixturesWith("Hi"));
  const headers = { host: "localhost" };
  const list = async (): Promise<unknown> =>
    (await emulator.fetch("/__backlot/requests", { headers })).json();
  expect(await list()).toMatchObject({ reloads: [{ at: clock, after: "1" }], requests: [{}] });
  await emulator.fetch("/__backlot/requests", { method: "DELETE", headers });
  expect(await list()).toMatchObject({ reloads: [], requests: [] });
});

test("knows the place of a mistake in the fixtures until it is mended", async () => {
  const emulator = await createEmulator({ fixtures: fixturesWith("Hello") });
  const wrong = createEmulator({ fixtures: { chats: [{ name: "a", reply: { contnet: "b" } }] } });
  emulator.core.refuseFixtures(await wrong.catch((error: unknown) => error));
  const setup = async (): Promise<unknown> =>
    (await emulator.fetch("/__backlot/console.json", { headers: { host: "localhost" } })).json();
  expect(await setup()).toMatchObject({
    fixtureProblem: { message: expect.stringContaining("contnet") },
  });
  await loadInto(emulator, fixturesWith("Hello"));
  expect(await setup()).toMatchObject({ fixtureProblem: null });
});
