import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createEmulator, type Emulator, type EmulatorSettings } from "../../../src/index.ts";
import { tries } from "../../support/tries.ts";

const text = "x".repeat(20_000);
const limit = 100_000;
const greeting = { name: "greeting", when: { user: "hello" }, reply: { content: text } };

/** An emulator with room for four more scripts of this size. */
function limited(settings: EmulatorSettings = {}): Promise<Emulator> {
  const fixtures = { tables: { users: [{ id: 1 }] }, chats: [greeting] };
  return createEmulator({ fixtures, auth: false, addedLimit: limit, ...settings });
}

async function ask(emulator: Emulator, line: string, body?: unknown) {
  const [method = "GET", path = "/"] = line.split(" ");
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { "content-type": "application/json" };
  const response = await emulator.fetch(path, { method, headers, ...sent });
  const answer: unknown = response.status === 204 ? undefined : await response.json();
  return { status: response.status, body: answer };
}

const add = "POST /__backlot/chats";
const script = { reply: { content: text } };

/** Adds scripts until there is no room, and says how many there was room for. */
async function fill(emulator: Emulator, session = ""): Promise<number> {
  for (let count = 0; count < 50; count++) {
    const { status } = await ask(emulator, `POST ${session}/__backlot/chats`, script);
    if (status !== 201) return count;
  }
  return Infinity;
}

test("answers a script with 507 that there is no room for, and goes on", async () => {
  const emulator = await limited();
  expect(await fill(emulator)).toBe(4);
  expect(await ask(emulator, add, script)).toEqual({
    status: 507,
    body: {
      error: {
        code: "added_full",
        message: expect.stringMatching(
          /^Cannot add 20\d{3} bytes: .* take 81\d{3} of 100000 bytes, .* Remove some, reset, or raise addedLimit\.$/,
        ),
      },
    },
  });
  await expect(emulator.chats.add(script)).rejects.toMatchObject({ code: "ERR_ADDED_FULL" });
  expect(emulator.chats.list()).toHaveLength(5);
  expect(await ask(emulator, add, { reply: { content: "short" } })).toMatchObject({ status: 201 });
});

const recorded = {
  interface: "chat",
  upstream: "https://api.example.com/v1",
  recordings: [
    {
      request: { method: "POST", path: "/chat/completions" },
      answer: { status: 200, headers: {}, afterMs: 0, body: { text: text.repeat(5) } },
    },
  ],
};
const columns = Object.fromEntries(
  Array.from({ length: 1_000 }, (_, at) => [`a column with a long name ${at}`, "TEXT"]),
);

test.each([
  ["a fault", "POST /__backlot/faults", { status: 500, message: text.repeat(5) }],
  [
    "a state with scripts",
    "PUT /__backlot/state",
    { chats: Array.from({ length: 5 }, () => script) },
  ],
  ["a state with recordings", "PUT /__backlot/state", { cassettes: [recorded] }],
  ["a state with models", "PUT /__backlot/state", { models: [{ id: text.repeat(5) }] }],
  ["a state with columns", "PUT /__backlot/state", { tables: { wide: { columns, rows: [] } } }],
])("answers %s with 507 that there is no room for, and changes nothing", async (_, line, body) => {
  const emulator = await limited();
  const before = await ask(emulator, "GET /__backlot/state");
  expect(await ask(emulator, line, body)).toMatchObject({
    status: 507,
    body: { error: { code: "added_full" } },
  });
  expect(await ask(emulator, "GET /__backlot/state")).toEqual(before);
  expect(await fill(emulator)).toBe(4);
});

test("refuses no state that fits because of one that it refused for its rows", async () => {
  const emulator = await limited({ rowsLimit: 10_000 });
  const rows = [{ id: 1, text }];
  for (let count = 0; count < 10; count++) {
    const refused = { chats: [script], tables: { notes: rows } };
    expect(await ask(emulator, "PUT /__backlot/state", refused)).toMatchObject({ status: 507 });
  }
  expect(await ask(emulator, "PUT /__backlot/state", { chats: [script] })).toMatchObject({
    status: 204,
  });
});

test.each([
  ["a script is removed", "DELETE /__backlot/chats/added%201"],
  ["the scripts are reset", "POST /__backlot/reset", { scope: ["chats"] }],
  ["everything is reset", "POST /__backlot/reset"],
  ["the state is replaced", "PUT /__backlot/state", {}],
])("has room again when %s", async (_, line, body?: unknown) => {
  const emulator = await limited();
  await fill(emulator);
  expect((await ask(emulator, line, body)).status).toBeLessThan(300);
  expect(await ask(emulator, add, script)).toMatchObject({ status: 201 });
});

test("has room again when a fault is used up", async () => {
  const emulator = await limited();
  const fault = { status: 500, times: 1, message: text.repeat(4) };
  expect(await ask(emulator, "POST /__backlot/faults", fault)).toMatchObject({ status: 201 });
  expect(await fill(emulator)).toBe(0);
  expect(await ask(emulator, "GET /rest/users")).toMatchObject({ status: 500 });
  expect(await fill(emulator)).toBe(4);
});

const chat = { model: "m", store: true, messages: [{ role: "user", content: text }] };

test("counts answers that requests ask to keep, and answers 507 to those that there is no room for", async () => {
  const emulator = await limited({ profiles: { chat: "openai" } });
  const statuses: number[] = [];
  for (let count = 0; count < 4; count++) {
    statuses.push((await ask(emulator, "POST /v1/chat/completions", chat)).status);
  }
  // Each keeps the question, and the echo that answers it.
  expect(statuses).toEqual([200, 200, 507, 507]);
  expect(await ask(emulator, "POST /v1/chat/completions", chat)).toMatchObject({
    body: { error: { code: "added_full" } },
  });
  expect(await ask(emulator, "POST /v1/chat/completions", { ...chat, store: false })).toMatchObject(
    { status: 200 },
  );
  await ask(emulator, "POST /__backlot/reset");
  expect(await fill(emulator)).toBe(4);
});

test("keeps some ten megabytes of answers in a session, the newest", async () => {
  const emulator = await limited({ profiles: { chat: "openai" }, addedLimit: 50_000_000 });
  const messages = [{ role: "user", content: "x".repeat(1_000_000) }];
  const ids: string[] = [];
  for (let count = 0; count < 12; count++) {
    const { body } = await ask(emulator, "POST /v1/chat/completions", { ...chat, messages });
    ids.push(Object(body).id);
  }
  const found = ids.map((id) => ask(emulator, `GET /v1/chat/completions/${id}`));
  const statuses = (await Promise.all(found)).map(({ status }) => status);
  expect(statuses).toEqual(ids.map((_, at) => (at < 8 ? 404 : 200)));
});

const sessions = ["", "/@one", "/@two"] as const;
const names = ["first", "second"] as const;
const others = ["remove", "reset", "import", "begin", "end", "keep", "restore", "forget"];
const kind = fc.oneof(
  { weight: 1, arbitrary: fc.constant("add") },
  { weight: 2, arbitrary: fc.constantFrom(...others) },
);
const move = fc.tuple(kind, fc.constantFrom(...sessions), fc.constantFrom(...names));

/** What a session or a snapshot has besides the fixtures, as plain as can be. */
class Model {
  readonly states: Map<string, readonly number[]> = new Map([["", []]]);
  readonly snapshots: Map<string, readonly number[]> = new Map();
  made = 0;

  /** How many different scripts there are. */
  get count(): number {
    return new Set([...this.states.values(), ...this.snapshots.values()].flat()).size;
  }

  of(session: string): readonly number[] {
    const found = this.states.get(session) ?? this.states.get("") ?? [];
    this.states.set(session, found);
    return found;
  }
}

const room = 4;

/** Where a move is made, and in what. */
interface Place {
  readonly emulator: Emulator;
  readonly model: Model;
  readonly session: string;
  /** The session's control API. */
  readonly path: string;
  /** A snapshot's name. */
  readonly name: string;
}

/** Makes each kind of move in both. What adds something must find room just where the model has it. */
const makers: Readonly<Record<string, (place: Place) => Promise<void>>> = {
  add: async ({ emulator, model, session, path }) => {
    const own = model.of(session);
    const hasRoom = model.count < room;
    const { status } = await ask(emulator, `POST ${path}/chats`, script);
    expect(status).toBe(hasRoom ? 201 : 507);
    if (hasRoom) model.states.set(session, [++model.made, ...own]);
  },
  import: async ({ emulator, model, session, path }) => {
    model.of(session);
    const hasRoom = model.count < room;
    const { status } = await ask(emulator, `PUT ${path}/state`, { chats: [script] });
    expect(status).toBe(hasRoom ? 204 : 507);
    if (hasRoom) model.states.set(session, [++model.made]);
  },
  remove: async ({ emulator, model, session, path }) => {
    const [, ...rest] = model.of(session);
    const { chats } = Object((await ask(emulator, `GET ${path}/chats`)).body);
    if (chats.length === 0 || chats[0].name === "greeting") return;
    await ask(emulator, `DELETE ${path}/chats/${encodeURIComponent(chats[0].name)}`);
    model.states.set(session, rest);
  },
  reset: async ({ emulator, model, session, path }) => {
    await ask(emulator, `POST ${path}/reset`);
    model.states.set(session, []);
  },
  keep: async ({ emulator, model, session, path, name }) => {
    await ask(emulator, `PUT ${path}/snapshots/${name}`);
    model.snapshots.set(name, model.of(session));
  },
  restore: async ({ emulator, model, session, path, name }) => {
    const own = model.of(session);
    await ask(emulator, `POST ${path}/snapshots/${name}/restore`);
    model.states.set(session, model.snapshots.get(name) ?? own);
  },
  forget: async ({ emulator, model, name }) => {
    await ask(emulator, `DELETE /__backlot/snapshots/${name}`);
    model.snapshots.delete(name);
  },
  begin: async ({ emulator, model, session }) => {
    if (session === "") return;
    await ask(emulator, `PUT /__backlot/sessions/${session.slice(2)}`);
    model.states.delete(session);
    model.of(session);
  },
  end: async ({ emulator, model, session }) => {
    if (session === "") return;
    await ask(emulator, `DELETE /__backlot/sessions/${session.slice(2)}`);
    model.states.delete(session);
  },
};

test("refuses just what does not fit, after any additions, removals, resets, imports, snapshots and sessions", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 60 }), async (moves) => {
      const emulator = await limited();
      const model = new Model();
      for (const [kindOf, session, name] of moves) {
        await makers[kindOf]?.({ emulator, model, session, path: `${session}/__backlot`, name });
      }
    }),
    { numRuns: tries(60) },
  );
});

test("refuses a body before it is parsed whose values would take more than there can be", async () => {
  const emulator = await limited({ rowsLimit: 10_000_000 });
  const notes = Array.from({ length: 1_000_000 }, () => ({}));
  expect(await ask(emulator, "PUT /__backlot/state", { tables: { notes } })).toEqual({
    status: 413,
    body: {
      error: {
        code: "body_too_large",
        message:
          "Cannot read the body: its values would take 75000174 bytes, and rowsLimit and addedLimit allow 10100000 together. Send less, or raise them.",
      },
    },
  });
});
