import OpenAI from "openai";
import { expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../../src/index.ts";

async function clientOf(
  chats: readonly object[] = [],
): Promise<{ client: OpenAI; emulator: Emulator }> {
  const emulator = await createEmulator({
    seed: 1,
    profiles: { chat: "openai" },
    fixtures: { chats },
  });
  const client = new OpenAI({
    apiKey: "key",
    baseURL: "http://backlot.test/v1",
    fetch: emulator.fetch,
    maxRetries: 0,
  });
  return { client, emulator };
}

const hi = { model: "m", messages: [{ role: "user" as const, content: "Hi" }] };

test("a completion with store: true can be read, listed, changed and deleted by the SDK", async () => {
  const { client } = await clientOf();
  const { completions } = client.chat;
  const first = await completions.create({ ...hi, store: true, metadata: { test: "one" } });
  const second = await completions.create({ ...hi, store: true });
  expect(await completions.retrieve(first.id)).toMatchObject({
    id: first.id,
    choices: first.choices,
    metadata: { test: "one" },
  });
  const ids = async (query: Parameters<typeof completions.list>[0]) =>
    (await completions.list(query)).data.map(({ id }) => id);
  expect(await ids({})).toEqual([first.id, second.id]);
  expect(await ids({ order: "desc", limit: 1 })).toEqual([second.id]);
  expect(await ids({ after: first.id })).toEqual([second.id]);
  expect(await ids({ metadata: { test: "one" } })).toEqual([first.id]);
  expect(await ids({ model: "other" })).toEqual([]);
  await completions.update(first.id, { metadata: { test: "two" } });
  expect(await completions.retrieve(first.id)).toMatchObject({ metadata: { test: "two" } });
  const messages = await completions.messages.list(first.id);
  expect(messages.data).toMatchObject([{ id: `${first.id}-0`, role: "user", content: "Hi" }]);
  expect(await completions.delete(first.id)).toMatchObject({ deleted: true });
  await expect(completions.retrieve(first.id)).rejects.toThrow(/404 .*not found/);
});

test("a streamed completion is kept as one body", async () => {
  const { client } = await clientOf([{ reply: { id: "chatcmpl-1", content: "Hello there" } }]);
  const stream = await client.chat.completions.create({ ...hi, stream: true, store: true });
  for await (const _ of stream);
  const kept = await client.chat.completions.retrieve("chatcmpl-1");
  expect(kept.object).toBe("chat.completion");
  expect(kept.choices[0]?.message.content).toBe("Hello there");
});

test("nothing is kept without store: true, nor of an answer that breaks off", async () => {
  const { client } = await clientOf([
    {
      when: { user: "cut" },
      reply: { id: "chatcmpl-cut", content: "Hello", fault: { kind: "cut" } },
    },
  ]);
  const { completions } = client.chat;
  const { id } = await completions.create(hi);
  await expect(completions.retrieve(id)).rejects.toThrow(/404/);
  const messages = [{ role: "user" as const, content: "cut" }];
  await expect(completions.create({ model: "m", messages, store: true })).rejects.toThrow(Error);
  await expect(completions.retrieve("chatcmpl-cut")).rejects.toThrow(/404/);
});

test("a wrong argument or metadata is refused at its place", async () => {
  const { client } = await clientOf();
  const { completions } = client.chat;
  const { id } = await completions.create({ ...hi, store: true });
  await expect(completions.list({ limit: 0 })).rejects.toThrow(
    /"limit" is the string "0"|"limit" is "0"/,
  );
  await expect(completions.list({ after: "x" })).rejects.toThrow(/"after"/);
  const metadata = { a: "x".repeat(513) };
  await expect(completions.update(id, { metadata })).rejects.toThrow(/metadata\.a/);
});

test("under document there is no such list", async () => {
  const { fetch } = await createEmulator({ fixtures: { chats: [] } });
  const headers = { authorization: "Bearer k" };
  expect((await fetch("/v1/chat/completions", { headers })).status).toBe(405);
  const one = await fetch("/v1/chat/completions/x", { headers });
  expect(one.status).toBe(404);
  expect((await one.json()).error.message).toContain("--chat-profile openai");
});
