import { expect, test } from "vitest";
import { ScriptBook } from "../../../src/core/chat/scripts/script-book.ts";
import type { Script } from "../../../src/core/chat/scripts/script.ts";
import { randomFromSeed } from "../../../src/core/emulator/environment.ts";
import { bodyOf, chatContext, post, script } from "./support.ts";

const city = { regex: "in (?<city>\\w+)" };

/** A conversation of three answers: a tool call, one more beside it, and what both came to. */
const scripts: readonly Script[] = [
  script(
    "ask",
    { toolCalls: [{ name: "get_weather", arguments: { city: "{{ match.city }}" } }] },
    { turn: 0, user: city, tool: "get_weather" },
  ),
  script(
    "answer",
    { content: "In {{ match.city }}: {{ match.sky }}." },
    {
      turn: 1,
      user: city,
      toolResult: { name: "get_weather", content: { regex: "sky=(?<sky>\\w+)" } },
    },
  ),
  script("thanks", { content: "Bye, {{ match.city }}." }, { turn: 2, anyMessage: city }),
];

interface Conversation {
  readonly place: string;
  readonly messages: object[];
  readonly heard: unknown[];
}

const tools = [{ type: "function", function: { name: "get_weather" } }];

/** Sends what the conversation has so far, and adds the answer and what the client says to it. */
async function goOn(
  { place, messages, heard }: Conversation,
  context: ReturnType<typeof chatContext>,
): Promise<void> {
  const answer = bodyOf(await post(context, { model: "atlas", messages, tools }));
  const { message } = answer.choices[0];
  const [call] = message.tool_calls ?? [];
  messages.push(message);
  heard.push(call === undefined ? message.content : JSON.parse(call.function.arguments).city);
  const said =
    call === undefined
      ? { role: "user", content: "Thanks" }
      : { role: "tool", tool_call_id: call.id, content: `sky=over${place}` };
  messages.push(said);
}

test("fifty conversations at a time, their steps in any order, do not disturb each other", async () => {
  const context = { ...chatContext({ unmatched: "error" }), scripts: ScriptBook.of(scripts) };
  const { next } = randomFromSeed(4);
  const conversations = Array.from({ length: 50 }, (_, index): Conversation => {
    const place = `Town${index}`;
    return { place, messages: [{ role: "user", content: `Weather in ${place}?` }], heard: [] };
  });
  const open = [...conversations];
  while (open.length > 0) {
    const some = Array.from({ length: 5 }, () => open[Math.floor(next() * open.length)]);
    const chosen = [...new Set(some)].filter((one) => one !== undefined);
    await Promise.all(chosen.map((one) => goOn(one, context)));
    for (const one of chosen) if (one.heard.length === 3) open.splice(open.indexOf(one), 1);
  }
  expect(conversations.map(({ heard }) => heard)).toEqual(
    conversations.map(({ place }) => [place, `In ${place}: over${place}.`, `Bye, ${place}.`]),
  );
});

function result(id: string): object {
  return { role: "tool", tool_call_id: id, content: `of ${id}` };
}

test("the last of several results of tools is the one that counts", async () => {
  const calls = ["a", "b"].map((name) => ({ id: name, type: "function", function: { name } }));
  const context = chatContext({
    scripts: [
      script("a", { content: "a" }, { toolResult: { name: "a" } }),
      script("b", { content: "b" }, { toolResult: { name: "b" } }),
    ],
  });
  const ask = async (...ids: readonly string[]): Promise<string> => {
    const said = [
      { role: "user", content: "Hi" },
      { role: "assistant", tool_calls: calls },
    ];
    const messages = [...said, ...ids.map(result)];
    return bodyOf(await post(context, { model: "atlas", messages })).choices[0].message.content;
  };
  expect([await ask("a", "b"), await ask("b", "a")]).toEqual(["b", "a"]);
});

test("a request that no script matches uses up nobody's turn", async () => {
  const once: Script = { ...script("once", { content: "one" }, { user: "Hi", turn: 0 }), times: 1 };
  const context = chatContext({ scripts: [once] });
  for (const content of ["Ho", "hi"]) {
    await post(context, { model: "atlas", messages: [{ role: "user", content }] });
  }
  expect(bodyOf(await post(context)).choices[0].message.content).toBe("one");
});
