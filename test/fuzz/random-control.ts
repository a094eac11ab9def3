import { anyJson, objectOf } from "./odd-values.ts";
import type { Random } from "./random.ts";
import { columnNames } from "./table-names.ts";

// What calls of the control API send.

export function rowsFor(random: Random): unknown {
  return random.list(random.int(0, 3), (index) =>
    objectOf([
      ["id", index + 1],
      ...random.list(random.int(0, 3), (): [string, unknown] => [
        random.pick(columnNames),
        random.chance(0.6)
          ? random.pick(["x", 1, 2.5, null, true])
          : anyJson(random, columnNames, 1),
      ]),
    ]),
  );
}

export function scriptFor(random: Random): unknown {
  const when = random.pick([
    { user: "hello" },
    { user: { regex: "(?<a>h.)", flags: "i" } },
    { anyMessage: { anyOf: ["a", { equals: "b" }] }, turn: 0 },
    { model: "at*", stream: false },
    { header: { "x-a": "1" }, request: { "messages.0.content": "Hello" } },
    {},
  ]);
  const reply = random.pick<unknown>([
    { content: "{{ user }}{{ match.a }}" },
    { content: { a: 1 }, headers: { "x-b": "c" } },
    { chunks: ["a", { wait: 1 }, { raw: "x" }, { fault: "cut" }] },
    { toolCalls: [{ name: "f", arguments: "{}" }], usage: { prompt_tokens: 1 } },
    { error: { status: 429, message: "slow", retryAfterMs: 100 } },
    {
      content: "x",
      fault: { kind: "malformed", afterChunks: 1, probability: 0.5 },
      pace: { gapMs: 5, by: "word", jitter: 0.5 },
    },
  ]);
  return {
    ...(random.chance(0.7) ? { name: random.pick(["a", "b", "known", "c"]) } : {}),
    when,
    reply,
  };
}

export function faultFor(random: Random): unknown {
  return random.pick<unknown>([
    { status: 503, times: 1 },
    { interface: "chat", status: 429, retryAfterMs: 10, message: "no" },
    { table: "users", fault: "hang", probability: 0.5 },
    { path: "/v1", delayMs: { min: 1, max: 2 } },
    { method: "POST", delayMs: { median: 2, sigma: 1 }, fault: "reset" },
  ]);
}

export function stateFor(random: Random): unknown {
  return {
    ...(random.chance(0.7)
      ? {
          tables: {
            users: {
              primaryKey: "id",
              columns: { id: "INTEGER", name: "TEXT" },
              rows: rowsFor(random),
            },
            odd: rowsFor(random),
          },
        }
      : {}),
    ...(random.chance(0.5) ? { models: [{ id: "atlas", contextLength: 100 }] } : {}),
    ...(random.chance(0.5) ? { chats: [{ name: "a", reply: { content: "{{ user }}" } }] } : {}),
    ...(random.chance(0.6)
      ? {
          state: {
            clock: "2024-01-01T00:00:00Z",
            seed: 1,
            random: [1, 2, 3, 4],
            matches: { a: 1 },
            keys: { users: 5 },
            faults: [{ id: "fault 1", status: 500, times: 3, left: 2 }],
            cells: { users: [{ row: 0, column: "name", blob: "00ff" }] },
          },
        }
      : {}),
  };
}
