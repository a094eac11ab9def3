import { faultKindNames } from "../../src/core/chat/faults/fault-kinds.ts";
import { objectOf, oddText, prototypeNames } from "./odd-values.ts";
import type { Random } from "./random.ts";

// Fixture documents that are right, or nearly so, with everything that the format knows.

const words =
  "AUTHORIZATION_TOKEN apiKeys seed clock profiles chat document starbasedb openai unmatched echo error basePath " +
  "latency pace models id variant owned_by created contextLength kind embedding dimensions embeddings text vector near tables primaryKey columns type notNull " +
  "unique default references collate NOCASE rows generate count row INTEGER REAL NUMERIC TEXT BOOLEAN JSON ANY DATE chats " +
  "name when user system anyMessage turn tool toolResult stream header request equals contains regex flags anyOf times " +
  "reply replies after repeat cycle end content chunks wait reasoning toolCall comment raw fault toolCalls arguments " +
  "choices refusal logprobs finishReason usage model headers firstTokenMs tokensPerSecond gapMs jitter by token word " +
  "status message code param retryAfterMs afterChunks probability hang stall cut reset malformed duplicate noFinish " +
  "noDone cassettes recordings recording upstream interface state random matches played keys limits faults asStored " +
  "cells users.id orders.id a b $schema rateLimits requestsPerMinute";

/** The format's own words. */
export const fixtureWords: readonly string[] = words.split(" ");

const types = [
  "INTEGER",
  "REAL",
  "NUMERIC",
  "TEXT",
  "BOOLEAN",
  "JSON",
  "ANY",
  "DATE",
  "VARCHAR(20)",
  "BLOB",
] as const;

/** A whole document. */
export function fixtureDocument(random: Random): Record<string, unknown> {
  const chance = random.chance.bind(random);
  return {
    ...(chance(0.2) ? { AUTHORIZATION_TOKEN: "t", apiKeys: ["k"] } : {}),
    ...(chance(0.5) ? { seed: random.int(0, 9), clock: "2024-01-01T00:00:00Z" } : {}),
    ...(chance(0.3)
      ? {
          profiles: {
            tables: random.pick(["document", "starbasedb"]),
            chat: random.pick(["document", "openai"]),
          },
        }
      : {}),
    ...(chance(0.2) ? { chat: { unmatched: random.pick(["echo", "error"]) } } : {}),
    ...(chance(0.4)
      ? {
          models: [
            { id: "atlas", kind: "chat", contextLength: 100 },
            { id: "e", kind: "embedding", dimensions: random.int(1, 9) },
          ],
        }
      : {}),
    ...(chance(0.2)
      ? {
          embeddings: [
            { text: "a", vector: random.list(random.int(1, 3), () => random.int(-2, 2)) },
            { text: oddText(random), near: random.pick(["a", "b"]) },
          ],
        }
      : {}),
    ...(chance(0.8) ? { tables: tablesFor(random) } : {}),
    ...(chance(0.7)
      ? { chats: random.list(random.int(0, 3), (index) => scriptFor(random, index)) }
      : {}),
    ...(chance(0.15) ? { state: stateFor(random) } : {}),
  };
}

function tablesFor(random: Random): object {
  const names = random.shuffled([
    "users",
    "orders",
    "a",
    "b",
    random.pick(prototypeNames),
    "Users",
    "x y",
  ]);
  return objectOf(names.slice(0, random.int(0, 3)).map((name) => [name, tableFor(random)]));
}

function tableFor(random: Random): unknown {
  const columns = ["id", ...random.some(["name", "age", "user", "data", "ok", "__proto__"], 0.5)];
  const rows = random.list(random.int(0, 3), (index) =>
    objectOf(
      random.some(columns, 0.85).map((name) => [name, name === "id" ? index + 1 : cellFor(random)]),
    ),
  );
  if (random.chance(0.4)) return rows;
  return {
    ...(random.chance(0.6)
      ? { primaryKey: random.pick<unknown>(["id", ["id", "name"], "name", []]) }
      : {}),
    ...(random.chance(0.7)
      ? { columns: objectOf(columns.map((name) => [name, columnFor(random, name)])) }
      : {}),
    ...(random.chance(0.8) ? { rows } : {}),
    ...(random.chance(0.25)
      ? {
          generate: {
            count: random.int(0, 12),
            row: { name: template(random), age: "{{ index }}" },
          },
        }
      : {}),
  };
}

function cellFor(random: Random): unknown {
  return random.weighted<() => unknown>([
    [3, () => random.pick(["x", "Ada", "2020-01-01"])],
    [3, () => random.pick([1, 2, 0, -1, 2.5, 2 ** 53, 1e300])],
    [2, () => random.pick([null, true, false])],
    [1, () => random.pick([{ a: 1 }, [1, [2]], {}])],
    [1, () => oddText(random)],
  ])();
}

function columnFor(random: Random, name: string): unknown {
  const type = name === "id" ? "INTEGER" : random.pick(types);
  if (random.chance(0.5)) return type;
  return {
    type,
    ...(random.chance(0.2) ? { notNull: true } : {}),
    ...(random.chance(0.1) ? { unique: true } : {}),
    ...(random.chance(0.2) ? { default: cellFor(random) } : {}),
    ...(name === "user" ? { references: random.pick(["users.id", "a.id", "b.name"]) } : {}),
    ...(random.chance(0.1) ? { collate: random.pick(["NOCASE", "BINARY"]) } : {}),
  };
}

function template(random: Random): string {
  return random.pick([
    "{{ 'person.fullName' | faker }}",
    "{{ number }} {{ index | plus: 1 }}",
    "{{ tables.users[0].name }}",
    "{% if index > 2 %}a{% else %}b{% endif %}",
    "{% for x in (1..3) %}{{ x }}{% endfor %}",
    "{{ 'no.such' | faker }}",
    "{{ x | nofilter }}",
    "{% raw %}{{{% endraw %}",
    "{% include '../../../../etc/passwd' %}",
    "{% render './package.json' %}{% layout 'x' %}",
    "plain",
  ]);
}

function matcherFor(random: Random): unknown {
  return random.pick<unknown>([
    "hello",
    { equals: "hello" },
    { contains: "ell" },
    { regex: "h(?<a>.)", flags: "i" },
    { regex: "[", flags: "gg" },
    { anyOf: ["a", { contains: "b" }, { anyOf: ["hello"] }] },
  ]);
}

function scriptFor(random: Random, index: number): unknown {
  const when = {
    model: "at*",
    user: matcherFor(random),
    system: matcherFor(random),
    anyMessage: matcherFor(random),
    turn: 0,
    tool: "f",
    toolResult: { name: "f", content: matcherFor(random) },
    stream: true,
    header: { "x-a": "b" },
    request: { "messages.0.role": "user" },
  };
  return {
    ...(random.chance(0.5) ? { name: `s${index}` } : {}),
    ...(random.chance(0.7)
      ? { when: Object.fromEntries(Object.entries(when).filter(() => random.chance(0.15))) }
      : {}),
    ...(random.chance(0.2) ? { times: random.int(1, 3) } : {}),
    ...(random.chance(0.8)
      ? { reply: replyFor(random) }
      : {
          replies: random.list(random.int(1, 3), () => replyFor(random)),
          after: random.pick(["repeat", "cycle", "end"]),
        }),
  };
}

function replyFor(random: Random): unknown {
  const fault = {
    kind: random.pick(faultKindNames),
    afterChunks: random.int(0, 4),
    probability: 0.5,
  };
  const reply = random.pick<object>([
    {
      content: random.pick([
        "text",
        "{{ user }} {{ match.a }}",
        "{{ tables.users | size }}",
        "{% x",
        "{% include 'package.json' %}",
        "{{ messages[0].content }}",
      ]),
    },
    { content: { a: [1, "{{ user }}"] } },
    {
      content: null,
      toolCalls: [
        { name: "f", arguments: { a: "{{ user }}" } },
        { id: "i", name: "g", arguments: "{" },
      ],
    },
    {
      chunks: [
        "a",
        { wait: 5 },
        { reasoning: "r" },
        { toolCall: { name: "f" } },
        { comment: "c\nd" },
        { raw: "data: x\n\n" },
        { fault: "cut" },
      ],
    },
    { choices: [{ content: "a" }, { content: "b", finishReason: "length" }], reasoning: "r" },
    { error: { status: 500, message: "m", type: null, code: null, param: null, retryAfterMs: 5 } },
    {
      content: "logs",
      logprobs: { content: [{ token: "a", logprob: -1, bytes: null, top_logprobs: [] }] },
    },
  ]);
  return {
    ...reply,
    ...(random.chance(0.2) ? { fault } : {}),
    ...(random.chance(0.2)
      ? {
          pace: {
            firstTokenMs: 5,
            gapMs: 2,
            jitter: 0.5,
            by: random.pick<unknown>(["word", "token", "character", 3]),
          },
        }
      : {}),
    ...(random.chance(0.15)
      ? { usage: { prompt_tokens: 1, completion_tokens_details: { x: 1 } } }
      : {}),
    ...(random.chance(0.15)
      ? { headers: { "x-a": random.pick(["b", "é", "\n"]), "content-type": "text/plain" } }
      : {}),
    ...(random.chance(0.1) ? { model: "m", id: "i", finishReason: "f", refusal: "r" } : {}),
  };
}

function stateFor(random: Random): unknown {
  const state = {
    clock: "2024-01-01T00:00:00Z",
    seed: 1,
    random: [1, 2, 3, 4],
    matches: { s0: 2 },
    keys: { users: random.pick<unknown>([5, "9223372036854775807"]) },
    limits: { requests: { left: 1, at: 5 } },
    faults: [{ id: "fault 1", status: 500, times: 3, left: 2 }],
    asStored: ["users"],
    cells: { users: [{ row: 0, column: "name", integer: "9007199254740993" }] },
    played: { a: [1] },
  };
  return Object.fromEntries(Object.entries(state).filter(() => random.chance(0.3)));
}
