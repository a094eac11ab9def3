import { expect, test } from "vitest";
import { answererOf } from "../../support/answerer.ts";
import { bodyOf, chatBody, chatContext, model, post, replying, script } from "./support.ts";

test("answers with a whole completion", async () => {
  const models = [model("atlas", { variant: "atlas-2024-05" })];
  const reply = await post(replying({ content: "Hello, you" }, { models }));
  expect(reply).toMatchObject({ status: 200, delayMs: 0 });
  expect(answererOf(reply)).toBe('script "only" reply 1');
  expect(reply.headers).toEqual({
    "content-type": "application/json",
    "x-request-id": "req_1",
    "openai-version": "2020-10-01",
    "openai-organization": "org-backlot",
    "openai-processing-ms": "0",
  });
  expect(bodyOf(reply)).toEqual({
    id: "chatcmpl-2",
    object: "chat.completion",
    created: 1_700_000_000,
    model: "atlas-2024-05",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "Hello, you", refusal: null },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 3, total_tokens: 4 },
    system_fingerprint: null,
  });
});

test("counts what the usage of a script leaves out", async () => {
  const reply = { content: "x", reasoning: "hm", usage: { prompt_tokens: 7 } };
  expect(bodyOf(await post(replying(reply))).usage).toMatchObject({
    prompt_tokens: 7,
    completion_tokens: 2,
    total_tokens: 9,
  });
});

test.each([
  [
    {},
    { completion_tokens_details: { audio_tokens: 2 } },
    { completion_tokens_details: { audio_tokens: 2 } },
  ],
  [
    { reasoning: "hm" },
    { prompt_tokens_details: { cached_tokens: 5 } },
    {
      prompt_tokens_details: { cached_tokens: 5 },
      completion_tokens_details: { reasoning_tokens: 1 },
    },
  ],
])("sends the details of usage that a script has, beside %j", async (more, scripted, details) => {
  const { usage } = bodyOf(await post(replying({ content: "x", ...more, usage: scripted })));
  const counted = "reasoning" in more ? 2 : 1;
  expect(usage).toEqual({
    prompt_tokens: 1,
    completion_tokens: counted,
    total_tokens: 1 + counted,
    ...details,
  });
});

test("counts a refusal's tokens", async () => {
  const { usage } = bodyOf(await post(replying({ refusal: "no way at all" })));
  expect(usage).toEqual({ prompt_tokens: 1, completion_tokens: 4, total_tokens: 5 });
});

test("counts the details of usage where there is reasoning, of which there is no more than in all", async () => {
  const reply = { content: "x", reasoning: "well then" };
  const counted = bodyOf(await post(replying(reply))).usage;
  const stated = bodyOf(await post(replying({ ...reply, usage: { completion_tokens: 1 } }))).usage;
  const cached = { prompt_tokens_details: { cached_tokens: 0 } };
  expect([counted, stated]).toMatchObject([
    { ...cached, completion_tokens_details: { reasoning_tokens: 2 } },
    { ...cached, completion_tokens_details: { reasoning_tokens: 1 } },
  ]);
});

test("leaves a text out that a template makes empty, save the content", async () => {
  const reply = { reasoning: "{{ '' }}", content: "{{ '' }}", refusal: "{{ '' }}" };
  const { choices } = bodyOf(await post(replying(reply)));
  expect(choices[0].message).toEqual({ role: "assistant", content: "", refusal: null });
});

test("says of an echo that nothing in the fixtures answers", async () => {
  expect(await post(chatContext())).toMatchObject({ status: 200, isMiss: true });
  expect((await post(replying({ content: "x" }))).isMiss).toBeUndefined();
});

test("echoes nothing where no user has spoken", async () => {
  const body = { model: "atlas", messages: [{ role: "system", content: "Hi" }] };
  expect(bodyOf(await post(chatContext(), body)).choices[0].message.content).toBe("Echo: ");
});

test("gives each choice tool call ids of its own, save those that the script gives", async () => {
  const toolCalls = [{ name: "a" }, { name: "b", id: "mine" }];
  const { choices } = bodyOf(await post(replying({ toolCalls }), chatBody({ n: 3 })));
  type Choice = { readonly message: { readonly tool_calls: readonly { readonly id: string }[] } };
  const ids = choices.map(({ message }: Choice) => message.tool_calls.map(({ id }) => id));
  expect(ids).toEqual([
    ["call_2", "mine"],
    ["call_3", "mine"],
    ["call_4", "mine"],
  ]);
});

test("counts the tokens of tool calls in every choice", async () => {
  const reply = replying({ toolCalls: [{ name: "ping" }] });
  const one = bodyOf(await post(reply)).usage.completion_tokens;
  const three = bodyOf(await post(reply, chatBody({ n: 3 }))).usage.completion_tokens;
  expect([one, three]).toEqual([2, 6]);
});

test("gives templates each message with the text of its parts as its content", async () => {
  const content =
    "{% for m in messages %}[{{ m.role }} {{ m.name | default: '-' }} {{ m.content }}]{% endfor %}" +
    "{% unless messages[1].content %}none{% endunless %} {{ messages.last.content }}" +
    " {{ messages[1].tool_calls[0].function.name }}{{ messages[2].content }}";
  const messages = [
    { role: "user", name: "Ada", content: "Hi" },
    { role: "assistant", content: null, tool_calls: [{ id: "1", function: { name: "f" } }] },
    { role: "assistant", tool_calls: [{ id: "2", function: { name: "g" } }] },
    {
      role: "user",
      content: [
        { type: "text", text: "Look " },
        { type: "image_url", image_url: { url: "x" } },
        { type: "text", text: "here" },
      ],
    },
  ];
  const { choices } = bodyOf(await post(replying({ content }), chatBody({ messages })));
  expect(choices[0].message.content).toBe(
    "[user Ada Hi][assistant - ][assistant - ][user - Look here]none Look here f",
  );
});

test("renders templates with the request, the match and the tables in scope", async () => {
  const reply = {
    content:
      "{{ match.city }}/{{ user }}/{{ model }}/{{ messages.size }}/{{ tables.users[0].name }}",
    toolCalls: [
      { name: "a", arguments: { city: "{{ match.city }}", count: "{{ messages.size }}" } },
      { name: "b", arguments: '{"model":"{{ model }}"}' },
    ],
  };
  const when = { user: { regex: " in (?<city>\\w+)" } };
  const context = chatContext({ scripts: [script("weather", reply, when)] });
  const { message } = bodyOf(await post(context, chatBody({}, "Rain in Oslo"))).choices[0];
  expect(message.content).toBe("Oslo/Rain in Oslo/atlas/1/Ada");
  expect(message.tool_calls[0].function.arguments).toBe('{"city":"Oslo","count":1}');
  expect(message.tool_calls[1].function.arguments).toBe('{"model":"atlas"}');
});

test("gives arguments that templates make the types that the tool's schema asks for", async () => {
  const text = "{{ match.n }}";
  const given = {
    whole: text,
    real: "{{ match.n }}.5",
    yes: "{{ match.yes }}",
    label: text,
    both: text,
    other: text,
    notANumber: "{{ match.yes }}",
    scripted: "7",
    list: [text],
    deep: { whole: text },
    huge: "{{ match.n }}0000000000000000",
  };
  const whole = { type: "integer" };
  const properties = {
    whole,
    real: { type: "number" },
    yes: { type: ["boolean", "null"] },
    label: { type: "string" },
    both: { type: ["string", "integer"] },
    notANumber: { type: "number" },
    scripted: whole,
    list: { type: "array", items: whole },
    deep: { type: "object", properties: { whole } },
    huge: whole,
  };
  const tool = { name: "move", parameters: { type: "object", properties } };
  const when = { user: { regex: "(?<n>\\d+) (?<yes>\\w+)" } };
  const scripts = [script("s", { toolCalls: [{ name: "move", arguments: given }] }, when)];
  const tools = [{ type: "function", function: tool }];
  const answers = [chatBody({ tools }, "move 12 true"), chatBody({}, "move 12 true")].map(
    async (body) => {
      const { message } = bodyOf(await post(chatContext({ scripts }), body)).choices[0];
      return JSON.parse(message.tool_calls[0].function.arguments);
    },
  );
  const [typed, plain] = await Promise.all(answers);
  expect(typed).toEqual({
    whole: 12,
    real: 12.5,
    yes: true,
    label: "12",
    both: "12",
    other: "12",
    notANumber: "true",
    scripted: "7",
    list: [12],
    deep: { whole: 12 },
    huge: "120000000000000000",
  });
  expect(plain).toMatchObject({ whole: "12", yes: "true", deep: { whole: "12" } });
});
