import { expect, test } from "vitest";
import { openaiProfile } from "../../../src/core/chat/profiles.ts";
import type { ScriptReply } from "../../../src/core/chat/scripts/script.ts";
import { bytesOf } from "../../../src/core/http/event-stream.ts";
import { problemsOfText } from "../fixture-set/problems-of.ts";
import {
  bodyOf,
  chatBody,
  chunksOf,
  post,
  replying,
  streamOf,
  textsOf,
  wireOf,
} from "./support.ts";

const custom = { type: "custom", custom: { name: "run_code" } };
const openai = { profile: openaiProfile };

function streamed(reply: ScriptReply, more: object = {}, options: object = openai) {
  return post(replying(reply, options), chatBody({ stream: true, ...more }));
}

/** The deltas of a stream without its first, which has the role, and its last. */
async function deltasOf(reply: ScriptReply, more: object = {}): Promise<readonly object[]> {
  const chunks = chunksOf(await streamed(reply, more));
  return chunks.slice(1, -1).map(({ choices }) => choices[0].delta);
}

/** When each frame is due, with a word of what is in it. */
async function timesOf(reply: ScriptReply, options: object = {}): Promise<readonly string[]> {
  const stream = streamOf(await streamed(reply, {}, options));
  const times = stream.frames.map(({ at }, index) => {
    const text = textsOf(stream)[index] ?? "";
    const [, said] = /"content":"([^"]+)"/.exec(text) ?? [];
    return `${at} ${said ?? text.trim().slice(0, 6)}`;
  });
  return times.filter((line) => !line.endsWith(" data: "));
}

test("sends the arguments null as JSON's null", async () => {
  const reply: ScriptReply = { toolCalls: [{ name: "ping", arguments: null }] };
  const { choices } = bodyOf(await post(replying(reply)));
  expect(choices[0].message.tool_calls[0].function).toEqual({ name: "ping", arguments: "null" });
});

test("answers with a call of a custom tool, whose input is a template", async () => {
  const reply: ScriptReply = {
    toolCalls: [{ type: "custom", name: "run_code", input: "print('{{ user }}')" }],
  };
  const { choices } = bodyOf(await post(replying(reply, openai), chatBody({ tools: [custom] })));
  expect(choices[0]).toMatchObject({
    finish_reason: "tool_calls",
    message: {
      content: null,
      tool_calls: [
        {
          id: "call_2",
          type: "custom",
          custom: { name: "run_code", input: "print('Hi')" },
        },
      ],
    },
  });
  const deltas = await deltasOf({ ...reply, pace: { by: 6 } }, { tools: [custom] });
  expect(deltas).toEqual([
    {
      tool_calls: [
        { index: 0, id: "call_2", type: "custom", custom: { name: "run_code", input: "" } },
      ],
    },
    { tool_calls: [{ index: 0, custom: { input: "print(" } }] },
    { tool_calls: [{ index: 0, custom: { input: "'Hi')" } }] },
  ]);
});

test("makes a call of a tool that the request has as a custom one a call of a custom tool", async () => {
  const reply: ScriptReply = { toolCalls: [{ name: "run_code", arguments: "1 + 1" }] };
  const { choices } = bodyOf(await post(replying(reply, openai), chatBody({ tools: [custom] })));
  expect(choices[0].message.tool_calls[0]).toMatchObject({
    type: "custom",
    custom: { name: "run_code", input: "1 + 1" },
  });
});

test("gives a request with functions a function_call, in pieces or whole", async () => {
  const functions = [{ name: "ping", parameters: { type: "object", properties: {} } }];
  const reply: ScriptReply = { toolCalls: [{ name: "ping", arguments: "{}" }] };
  const { choices } = bodyOf(await post(replying(reply), chatBody({ functions })));
  expect(choices[0].finish_reason).toBe("function_call");
  expect(choices[0].message.function_call).toEqual({ name: "ping", arguments: "{}" });
  expect(await deltasOf(reply, { functions })).toEqual([
    { function_call: { name: "ping", arguments: "" } },
    { function_call: { arguments: "{}" } },
  ]);
  expect(await deltasOf({ ...reply, pace: { toolCalls: "whole" } }, { functions })).toEqual([
    { function_call: { name: "ping", arguments: "{}" } },
  ]);
});

const twoCalls: ScriptReply["toolCalls"] = [
  { id: "a", name: "f", arguments: "12" },
  { id: "b", name: "g", arguments: "345" },
];

function callsIn(deltas: readonly object[]): readonly string[] {
  return deltas.map((delta) => {
    const [{ index, id = "", function: called }] = (delta as { tool_calls: [never] })
      .tool_calls as [{ index: number; id?: string; function: { arguments: string } }];
    return `${index}${id}:${called.arguments}`;
  });
}

test.each([
  ["pieces", ["0a:", "0:1", "0:2", "1b:", "1:3", "1:4", "1:5"]],
  ["whole", ["0a:12", "1b:345"]],
  ["interleaved", ["0a:", "1b:", "0:1", "1:3", "0:2", "1:4", "1:5"]],
] as const)("sends calls %s", async (toolCalls, expected) => {
  const deltas = await deltasOf({ toolCalls: twoCalls, pace: { by: 1, toolCalls } });
  expect(callsIn(deltas)).toEqual(expected);
});

test("interleaves calls among chunks, up to the next text", async () => {
  const [one, two] = twoCalls;
  const chunks = [{ toolCall: one }, { toolCall: two }, "and", { toolCall: one }] as const;
  const reply = { chunks, pace: { toolCalls: "interleaved", by: 1, gapMs: 10 } } as const;
  const times = streamOf(await streamed(reply as ScriptReply, {}, {})).frames.map(({ at }) => at);
  // The role, seven pieces of calls, a text, three pieces, the end and [DONE].
  expect(times).toEqual([0, 0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 100, 100]);
});

test("sends JSON and bytes as they are, half of a character too", async () => {
  const reply: ScriptReply = {
    chunks: [
      { json: { id: "x", choices: [], prompt_filter_results: ["{{ user }}"] } },
      { raw: 'data: {"t":"' },
      { base64: "8J+R" },
      { base64: "iw==" },
      { raw: '"}\n\n' },
    ],
  };
  const stream = streamOf(await streamed(reply));
  const parts = stream.frames.map((frame) => bytesOf(frame, stream));
  const sent = Buffer.concat(parts.map((part) => Buffer.from(part))).toString();
  expect(sent).toContain(
    'data: {"id":"x","choices":[],"prompt_filter_results":["{{ user }}"]}\n\n',
  );
  expect(sent).toContain('data: {"t":"👋"}\n\n');
  expect(parts[2]).toEqual(new Uint8Array([0xf0, 0x9f, 0x91]));
  expect(bodyOf(await post(replying(reply))).choices[0].message.content).toBeNull();
});

test("counts a frame of JSON among the events before a fault", async () => {
  const reply: ScriptReply = {
    chunks: [{ json: 1 }, { json: 2 }, "text"],
    fault: { kind: "cut", afterChunks: 1 },
  };
  expect(wireOf(await streamed(reply))).toBe("data: 1\n\n");
});

test("repeats a comment until the next step, however long that takes", async () => {
  const ping = { comment: "ping", everyMs: 100 };
  expect(await timesOf({ chunks: ["a", ping, { wait: 250 }, "b"] })).toEqual([
    "0 a",
    "0 : ping",
    "100 : ping",
    "200 : ping",
    "250 b",
  ]);
  expect(await timesOf({ chunks: [ping, "a"], pace: { firstTokenMs: 150 } })).toEqual([
    "0 : ping",
    "100 : ping",
    "150 a",
  ]);
  expect(await timesOf({ chunks: ["a", ping, "b"] })).toEqual(["0 a", "0 : ping", "0 b"]);
});

test("repeats a comment so many times, for which the next step waits", async () => {
  const ping = { comment: "ping", everyMs: 100, times: 2 };
  expect(await timesOf({ chunks: ["a", ping, "b", { wait: 50 }, "c"] })).toEqual([
    "0 a",
    "0 : ping",
    "100 : ping",
    "200 b",
    "250 c",
  ]);
  expect(await timesOf({ chunks: ["a", ping, { wait: 500 }, "b"] }, { speed: 10 })).toEqual([
    "0 a",
    "0 : ping",
    "10 : ping",
    "50 b",
  ]);
  const stalled = streamOf(await streamed({ chunks: [ping, { fault: "stall" }] }));
  expect(stalled.end).toMatchObject({ how: "hang", at: 200 });
});

const extra = {
  message: { annotations: [1], reasoning: "{{ user }}" },
  delta: { reasoning: "hm" },
  choice: { content_filter_results: {} },
  body: { provider: "acme", system_fingerprint: "fp_1" },
} as const;

test("adds more keys to a JSON reply, as they are", async () => {
  const body = bodyOf(await post(replying({ content: "Yes", extra })));
  expect(body).toMatchObject({ provider: "acme", system_fingerprint: "fp_1" });
  expect(body.choices[0]).toMatchObject({ content_filter_results: {}, finish_reason: "stop" });
  expect(body.choices[0].message).toEqual({
    role: "assistant",
    content: "Yes",
    refusal: null,
    annotations: [1],
    reasoning: "{{ user }}",
  });
});

test.each([{}, { reasoning: "Well" }])(
  "adds more keys to each chunk, and to the first delta: %j",
  async (said) => {
    const options = { stream_options: { include_usage: true } };
    const chunks = chunksOf(await streamed({ content: "Yes", ...said, extra }, options));
    const withChoices = chunks.filter(({ choices }) => choices.length > 0);
    expect(chunks.length).toBe(withChoices.length + 1);
    for (const chunk of chunks) expect(chunk).toMatchObject(extra.body);
    for (const { choices } of withChoices) expect(choices[0]).toMatchObject(extra.choice);
    const first = withChoices.filter(({ choices }) => choices[0].delta.reasoning !== undefined);
    expect(first).toEqual([withChoices[0]]);
    expect(withChoices[0].choices[0].delta).toMatchObject({ role: "assistant", reasoning: "hm" });
  },
);

test("takes the usage of extra.body in place of the counted one, once in each chunk", async () => {
  const usage = { cost: 0.1 };
  const reply = await streamed(
    { content: "Yes", extra: { body: { usage } } },
    { stream_options: { include_usage: true } },
  );
  for (const text of wireOf(reply).split("\n\n").slice(0, -2)) {
    expect(text.match(/"usage":/g)).toHaveLength(1);
  }
  expect(chunksOf(reply).at(-1)).toMatchObject({ choices: [], usage });
});

test("gives each choice its own more keys", async () => {
  const choices = [
    { content: "a", extra: { message: { n: 1 } } },
    { content: "b", extra: { choice: { n: 2 } } },
  ];
  const body = bodyOf(
    await post(replying({ choices, extra: { body: { n: 3 } } }), chatBody({ n: 2 })),
  );
  expect([body.choices[0].message.n, body.choices[1].n, body.n]).toEqual([1, 2, 3]);
});

test("adds more keys to an error, and to the error of a fault", async () => {
  const innererror = { code: "ResponsibleAIPolicyViolation" };
  const error = { status: 400, message: "No.", extra: { innererror } };
  expect(bodyOf(await post(replying({ error }))).error).toMatchObject({
    message: "No.",
    innererror,
  });
  const { status: _, ...inside } = error;
  const broken = await streamed({ content: "a", fault: { kind: "error", error: inside } });
  expect(JSON.parse(wireOf(broken).slice("data: ".length)).error).toMatchObject({ innererror });
});

test.each([false, true])("answers with a body as it is, where stream is %s", async (stream) => {
  const body = { choices: null, note: "{{ user }}" };
  const context = replying({ body, headers: { "x-for": "{{ user }}" }, pace: { headersMs: 20 } });
  const reply = await post(context, chatBody({ stream }));
  expect(reply).toMatchObject({
    status: 200,
    headers: { "content-type": "application/json", "x-for": "Hi" },
    delayMs: 20,
  });
  expect(bodyOf(reply)).toEqual(body);
});

test.each([[null], [[]], ["text"], [false], [0]])("answers with the body %j", async (body) => {
  const reply = await post(replying({ body, status: 502 }));
  expect(reply).toMatchObject({ status: 502, body: { text: JSON.stringify(body) } });
});

test.each([
  [1, 300, 250],
  [10, 30, 25],
  [0, 0, 0],
])(
  "waits before the head, and the first piece from there on, at speed %d",
  async (speed, head, first) => {
    const reply: ScriptReply = { content: "Yes", pace: { headersMs: 300, firstTokenMs: 250 } };
    const answer = await streamed(reply, {}, { speed });
    expect(answer.delayMs ?? 0).toBe(head);
    expect(streamOf(answer).frames[0]?.at).toBe(first);
    expect((await post(replying(reply, { speed }))).delayMs).toBe(head + first);
    const error = { status: 500, message: "No." };
    const { pace = {} } = reply;
    expect((await post(replying({ error, pace }, { speed }))).delayMs).toBe(head + first);
  },
);

const slow: ScriptReply = { content: "abcdef", pace: { gapMs: 100, by: 1, firstTokenMs: 100 } };

test.each([1, 4, 0])(
  "breaks a stream off at a time, after the same events at speed %d",
  async (speed) => {
    const fault = { kind: "reset", afterMs: 250 } as const;
    const { frames, end } = streamOf(await streamed({ ...slow, fault }, {}, { speed }));
    expect(frames.map(({ at }) => at * (speed || 1))).toEqual(
      speed === 0 ? [0, 0, 0] : [100, 100, 200],
    );
    expect(end).toMatchObject({ how: "reset", at: speed === 0 ? 0 : 250 / speed, fault: "reset" });
  },
);

test("lets a fault at a later time than the end take the place of the last event", async () => {
  const stream = streamOf(await streamed({ content: "a", fault: { kind: "stall", afterMs: 900 } }));
  expect(textsOf(stream).join("")).not.toContain("[DONE]");
  expect(stream).toMatchObject({ end: { how: "hang", at: 900 } });
});

test("breaks the next event after a time", async () => {
  const fault = { kind: "malformed", afterMs: 250 } as const;
  const broken = textsOf(streamOf(await streamed({ ...slow, fault }))).filter(
    (text) => text.startsWith("data: {") && !text.endsWith("}\n\n"),
  );
  expect(broken).toEqual([expect.stringContaining('"content":"c"')]);
});

test("breaks a JSON reply off at a time after its head", async () => {
  const pace = { headersMs: 100, gapMs: 1000, by: 1 };
  const fault = { kind: "cut", afterMs: 300 } as const;
  const reply = await post(replying({ content: "abc", pace, fault }, { speed: 2 }));
  expect(reply.delayMs).toBe(50);
  const stream = streamOf(reply);
  expect(stream.end).toMatchObject({ how: "close", at: 150 });
  expect(textsOf(stream).join("")).toMatch(/^\{"id":/);
  const failing = { kind: "error", afterMs: 300 } as const;
  const failed = await post(replying({ content: "abc", pace, fault: failing }, { speed: 2 }));
  expect(failed).toMatchObject({ status: 500, delayMs: 200 });
});

test.each([
  [`"body": {}, "content": "a"`, `"content" has no effect beside "body". Remove one of the two.`],
  [`"body": {}, "chunks": ["a"]`, `"chunks" has no effect beside "body". Remove one of the two.`],
  [`"body": {}, "toolCalls": [{ "name": "a" }]`, `"toolCalls" has no effect beside "body".`],
  [`"body": {}, "extra": {}`, `"extra" has no effect beside "body".`],
  [
    `"body": {}, "error": { "status": 400, "message": "a" }`,
    `"body" has no effect beside "error".`,
  ],
  [
    `"error": { "status": 400, "message": "a" }, "extra": {}`,
    `"extra" has no effect beside "error".`,
  ],
  [`"status": 500, "content": "a"`, `"status" needs body: a reply is always 200`],
  [`"status": 204, "body": {}`, `"status" 204 has no body in HTTP; give another status.`],
  [
    `"content": "a", "chunks": ["a"]`,
    `"content" and chunks both give the text; remove one of the two.`,
  ],
  [
    `"content": "a", "extra": { "body": { "choices": [] } }`,
    `"choices" cannot stand in extra.body`,
  ],
  [
    `"choices": [{ "content": "a" }], "extra": { "delta": {} }`,
    `move it into the extra of each choice.`,
  ],
  [`"content": "a", "extra": { "boddy": {} }`, `Unknown key "boddy". Did you mean "body"?`],
  [`"toolCalls": [{ "name": "a", "input": "b" }]`, `"input" is what a custom tool takes.`],
  [
    `"toolCalls": [{ "type": "custom", "name": "a", "arguments": {} }]`,
    `A custom tool takes "input", a text, and no "arguments".`,
  ],
  [`"toolCalls": [{ "type": "custom", "name": "a" }]`, `"input" is missing`],
  [`"chunks": ["a", { "comment": "a", "times": 2 }]`, `"times" needs everyMs`],
  [
    `"chunks": ["a", { "base64": "8J+" }]`,
    `Expected bytes in base64, such as "8J+R", but found "8J+".`,
  ],
  [
    `"content": "a", "fault": { "kind": "cut", "afterChunks": 1, "afterMs": 1 }`,
    `AfterChunks and afterMs both say when it happens; remove one of the two.`,
  ],
  [
    `"content": "a", "fault": { "kind": "hang", "afterMs": 1 }`,
    `"afterMs" has no effect on a hang`,
  ],
  [
    `"content": "a", "fault": { "kind": "noDone", "afterMs": 1 }`,
    `"afterMs" has no effect on noDone; remove it.`,
  ],
])("refuses %s", async (text, message) => {
  const problems = await problemsOfText(`{ "chats": [{ "reply": { ${text} } }] }`);
  expect(problems).toEqual([expect.stringContaining(message)]);
  expect(problems[0]).toMatch(/^db\.json:1:\d+: /);
});
