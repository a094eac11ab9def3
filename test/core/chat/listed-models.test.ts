import { expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../../src/index.ts";

interface Listed {
  readonly data: readonly { readonly id: string }[];
}

async function idsOf({ fetch }: Pick<Emulator, "fetch">): Promise<string[]> {
  const list: Listed = await (await fetch("/v1/models")).json();
  return list.data.map(({ id }) => id);
}

const ofEmbedding = { id: "embed", owned_by: "x", created: 1, kind: "embedding" };
const ofChat = { id: "chat", owned_by: "x", created: 1, kind: "chat" };

test.each<[string, object, readonly string[]]>([
  ["the usual models without any", {}, ["atlas-large", "atlas-small", "atlas-embed"]],
  ["those that chat first", { models: [ofEmbedding, ofChat] }, ["chat", "embed"]],
  [
    "those for which scripts are, where every id is accepted",
    {
      chats: [
        { name: "a", when: { model: "gpt-4o" }, reply: { content: "a" } },
        { name: "b", when: { model: "gpt-*" }, reply: { content: "b" } },
        { name: "c", when: { model: "gpt-4o" }, reply: { content: "c" } },
      ],
    },
    ["gpt-4o", "atlas-embed"],
  ],
  [
    "those for which scripts are beside the fixtures' own, if others are accepted",
    {
      models: [ofEmbedding, ofChat],
      chat: { unknownModels: "accept" },
      chats: [{ name: "a", when: { model: "gpt-4o" }, reply: { content: "a" } }],
    },
    ["chat", "gpt-4o", "embed"],
  ],
  [
    "no others where they are refused",
    {
      models: [ofChat],
      chats: [{ name: "a", when: { model: "gpt-4o" }, reply: { content: "a" } }],
    },
    ["chat"],
  ],
])("the list has %s", async (_, fixtures, ids) => {
  const emulator = await createEmulator({ fixtures, auth: false });
  expect(await idsOf(emulator)).toEqual(ids);
});

test.each<[string, object]>([
  ["without fixtures", {}],
  ["with an embedding model first", { models: [ofEmbedding, ofChat] }],
  [
    "with scripts of one model, strictly",
    {
      chats: [{ name: "a", when: { model: "gpt-4o" }, reply: { content: "a" } }],
      chat: { unmatched: "error" },
    },
  ],
])("the first model of the list answers a chat, %s", async (_, fixtures) => {
  const emulator = await createEmulator({ fixtures, auth: false });
  const [model] = await idsOf(emulator);
  const { status } = await emulator.fetch("/v1/chat/completions", {
    method: "POST",
    body: JSON.stringify({ model, messages: [{ role: "user", content: "Hi" }] }),
  });
  expect(status).toBe(200);
});
