import { expect, test } from "vitest";
import { createEmulator, type Emulator, type JournalEntry } from "../../../src/index.ts";
import type { JsonObject } from "../../../src/core/schema/json.ts";

const chats = [
  {
    name: "weather",
    when: { user: "weather" },
    reply: {
      content: "Let me look.",
      toolCalls: [
        { name: "get_weather", arguments: { city: "Rome" } },
        { name: "get_time", arguments: {} },
      ],
    },
  },
  { name: "no answer", when: { user: "refuse" }, reply: { refusal: "Not that." } },
  {
    name: "cut",
    when: { user: "cut" },
    reply: { content: "One two three", fault: { kind: "cut", afterChunks: 2 } },
  },
  { name: "long", when: { user: "long" }, reply: { content: "far ".repeat(20_000) } },
  {
    name: "limit",
    when: { user: "limit" },
    reply: { error: { status: 429, message: "Too many." } },
  },
];

const user = (content: unknown): JsonObject => ({ role: "user", content });

function emulatorOf(): Promise<Emulator> {
  return createEmulator({ fixtures: { chats }, auth: false });
}

/** Asks a chat. Gives its answer's message, or undefined for a stream and an error. */
async function ask(
  { fetch }: Emulator,
  messages: readonly unknown[],
  more: object = {},
): Promise<JsonObject | undefined> {
  const body = JSON.stringify({ model: "m", messages, ...more });
  const response = await fetch("/v1/chat/completions", { method: "POST", body });
  const text = await response.text();
  if (!text.startsWith("{")) return undefined;
  const { choices } = JSON.parse(text) as {
    choices?: readonly { readonly message: JsonObject }[];
  };
  return choices?.[0]?.message;
}

function goesOn(later: JournalEntry | undefined, earlier: JournalEntry | undefined): boolean {
  const to = earlier?.conversation?.to ?? [];
  return (later?.conversation?.from ?? []).some((state) => to.includes(state));
}

test("tells what a chat is about, and what its answer calls", async () => {
  const emulator = await emulatorOf();
  const parts = [
    { type: "text", text: "The weather  in\nRome?" },
    { type: "image_url", image_url: { url: "https://pictures.test/rome.png" } },
  ];
  await ask(emulator, [{ role: "system", content: "Be brief." }, user(parts)]);
  await ask(emulator, [user("weather ".repeat(30))], { stream: true });
  const [first, second] = emulator.journal.list();
  expect(first?.conversation).toMatchObject({
    title: "The weather in Rome?",
    answers: 0,
    hasResults: false,
    calls: ["get_weather", "get_time"],
    from: [],
  });
  expect(second?.conversation?.title).toBe(`${"weather ".repeat(9)}weather…`);
  expect(second?.conversation?.calls).toEqual(["get_weather", "get_time"]);
});

/** The ways in which clients send an answer back. */
const sentBack: readonly (readonly [string, (message: JsonObject) => JsonObject])[] = [
  ["as it came", (message) => message],
  [
    "without what it has no use for, with other spaces",
    ({ role, content, tool_calls: calls }) => ({
      role,
      content: [{ type: "text", text: `${String(content)} ` }],
      tool_calls: (calls as readonly JsonObject[]).map(({ id, function: called }) => ({
        id,
        type: "function",
        function: {
          ...(called as JsonObject),
          arguments: String((called as JsonObject)["arguments"]).replaceAll(":", " : "),
        },
      })),
    }),
  ],
];

test.each(sentBack)(
  "finds the request that another goes on from, its answer sent back %s",
  async (_, back) => {
    const emulator = await emulatorOf();
    const asked = [{ role: "system", content: "It is 12:00." }, user("weather")];
    const answer = await ask(emulator, asked);
    if (answer === undefined) throw new Error("The chat was refused.");
    const calls = answer["tool_calls"] as readonly JsonObject[];
    const results = calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: "Sunny." }));
    await ask(emulator, [
      { role: "system", content: "It is 12:01." },
      user("weather"),
      back(answer),
      ...results,
    ]);
    const [first, second] = emulator.journal.list();
    expect(goesOn(second, first)).toBe(true);
    expect(second?.conversation).toMatchObject({ hasResults: true, answers: 1 });
    expect(goesOn(first, second)).toBe(false);
  },
);

test.each([
  ["one of n answers", "hi", { n: 2 }, "Echo: hi"],
  ["a refusal", "refuse", {}, "Not that."],
  ["a stream", "hello", { stream: true }, "Echo: hello"],
  ["a stream that broke", "cut", { stream: true }, "One t"],
  ["an answer that is too long to keep", "long", {}, "far ".repeat(20_000)],
])("finds the request that another goes on from after %s", async (_, said, more, content) => {
  const emulator = await emulatorOf();
  await ask(emulator, [user(said)], more).catch(() => undefined);
  const turn = [user(said), { role: "assistant", content }];
  await ask(emulator, [
    ...turn,
    user("And then?"),
    { role: "assistant", content: "No." },
    user("Now?"),
  ]);
  await ask(emulator, [user("something else"), { role: "assistant", content }, user("And then?")]);
  const [first, later, other] = emulator.journal.list();
  expect(goesOn(later, first)).toBe(true);
  expect(goesOn(other, first)).toBe(false);
});

test("another answer than the one that came belongs to another conversation", async () => {
  const emulator = await emulatorOf();
  await ask(emulator, [user("hi")]);
  await ask(emulator, [user("hi"), { role: "assistant", content: "Hello?" }, user("And then?")]);
  const [first, other] = emulator.journal.list();
  expect(goesOn(other, first)).toBe(false);
});

test("nothing goes on from an error, and a retry has the same name", async () => {
  const emulator = await emulatorOf();
  for (const said of ["limit", "limit", "limit 2"]) await ask(emulator, [user(said)]);
  const places = emulator.journal.list().map(({ conversation }) => conversation);
  expect(places.map((place) => place?.to)).toEqual([[], [], []]);
  expect(new Set(places.map((place) => place?.sent)).size).toBe(2);
});

test("what is no conversation has no place in one", async () => {
  const emulator = await createEmulator({
    fixtures: { tables: { users: [{ id: 1 }] }, chats },
    auth: false,
    profiles: { chat: "openai" },
  });
  await emulator.fetch("/rest/users");
  await emulator.fetch("/v1/models");
  const body = JSON.stringify({ model: "m", input: "hi" });
  await emulator.fetch("/v1/embeddings", { method: "POST", body });
  await emulator.fetch("/v1/chat/completions", { method: "POST", body: "{" });
  const places = emulator.journal.list().map(({ conversation }) => conversation);
  expect(places).toEqual([null, null, null, null]);
});

test("shows none of the emulator's own keys in a title", async () => {
  const emulator = await createEmulator({ fixtures: { apiKeys: ["APIKEY-9c2e"], chats } });
  const headers = { authorization: "Bearer APIKEY-9c2e" };
  const body = JSON.stringify({ model: "m", messages: [user("My key is APIKEY-9c2e.")] });
  await emulator.fetch("/v1/chat/completions", { method: "POST", headers, body });
  expect(emulator.journal.list()[0]?.conversation?.title).toBe("My key is ***.");
});
