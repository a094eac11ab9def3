import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../../src/index.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Whether the garbage collector frees something within some turns. */
async function isFreed(thing: WeakRef<object>): Promise<boolean> {
  for (let turn = 0; turn < 50 && thing.deref() !== undefined; turn++) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    collect();
  }
  return thing.deref() === undefined;
}

async function send(emulator: Emulator, method: string, path: string, body: unknown) {
  const headers = { "content-type": "application/json" };
  const response = await emulator.fetch(path, { method, headers, body: JSON.stringify(body) });
  await response.text();
  return response.status;
}

const state = {
  chats: [
    { name: "weather", when: { user: "weather" }, reply: { content: "It rains." } },
    {
      name: "greeting",
      when: { user: "hello" },
      replies: [{ content: "Hi." }, { content: "Ho." }],
    },
  ],
};
const chat = { model: "m", messages: [{ role: "user", content: "hello" }] };

test.each([
  ["reset", "POST", "/__backlot/reset", { scope: ["chats"] }],
  ["replaced by an import", "PUT", "/__backlot/state", {}],
])(
  "the journal keeps no script of a state that was %s, and still says why it answered",
  async (_, method, path, body) => {
    const emulator = await createEmulator({ auth: false });
    await send(emulator, "PUT", "/__backlot/state", state);
    for (const stream of [false, true]) {
      expect(await send(emulator, "POST", "/v1/chat/completions", { ...chat, stream })).toBe(200);
    }
    const kept = emulator.core.state.scripts.list().map((script) => new WeakRef<object>(script));
    expect(await send(emulator, method, path, body)).toBe(204);
    for (const script of kept) expect(await isFreed(script)).toBe(true);
    expect(emulator.journal.list()).toMatchObject(
      [0, 1].map((reply) => ({
        script: "greeting",
        reply,
        answeredBy: `script "greeting" reply ${reply + 1}`,
        misses: [{ script: "weather" }],
        matched: [{ criterion: "user" }],
      })),
    );
  },
);

test("the journals count the conditions of replaced scripts, however few bytes their requests have", async () => {
  const emulator = await createEmulator({ auth: false });
  const text = "x".repeat(9_000_000);
  for (let count = 0; count < 12; count++) {
    const chats = [{ when: { user: `${text}${count}` }, reply: { content: "Hi." } }];
    await send(emulator, "PUT", "/__backlot/state", { chats });
    await send(emulator, "POST", "/v1/chat/completions", chat);
  }
  expect(emulator.journal.list().length).toBeLessThanOrEqual(7);
});

test("the journals count the rows that writes removed", async () => {
  const notes = { columns: { id: "INTEGER", text: "TEXT" }, rows: [] };
  const emulator = await createEmulator({ fixtures: { tables: { notes } }, auth: false });
  for (let id = 1; id <= 12; id++) {
    emulator.tables["notes"]?.insert({ id, text: "x".repeat(9_000_000) });
    await emulator.fetch(`/rest/notes/${id}`, { method: "DELETE" });
  }
  const entries = emulator.journal.list();
  expect(entries.length).toBeLessThanOrEqual(7);
  expect(entries.at(-1)).toMatchObject({ method: "DELETE", path: "/rest/notes/12" });
});
