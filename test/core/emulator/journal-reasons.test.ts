import { expect, test } from "vitest";
import { createEmulator, type EmulatorSession, type JournalEntry } from "../../../src/index.ts";

const chats = [
  { name: "once", when: { user: "weather" }, times: 1, reply: { content: "Rain." } },
  {
    name: "tenant",
    when: { user: "weather", header: { "x-tenant": "acme" } },
    reply: { content: "Hail." },
  },
  { name: "tables", when: { user: "weather" }, replies: [{ content: "a" }, { content: "b" }] },
  { name: "never", when: { user: "time", turn: 3 }, reply: { content: "Noon." } },
];
const rows = Array.from({ length: 500 }, (_, index) => ({ id: index + 1, name: `n${index % 50}` }));
const fixtures = {
  models: [{ id: "atlas" }],
  tables: { users: rows, pairs: { primaryKey: ["a", "b"], rows: [{ a: 1, b: 2, c: 3 }] } },
  chats,
};

const say = (content: string, headers = {}): RequestInit => ({
  method: "POST",
  body: JSON.stringify({ model: "atlas", messages: [{ role: "user", content }] }),
  headers: { authorization: "Bearer k", ...headers },
});

type Emulator = Pick<EmulatorSession, "fetch">;

async function ask(emulator: Emulator, path: string, init: RequestInit = {}): Promise<void> {
  await (await emulator.fetch(path, init)).text();
}

/** Says something each time, and gives what the journal tells of it. */
async function said(...contents: readonly string[]): Promise<readonly JournalEntry[]> {
  const emulator = await createEmulator({ fixtures });
  for (const content of contents) await ask(emulator, "/v1/chat/completions", say(content));
  return emulator.journal.list();
}

async function planOf(path: string, init: RequestInit = {}): Promise<JournalEntry["plan"]> {
  const emulator = await createEmulator({ fixtures, auth: false });
  await ask(emulator, path, init);
  return emulator.journal.list()[0]?.plan ?? null;
}

test("names the script that answered, and which of its replies where it has several", async () => {
  const entries = await said("weather", "weather", "weather", "weather");
  expect(entries.map(({ script, reply }) => [script, reply])).toEqual([
    ["once", null],
    ["tables", 0],
    ["tables", 1],
    ["tables", 1],
  ]);
});

test("tells why the scripts before the one that answered did not match", async () => {
  const [, second] = await said("weather", "weather");
  expect(second?.misses).toEqual([
    {
      script: "once",
      failures: [],
      held: ["user"],
      usedUp: expect.stringContaining("answered 1 request"),
    },
    {
      script: "tenant",
      held: ["user"],
      failures: [{ criterion: "header.x-tenant", expected: '"acme"', seen: "nothing" }],
    },
  ]);
});

test("tells of no later script, and of a used up one only where it was so at that time", async () => {
  const [first, other] = await said("weather", "the tune", "weather", "weather");
  expect(first?.misses).toEqual([]);
  expect(other).toMatchObject({ script: null, reply: null });
  expect(other?.misses.find(({ script }) => script === "once")?.usedUp).toBeDefined();
  const [earlier] = await said("the tune", "weather");
  expect(earlier?.misses.find(({ script }) => script === "once")).toEqual({
    script: "once",
    failures: [expect.objectContaining({ criterion: "user", seen: '"the tune"' })],
  });
});

test.each([
  [false, 200],
  [true, 404],
])(
  "with strict %j tells of the closest scripts where none matched, closest first",
  async (strict, status) => {
    const emulator = await createEmulator({ fixtures, strict });
    await ask(emulator, "/v1/chat/completions", say("the tima"));
    const [entry] = emulator.journal.list();
    expect(entry).toMatchObject({ status, script: null, reply: null, plan: null });
    expect(entry?.misses.map(({ script }) => script)).toHaveLength(4);
    expect(entry?.misses[0]).toMatchObject({ failures: [{ criterion: "user" }] });
  },
);

test("tells of 5 scripts at most, and of scripts that are there no more", async () => {
  const many = Array.from({ length: 9 }, (_, n) => ({
    name: `s${n}`,
    when: { user: `x${n}` },
    reply: { content: "y" },
  }));
  const emulator = await createEmulator({ fixtures: { ...fixtures, chats: many } });
  await ask(emulator, "/v1/chat/completions", say("x0 is not there"));
  await ask(emulator, "/v1/chat/completions", say("x8"));
  emulator.chats.remove("s0");
  expect(emulator.journal.list().map(({ misses }) => misses.length)).toEqual([0, 5]);
  const [, { misses } = { misses: [] }] = emulator.journal.list();
  expect(misses.map(({ script }) => script)).toContain("s0");
});

test.each([
  ["/rest/users/7", { access: { by: "row id", search: "equal" }, candidates: 1, tests: [] }],
  ["/rest/users", { access: { by: "scan" }, candidates: 500, order: "as found" }],
  [
    "/rest/users?name=n1",
    { access: { by: "index", columns: ["name"], search: "equal" }, candidates: 10, tests: [] },
  ],
  [
    "/rest/users?name.like=%251&sort_by=name&limit=3",
    { tests: [{ column: "name", operator: "like", value: "%1" }] },
  ],
])("has the plan of GET %s", async (path, plan) => {
  expect(await planOf(path)).toMatchObject(plan);
});

test.each([
  ["PATCH", "/rest/users/7", { access: { by: "row id", search: "equal" } }],
  ["PATCH", "/rest/pairs/1,2", { access: { by: "scan" }, candidates: 1 }],
  ["POST", "/rest/users", null],
])("has the plan by which %s %s finds its row", async (method, path, plan) => {
  const body = path.includes("pairs") ? '{"c":4}' : '{"name":"x"}';
  const init = { method, body, headers: { "content-type": "application/json" } };
  const found = await planOf(path, init);
  if (plan === null) expect(found).toBeNull();
  else expect(found).toMatchObject(plan);
});

test("has no plan of what was refused, nor of a table that is no more", async () => {
  expect(await planOf("/rest/user")).toBeNull();
  const emulator = await createEmulator({ fixtures, auth: false });
  await ask(emulator, "/rest/users?name=n1");
  const state = JSON.stringify({ tables: { users: [{ id: 1, title: "x" }] } });
  const headers = { host: "localhost", "content-type": "application/json" };
  await ask(emulator, "/__backlot/state", { method: "PUT", body: state, headers });
  expect(emulator.journal.list()[0]?.plan).toBeNull();
});

test("names the fault that answered, and the one that held the answer back", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  emulator.faults.add({ fault: "reset", times: 1, path: "/rest" });
  emulator.faults.add({ status: 503, times: 1, interface: "chat" });
  emulator.faults.add({ delayMs: 1, times: 2 });
  await expect(emulator.fetch("/rest/users/1")).rejects.toThrow("fetch failed");
  await ask(emulator, "/v1/chat/completions", say("weather"));
  await ask(emulator, "/v1/chat/completions", say("weather"));
  await ask(emulator, "/rest/users/1");
  await ask(emulator, "/rest/users/1");
  expect(emulator.journal.list()).toMatchObject([
    { fault: "fault 1", plan: null },
    { fault: "fault 2", script: null },
    { fault: "fault 3", script: "once" },
    { fault: "fault 3", plan: { access: { by: "row id" } } },
    { fault: null, plan: { access: { by: "row id" } } },
  ]);
});

test("lists entries in the order in which they arrived, whenever their replies ended", async () => {
  const slow = { name: "slow", reply: { content: "a", pace: { firstTokenMs: 20 } } };
  const emulator = await createEmulator({ fixtures: { ...fixtures, chats: [slow] } });
  await Promise.all([
    ask(emulator, "/v1/chat/completions", say("x")),
    ask(emulator, "/v1/models", { headers: { authorization: "Bearer k" } }),
  ]);
  const paths = emulator.journal.list().map(({ id, path }) => `${id} ${path}`);
  expect(paths).toEqual(["1 /v1/chat/completions", "2 /v1/models"]);
});

test("tells which conditions of the answering script held, and which later scripts match, too", async () => {
  const [, second] = await said("weather", "weather");
  expect(second).toMatchObject({
    script: "tables",
    missed: 2,
    matched: [{ criterion: "user", seen: '"weather"' }],
    alsoMatching: [],
  });
  const [first] = await said("weather");
  expect(first).toMatchObject({ script: "once", missed: 0, alsoMatching: ["tables"] });
});

test("tells how many scripts did not match, beyond those that it lists", async () => {
  const many = Array.from({ length: 12 }, (_, index) => ({
    name: `s${index}`,
    when: { user: `word ${index}` },
    reply: { content: "a" },
  }));
  const emulator = await createEmulator({ fixtures: { models: [{ id: "atlas" }], chats: many } });
  await ask(emulator, "/v1/chat/completions", say("nothing of it"));
  const [entry] = emulator.journal.list();
  expect([entry?.misses.length, entry?.missed]).toEqual([5, 12]);
});

test.each(["document", "starbasedb"] as const)(
  "keeps the row before and after each write by key in profile %s",
  async (tables) => {
    const emulator = await createEmulator({ fixtures, profiles: { tables }, auth: false });
    const write = (method: string, path: string, body?: object): Promise<void> =>
      ask(emulator, `/rest/users${path}`, {
        method,
        headers: { "content-type": "application/json", authorization: "Bearer ABC123" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    await write("PATCH", "/7", { name: "Ada" });
    await write("PUT", "/70", { id: 70, name: "Alan" });
    await write("DELETE", "/7");
    await write("PATCH", "/7", { name: "nobody" });
    await write("POST", "", { id: 900, name: "Grace" });
    expect(emulator.journal.list().map(({ change }) => change)).toEqual([
      {
        table: "users",
        key: { id: 7 },
        before: { id: 7, name: "n6" },
        after: { id: 7, name: "Ada" },
      },
      {
        table: "users",
        key: { id: 70 },
        before: { id: 70, name: "n19" },
        after: { id: 70, name: "Alan" },
      },
      { table: "users", key: { id: 7 }, before: { id: 7, name: "Ada" }, after: null },
      null,
      { table: "users", key: { id: 900 }, before: null, after: { id: 900, name: "Grace" } },
    ]);
  },
);

test.each([
  [{}, "The request has no Authorization header."],
  [{ authorization: "Basic abc" }, 'The scheme of the Authorization header is "Basic"'],
  [{ authorization: "Bearer 'right-key'" }, "quotes or brackets around it"],
  [{ authorization: "Bearer wrong-key-of-mine" }, "wro********mine is not accepted."],
])("tells of the headers %j what was wrong with the key", async (headers, words) => {
  const emulator = await createEmulator({
    fixtures: { ...fixtures, AUTHORIZATION_TOKEN: "right-key" },
  });
  await ask(emulator, "/rest/users/1", { headers });
  const [entry] = emulator.journal.list();
  expect(entry).toMatchObject({ status: 401, keyProblem: expect.stringContaining(words) });
  expect(JSON.stringify(entry)).not.toContain("wrong-key-of-mine");
});
