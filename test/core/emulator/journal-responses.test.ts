import { Validator } from "@cfworker/json-schema";
import { expect, test } from "vitest";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../../src/index.ts";
import type { JournalEntry } from "../../../src/core/emulator/journal/entry.ts";
import { answered, reading, recordedFixtures } from "../../support/cassettes.ts";
import { harSchema } from "../control/har-schema.ts";

const long = "one two three four five six seven eight nine ten ".repeat(100);
const fixtures = {
  tables: { texts: [{ id: 1, text: "é" }] },
  chats: [
    ["paced", { content: "one two three", pace: { gapMs: 10, by: "word" } }],
    ["slow", { chunks: ["one", { wait: 60_000 }, "two"] }],
    ["long", { content: long }],
    ["longer", { content: `{"usage": {}} ${long.repeat(20)}`, usage: { total_tokens: 7 } }],
    ["odd", { content: `\ud800${"[".repeat(2000)}` }],
    [
      "secret",
      {
        content: "Use very-secret-key, not other-secret-key.",
        // In one frame: nobody finds a key that is in several.
        pace: { by: 1000 },
        headers: { "set-cookie": "id=1", "x-api-key": "abc", "x-note": "very-secret-key" },
      },
    ],
  ].map(([name, reply]) => ({ name, when: { user: { equals: name } }, reply })),
};

function make(options: Partial<EmulatorOptions> = {}): Promise<Emulator> {
  return createEmulator({ fixtures, apiKeys: ["very-secret-key"], auth: false, ...options });
}

const headers = {
  "content-type": "application/json",
  authorization: "Bearer very-secret-key",
};

function chat(user: string, more: object = { stream: true }): RequestInit {
  const body = JSON.stringify({ model: "x", messages: [{ role: "user", content: user }], ...more });
  return { method: "POST", headers, body };
}

const completions = "/v1/chat/completions";

/** The entry of a chat that was read to its end. */
async function entryOf(user: string, more?: object, emulator?: Emulator): Promise<JournalEntry> {
  const { fetch, journal } = emulator ?? (await make());
  const response = await fetch(completions, chat(user, more));
  await response.text();
  const entry = journal.list().at(-1);
  if (entry === undefined) throw new Error("The journal is empty.");
  return entry;
}

test("has rows as they were when they were read, whatever has become of them", async () => {
  const { fetch, journal } = await make();
  const paths = ["/rest/texts", "/rest/texts/1"];
  const before = await Promise.all(paths.map(async (path) => (await fetch(path)).json()));
  await fetch("/rest/texts/1", { method: "PATCH", headers, body: '{"text":"changed"}' });
  await fetch("/rest/texts/1", { method: "DELETE" });
  const kept = journal.list({ method: "GET" }).map(({ response }) => response?.body);
  expect(kept).toEqual(before);
  expect(before[0]).toEqual({ result: [{ id: 1, text: "é" }] });
});

test("has the frames of a stream as they were sent, with planned and actual times", async () => {
  const emulator = await make();
  const response = await emulator.fetch(completions, chat("paced", { stream: true }));
  const text = await response.text();
  const frames = emulator.journal.list()[0]?.response?.frames ?? [];
  expect(frames.map(({ data }) => data).join("")).toBe(text);
  expect(frames.map(({ dueMs }) => dueMs)).toEqual([0, 0, 10, 20, 20, 20]);
  const late = frames.map(({ dueMs, sentMs }) => (sentMs ?? -1) - dueMs);
  expect(late.every((ms) => ms >= 0)).toBe(true);
});

test("has what a client of a stream under way got so far, and what it did not get", async () => {
  const { fetch, journal } = await make();
  const leaving = new AbortController();
  await fetch(completions, { ...chat("slow"), signal: leaving.signal });
  const [pending] = journal.list();
  expect(pending).toMatchObject({ status: 200, ended: "pending", chunksSent: 2, problem: null });
  leaving.abort();
  const [left] = journal.list();
  expect(left).toMatchObject({ ended: "aborted", problem: "left by the client after 2 chunks" });
  expect(left?.response?.frames?.map(({ sentMs }) => sentMs === null)).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
});

test("lists what hangs, without an answer, with the time so far, also when it is cleared", async () => {
  const { fetch, faults, journal } = await make();
  faults.add({ interface: "tables", fault: "hang" });
  const leaving = new AbortController();
  const asked = fetch("/rest/texts", { signal: leaving.signal }).catch(() => undefined);
  await expect.poll(() => journal.list()[0]?.answeredBy).toBe("fault 1");
  journal.clear();
  const [first] = journal.list();
  expect(first).toMatchObject({ id: "1", ended: "pending", status: 0, response: null });
  await expect.poll(() => journal.list()[0]?.durationMs).toBeGreaterThan(first?.durationMs ?? 0);
  leaving.abort();
  await asked;
  expect(journal.list()).toMatchObject([{ ended: "hung", problem: "no answer: fault hang" }]);
});

test("lists those under way in the order in which they arrived, whichever ends first", async () => {
  const { fetch, journal } = await make();
  const leaving = [1, 2, 3].map(() => new AbortController());
  for (const { signal } of leaving) await fetch(completions, { ...chat("slow"), signal });
  const seen = (): readonly string[] => journal.list().map(({ id, ended }) => `${id} ${ended}`);
  expect(seen()).toEqual(["1 pending", "2 pending", "3 pending"]);
  leaving[0]?.abort();
  expect(seen()).toEqual(["1 aborted", "2 pending", "3 pending"]);
  leaving[2]?.abort();
  expect(seen()).toEqual(["1 aborted", "2 pending", "3 aborted"]);
  leaving[1]?.abort();
  expect(seen()).toEqual(["1 aborted", "2 aborted", "3 aborted"]);
});

test("has usage and finish reason of a chat, as they were sent", async () => {
  const usage = { prompt_tokens: 1, completion_tokens: 3, total_tokens: 4 };
  const stop = { usage, finishReason: "stop" };
  expect(await entryOf("paced", {})).toMatchObject(stop);
  expect(await entryOf("paced")).toMatchObject({ usage: null, finishReason: "stop" });
  const asked = { stream: true, stream_options: { include_usage: true } };
  expect(await entryOf("paced", asked)).toMatchObject(stop);
  const cut = { response: { truncated: true }, usage: { total_tokens: 7 }, finishReason: "stop" };
  expect(await entryOf("longer", {})).toMatchObject(cut);
});

test("keeps the first 64 KB of a long stream, and still tells why it ended", async () => {
  const { response, finishReason, chunksSent } = await entryOf("long");
  const text = response?.frames?.map(({ data }) => data).join("") ?? "";
  expect([text.length > 65_000, text.length <= 65_536, response?.truncated]).toEqual([
    true,
    true,
    true,
  ]);
  expect([finishReason, chunksSent > 1000]).toEqual(["stop", true]);
});

test("keeps the first 64 KB of a body of 9 MB, as text", async () => {
  const { fetch, journal, tables } = await make();
  tables["texts"]?.insert({ id: 2, text: "é".repeat(4_500_000) });
  const text = await (await fetch("/rest/texts/2")).text();
  const [entry] = journal.list();
  expect(entry).toMatchObject({ bytes: 9_000_000 + 31, response: { truncated: true } });
  const body = String(entry?.response?.body);
  expect([text.startsWith(body), new TextEncoder().encode(body).length]).toEqual([true, 65_535]);
});

test("keeps bytes that are no text as base64", async () => {
  const answer = answered({ headers: { "content-type": "image/png" }, body: { base64: "AP+A" } });
  const emulator = await make({
    fixtures: recordedFixtures({ tables: [[reading("/picture"), answer]] }),
  });
  await emulator.fetch("/rest/picture");
  expect(emulator.journal.list()[0]?.response).toMatchObject({ body: "AP+A", encoding: "base64" });
});

test("shows lone surrogates and deep texts like everything else", async () => {
  const { response } = await entryOf("odd", {});
  const shown = JSON.parse(JSON.stringify(response)).body.choices[0].message.content;
  expect(shown).toBe(`\ud800${"[".repeat(2000)}`);
});

test("never has a key in a reply", async () => {
  for (const stream of [true, false]) {
    const entry = await entryOf("secret", { stream }, await make({ auth: true }));
    expect(JSON.stringify(entry)).not.toContain("very-secret-key");
    expect(entry.response?.headers).toMatchObject({
      "set-cookie": "***",
      "x-api-key": "***",
      "x-note": "***",
    });
    expect(JSON.stringify(entry.response)).toContain("other");
  }
});

test.each([{ journal: false }, { journalSize: 0 }])("keeps nothing with %j", async (options) => {
  const emulator = await make(options);
  const response = await emulator.fetch(completions, chat("slow"));
  await emulator.fetch("/rest/texts");
  expect(emulator.journal.list()).toEqual([]);
  await response.body?.cancel();
  expect(emulator.journal.list()).toEqual([]);
});

test("has replies, frames and how each ended in a HAR archive", async () => {
  const emulator = await make();
  await entryOf("paced", { stream: true }, emulator);
  await emulator.fetch("/rest/texts/1");
  const answer = await emulator.fetch("/__backlot/requests?format=har");
  const har: unknown = await answer.json();
  expect(new Validator({ ...harSchema }, "2020-12").validate(har).errors).toEqual([]);
  expect(har).toMatchObject({
    log: {
      entries: [
        {
          _ended: "complete",
          _finishReason: "stop",
          _frames: [{ data: expect.stringContaining('"role"'), dueMs: 0 }, {}, {}, {}, {}, {}],
          response: { content: { text: expect.stringMatching(/^data: [^]*\[DONE\]\n\n$/) } },
        },
        { response: { content: { text: '{"result":[{"id":1,"text":"é"}]}' } } },
      ],
    },
  });
});
