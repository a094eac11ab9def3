import { expect, test } from "vitest";
import type { FaultRule } from "../../../src/core/fixture-set/format/fault-format.ts";
import { createEmulator } from "../../../src/index.ts";
import { call } from "../../support/calls.ts";

const fixtures = { seed: 1, tables: { users: [{ id: 1, name: "Ada" }] } } as const;

const made = (): ReturnType<typeof createEmulator<typeof fixtures>> =>
  createEmulator({ fixtures, auth: false });

type World = Pick<Awaited<ReturnType<typeof made>>, "fetch">;

async function statuses({ fetch }: World, count: number): Promise<readonly number[]> {
  const found: number[] = [];
  for (let at = 0; at < count; at += 1) found.push((await fetch("/rest/users")).status);
  return found;
}

test("a planned fault gets an id, and is listed until it has acted often enough", async () => {
  const emulator = await made();
  const planned = emulator.faults.add({ status: 503, times: 2 });
  expect(planned).toEqual({ id: "fault 1", status: 503, times: 2, left: 2 });
  await statuses(emulator, 1);
  expect(emulator.faults.list()).toEqual([{ ...planned, left: 1 }]);
  expect(await statuses(emulator, 2)).toEqual([503, 200]);
  expect(emulator.faults.list()).toEqual([]);
  expect(emulator.faults.add({ fault: "hang" }).id).toBe("fault 2");
});

test("a fault of every third request lets two pass in each session, and counts only where it acts", async () => {
  const emulator = await made();
  const planned = emulator.faults.add({ table: "users", status: 503, every: 3, times: 2 });
  expect(await statuses(emulator, 2)).toEqual([200, 200]);
  await emulator.fetch("/rest/other");
  expect(emulator.faults.list()).toEqual([{ ...planned, passed: 2 }]);
  expect(await statuses(emulator.session("a"), 1)).toEqual([503]);
  expect(await statuses(emulator, 4)).toEqual([503, 200, 200, 503]);
  expect(emulator.faults.list()).toEqual([]);
});

test("no fault acts on a request that asks for none, nor is it counted", async () => {
  const emulator = await made();
  const planned = emulator.faults.add({ status: 503, every: 2, times: 1 });
  for (let at = 0; at < 3; at++) {
    const headers = { "x-backlot-faults": "none" };
    expect((await emulator.fetch("/rest/users", { headers })).status).toBe(200);
  }
  expect(emulator.faults.list()).toEqual([planned]);
});

test("a rule that is changed afterwards stays as it was planned", async () => {
  const { faults } = await made();
  const rule = { status: 503, delayMs: { min: 1, max: 2 } };
  faults.add(rule);
  rule.delayMs.max = 9;
  rule.status = 500;
  expect(faults.list()).toEqual([{ id: "fault 1", status: 503, delayMs: { min: 1, max: 2 } }]);
});

test("faults can be taken out one by one and all at once", async () => {
  const emulator = await made();
  for (const status of [500, 501, 502]) emulator.faults.add({ status });
  emulator.faults.remove("fault 1");
  expect(await statuses(emulator, 1)).toEqual([501]);
  emulator.faults.clear();
  expect(await statuses(emulator, 1)).toEqual([200]);
  expect(() => emulator.faults.remove("fault 2")).toThrow(
    'Cannot remove the fault "fault 2": there is none of that id.',
  );
  emulator.faults.add({ status: 500 });
  expect(() => emulator.faults.remove("falt 4")).toThrow('Did you mean "fault 4"?');
});

test("the first fault acts that matches, in the order in which they were added", async () => {
  const emulator = await made();
  emulator.faults.add({ status: 500, interface: "chat" });
  emulator.faults.add({ status: 501, probability: 0 });
  emulator.faults.add({ status: 502, interface: "tables", times: 1 });
  emulator.faults.add({ status: 503 });
  expect(await statuses(emulator, 2)).toEqual([502, 503]);
});

test("a session begins with the faults of the base session and counts them for itself", async () => {
  const emulator = await made();
  emulator.faults.add({ status: 503, times: 2 });
  await statuses(emulator, 1);
  const [one, two] = [emulator.session("one"), emulator.session("two")];
  one.faults.add({ status: 500 });
  expect(await statuses(one, 3)).toEqual([503, 500, 500]);
  expect(await statuses(two, 2)).toEqual([503, 200]);
  expect(await statuses(emulator, 2)).toEqual([503, 200]);
});

test("a reset takes planned faults out", async () => {
  const emulator = await made();
  emulator.faults.add({ status: 503 });
  const session = emulator.session("one");
  session.faults.add({ status: 500 });
  session.reset();
  expect(session.faults.list()).toEqual([]);
  expect(emulator.faults.list()).toHaveLength(1);
  emulator.reset();
  expect(await statuses(emulator, 1)).toEqual([200]);
});

test("a snapshot has the faults, and how often each still acts", async () => {
  const emulator = await made();
  emulator.faults.add({ status: 503, times: 3 });
  await statuses(emulator, 1);
  const snapshot = emulator.snapshot();
  await statuses(emulator, 2);
  emulator.faults.add({ status: 500 });
  emulator.restore(snapshot);
  expect(await statuses(emulator, 3)).toEqual([503, 503, 200]);
});

test("a delay adds to the latency of the service, and comes before a status", async () => {
  const emulator = await createEmulator({ fixtures, auth: false, latency: 100 });
  emulator.faults.add({ delayMs: 30, times: 1 });
  emulator.faults.add({ delayMs: { min: 7, max: 7 }, status: 503 });
  const asked = async (): Promise<object> =>
    (await emulator.core.handle(call("GET", "/rest/users"))).reply;
  expect(await asked()).toMatchObject({ status: 200, delayMs: 130 });
  expect(await asked()).toMatchObject({ status: 503, delayMs: 107 });
});

test("preflights are never hit, other requests of that method are", async () => {
  const emulator = await made();
  emulator.faults.add({ status: 503, method: "OPTIONS" });
  const asked = { origin: "http://page.test", "access-control-request-method": "POST" };
  for (const path of ["/rest/users", "/v1/chat/completions"]) {
    const { reply } = await emulator.core.handle(call("OPTIONS", path, { headers: asked }));
    expect(reply.status).toBe(204);
    expect((await emulator.core.handle(call("OPTIONS", path))).reply.status).toBe(503);
  }
});

test("requests that come at the same time are hit in the order in which they came", async () => {
  const emulator = await made();
  emulator.faults.add({ status: 500, times: 2 });
  emulator.faults.add({ status: 501, table: "users", times: 1 });
  const bodies = [{ name: "Grace" }, undefined, { name: "Linus" }, undefined];
  const answers = bodies.map((body) =>
    emulator.fetch(
      "/rest/users",
      body === undefined ? {} : { method: "POST", body: JSON.stringify(body) },
    ),
  );
  const found = await Promise.all(answers);
  expect(found.map(({ status }) => status)).toEqual([500, 500, 501, 200]);
});

test("a fault that is delayed and hangs tells in the journal when its client went", async () => {
  const emulator = await made();
  emulator.faults.add({ delayMs: 1, fault: "hang", times: 1 });
  emulator.faults.add({ delayMs: 60_000 });
  for (const id of [1, 2]) {
    const leaving = AbortSignal.timeout(20);
    await expect(emulator.fetch(`/rest/users/${id}`, { signal: leaving })).rejects.toThrow(
      "aborted due to timeout",
    );
  }
  expect(emulator.journal.list()).toMatchObject(
    [
      { path: "/rest/users/1", status: 0, answeredBy: "fault 1", aborted: true },
      { path: "/rest/users/2", status: 200, answeredBy: /delayed by fault 2$/, aborted: true },
    ].map((entry) => ({ ...entry, answeredBy: expect.stringMatching(entry.answeredBy) })),
  );
});

test("an exported state has the faults that are planned, and takes them in again", async () => {
  const emulator = await made();
  emulator.faults.add({ status: 503, table: "users", times: 3 });
  await statuses(emulator, 1);
  const state = (): Promise<string> =>
    emulator.fetch("/__backlot/state").then((response) => response.text());
  const exported = await state();
  emulator.faults.clear();
  const headers = { "content-type": "application/json" };
  await emulator.fetch("/__backlot/state", { method: "PUT", headers, body: exported });
  expect(await state()).toBe(exported);
  expect(emulator.faults.list()).toMatchObject([{ id: "fault 1", times: 3, left: 2 }]);
  expect(emulator.faults.add({ status: 500 }).id).toBe("fault 2");
});

test("a reset in parts keeps planned faults, also those of an imported state", async () => {
  const emulator = await made();
  const headers = { "content-type": "application/json" };
  const send = (method: string, path: string, json: object): Promise<Response> =>
    emulator.fetch(`/__backlot${path}`, { method, headers, body: JSON.stringify(json) });
  await send("PUT", "/state", { tables: { others: [{ id: 5 }] } });
  emulator.faults.add({ status: 503 });
  await send("POST", "/reset", { scope: ["tables"] });
  expect(emulator.tables.users.size).toBe(1);
  expect(await statuses(emulator, 1)).toEqual([503]);
  await send("POST", "/reset", { scope: ["faults"] });
  expect(await statuses(emulator, 1)).toEqual([200]);
});

test("gives a list of its own, which changes nothing of what is planned", async () => {
  const emulator = await createEmulator();
  emulator.faults.add({ delayMs: { min: 1, max: 2 } });
  const given = emulator.faults.list();
  for (const { delayMs } of given) Reflect.set(Object(delayMs), "min", 9);
  Reflect.set(given, "length", 0);
  expect(emulator.faults.list()).toEqual([{ id: "fault 1", delayMs: { min: 1, max: 2 } }]);
});

test("gives no id a second time after a state is put in", async () => {
  const emulator = await createEmulator();
  for (const status of [500, 501]) emulator.faults.add({ status });
  emulator.faults.remove("fault 2");
  const body = await (await emulator.fetch("/__backlot/state")).text();
  const headers = { "content-type": "application/json" };
  await emulator.fetch("/__backlot/state", { method: "PUT", body, headers });
  expect(emulator.faults.add({ status: 502 }).id).toBe("fault 3");
});

const chatFixtures = {
  models: [{ id: "m" }],
  tables: fixtures.tables,
  chats: [{ reply: { chunks: ["One ", "two ", "three ", "four"] } }],
} as const;

/** What a client gets of a chat under a planned fault: what of the stream arrived, and whether it ended well. */
async function underFault(rule: FaultRule, stream = true): Promise<readonly [string, boolean]> {
  const emulator = await createEmulator({ fixtures: chatFixtures, auth: false, speed: 0 });
  emulator.faults.add(rule);
  const body = JSON.stringify({ model: "m", stream, messages: [{ role: "user", content: "Hi" }] });
  const response = await emulator.fetch("/v1/chat/completions", { method: "POST", body });
  let got = "";
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let one = await reader?.read(); one?.done === false; one = await reader?.read()) {
      got += one.value;
    }
    return [got, true];
  } catch {
    return [got, false];
  }
}

test.each([
  ["cut", 3, ["role", "One ", "two "], true],
  ["reset", 3, ["role", "One ", "two "], false],
  ["noDone", 0, ["role", "One ", "two ", "three ", "four", "stop"], true],
  ["noFinish", 0, ["role", "One ", "two ", "three ", "four", "[DONE]"], true],
  ["duplicate", 1, ["role", "One ", "One ", "two ", "three ", "four", "stop", "[DONE]"], true],
  ["error", 2, ["role", "One ", "error"], true],
] as const)(
  "a planned %s after %i events breaks the stream of any script",
  async (fault, afterChunks, parts, isWhole) => {
    const rule = fault.startsWith("no") ? { fault } : { fault, afterChunks };
    const [got, ended] = await underFault({ ...rule, times: 1 });
    const seen = got.match(/role|One |two |three |four|"stop"|\[DONE\]|"error"/g) ?? [];
    expect(seen.map((part) => part.replaceAll('"', ""))).toEqual(parts);
    expect(ended).toBe(isWhole);
  },
);

test("a planned cut leaves half of a JSON answer, and the journal names it", async () => {
  const [got, ended] = await underFault({ fault: "cut", afterChunks: 1 }, false);
  expect(got).toMatch(/^\{"id"/);
  expect(() => JSON.parse(got)).toThrow(SyntaxError);
  expect(ended).toBe(true);
  const emulator = await made();
  emulator.faults.add({ fault: "malformed" });
  expect(await (await emulator.fetch("/rest/users")).text()).toBe(
    '{"result":[{"id":1,"name":"Ada"}]',
  );
  expect(emulator.journal.list()[0]).toMatchObject({ fault: "fault 1", ended: "malformed" });
});

test("a planned error of a table has the form of tables", async () => {
  const emulator = await made();
  emulator.faults.add({ fault: "error" });
  const response = await emulator.fetch("/rest/users");
  expect([response.status, await response.json()]).toEqual([
    500,
    { error: expect.any(String), code: "planned_fault" },
  ]);
});

const chats = {
  models: [{ id: "atlas-large" }, { id: "nova" }],
  chats: [
    { name: "once", times: 1, when: { user: "rain" }, reply: { content: "Yes." } },
    { name: "weather", when: { user: "rain" }, reply: { content: "Still." } },
  ],
} as const;

/** The status of a chat, as completions or in another form, with the body that tells it from others. */
async function chatStatus({ fetch }: World, more: object, path = "/v1/chat/completions") {
  const messages = [{ role: "user", content: "rain?" }];
  const body = {
    model: "atlas-large",
    ...(path.endsWith("completions") ? { messages } : {}),
    ...more,
  };
  const headers = { "content-type": "application/json", "x-run": "run" in more ? "7" : "8" };
  return (await fetch(path, { method: "POST", headers, body: JSON.stringify(body) })).status;
}

test.each<[NonNullable<FaultRule["when"]>, object]>([
  [{ model: "nov*" }, { model: "nova" }],
  [{ user: { equals: "Hello" } }, { messages: [{ role: "user", content: "Hello" }] }],
  [{ header: { "x-run": "7" } }, { run: 1 }],
  [{ stream: true }, { stream: true }],
  [
    { request: { "messages.0.content": { contains: "abc" } } },
    {
      messages: [
        { role: "user", content: "abc" },
        { role: "assistant", content: "" },
        { role: "user", content: "go on" },
      ],
    },
  ],
])(
  "a fault with the conditions %j acts on chats that fulfil them, and on no others",
  async (when, asked) => {
    const emulator = await createEmulator({ fixtures: chats, auth: false });
    emulator.faults.add({ when, status: 503 });
    expect(await chatStatus(emulator, {})).toBe(200);
    expect((await emulator.fetch("/v1/models")).status).toBe(200);
    expect(await chatStatus(emulator, asked)).toBe(503);
  },
);

test("a fault with conditions acts on Responses and embeddings, too", async () => {
  const emulator = await createEmulator({
    fixtures: chats,
    auth: false,
    profiles: { chat: "openai" },
  });
  emulator.faults.add({ when: { model: "nova" }, status: 503 });
  for (const [path, model, status] of [
    ["/v1/responses", "atlas-large", 200],
    ["/v1/responses", "nova", 503],
    ["/v1/embeddings", "nova", 503],
  ] as const) {
    expect([path, await chatStatus(emulator, { model, input: "rain?" }, path)]).toEqual([
      path,
      status,
    ]);
  }
});

test("a fault of a script acts where that script would answer, and counts none", async () => {
  const emulator = await createEmulator({ fixtures: chats, auth: false });
  emulator.faults.add({ script: "weather", status: 503, times: 1 });
  expect(await chatStatus(emulator, {})).toBe(200);
  expect(await chatStatus(emulator, {})).toBe(503);
  expect(await chatStatus(emulator, {})).toBe(200);
  expect(emulator.journal.list().map(({ script }) => script)).toEqual(["once", null, "weather"]);
});

test.each<[FaultRule, string]>([
  [{ status: 503, script: "wether" }, 'There is no script "wether". Did you mean "weather"?'],
  [{ status: 503, when: {}, interface: "tables" }, 'The interface "tables" has no models.'],
  [{ status: 503, when: { user: { regex: "(" } } }, "when.user"],
  [{ status: 503, when: { turn: 0, assistant: "a" } }, "when.assistant assistant can never match"],
  [{ status: 503, when: {}, table: "users" }, '"table" is for requests for rows'],
])("refuses a fault that could never act: %j", async (rule, message) => {
  const { faults } = await createEmulator({ fixtures: { ...chats, ...fixtures } });
  expect(() => faults.add(rule)).toThrow(message);
});
