import { expect } from "vitest";
import { contract } from "../support/contract.ts";
import { asking, completions, contractModels } from "../support/contract-chats.ts";
import { ask, type Asking } from "../support/requests.ts";

const models = contractModels;

function user(text: string): Asking {
  return { json: asking(text) };
}

function talk(...messages: readonly object[]): Asking {
  return { json: { model: "atlas", messages } };
}

contract(
  "fills a template with the request, the match and the tables as they are now",
  async (transport) => {
    const content =
      "{{ match.city }} / {{ user }} / {{ model }} / {{ messages | size }} / {{ tables.users[0].name }}";
    const chats = [
      { name: "it", when: { user: { regex: "to (?<city>\\w+)" } }, reply: { content } },
    ];
    const tables = { users: [{ id: 1, name: "Ada" }] };
    await using service = await transport.open({ models, tables, chats });
    await ask(service, "PATCH /rest/users/1", { json: { name: "Grace" } });
    const { body } = await ask(service, completions, user("a trip to Oslo"));
    expect(body).toMatchObject({
      choices: [{ message: { content: "Oslo / a trip to Oslo / atlas / 1 / Grace" } }],
    });
  },
);

contract("fills a template with the groups of every matcher", async (transport) => {
  const chats = [
    {
      name: "it",
      when: {
        user: { anyOf: [{ regex: "from (?<from>\\w+)" }, { regex: "to (?<to>\\w+)" }] },
        system: { regex: "be (?<tone>\\w+)" },
      },
      reply: { content: "{{ match.from }}/{{ match.to }}/{{ match.tone }}" },
    },
  ];
  await using service = await transport.open({ models, chats });
  const asked = talk({ role: "system", content: "be kind" }, { role: "user", content: "to Oslo" });
  const { body } = await ask(service, completions, asked);
  expect(body).toMatchObject({ choices: [{ message: { content: "/Oslo/kind" } }] });
});

contract("shows templates the text of a content in parts", async (transport) => {
  const chats = [{ name: "it", reply: { content: "{{ messages.last.content }}" } }];
  await using service = await transport.open({ models, chats });
  const parts = [
    { type: "text", text: "one " },
    { type: "text", text: "two" },
  ];
  const { body } = await ask(service, completions, talk({ role: "user", content: parts }));
  expect(body).toMatchObject({ choices: [{ message: { content: "one two" } }] });
});
