import { expect, test } from "vitest";
import { emulatorFrom, fixtureSetFrom } from "../../../src/core/emulator/emulator.ts";
import type { Upstream } from "../../../src/core/emulator/sockets/upstream.ts";
import { jsonReply } from "../../../src/core/http/reply.ts";
import { nodeExtras } from "../../../src/fronts/node/extras.ts";
import { ask, emulatorWith, eventsOf, typesOf } from "./support.ts";

const tools = [{ type: "function", name: "look", parameters: { type: "object", properties: {} } }];
const chats = [
  { when: { toolResult: { name: "look", content: "rain" } }, reply: { content: "It rains." } },
  { when: { turn: 2 }, reply: { content: "The third answer." } },
  { when: { user: "look" }, reply: { toolCalls: [{ name: "look", id: "call_1" }] } },
];

test("previous_response_id goes on with the whole conversation, without its instructions", async () => {
  const emulator = await emulatorWith(chats);
  const first = await ask(emulator, { model: "m", input: "One", instructions: "Be brief." });
  const second = await ask(emulator, {
    model: "m",
    input: "Two",
    previous_response_id: first.body.id,
  });
  const third = await ask(emulator, {
    model: "m",
    input: "Three",
    previous_response_id: second.body.id,
  });
  expect(third.body.output[0].content[0].text).toBe("The third answer.");
  expect(third.body.instructions).toBeNull();
  // A fork of an earlier answer is allowed.
  const fork = await ask(emulator, {
    model: "m",
    input: "Two again",
    previous_response_id: first.body.id,
  });
  expect(fork.body.output[0].content[0].text).toBe("Echo: Two again");
});

test("the result of a call that is kept, or that stands in the input, is named after its call", async () => {
  const emulator = await emulatorWith(chats);
  const output = { type: "function_call_output", call_id: "call_1", output: "rain" };
  const first = await ask(emulator, { model: "m", input: "look", tools });
  const chained = await ask(emulator, {
    model: "m",
    input: [output],
    previous_response_id: first.body.id,
  });
  expect(chained.body.output[0].content[0].text).toBe("It rains.");
  const inline = await ask(emulator, {
    model: "m",
    input: [{ role: "user", content: "look" }, ...first.body.output, output],
  });
  expect(inline.body.output[0].content[0].text).toBe("It rains.");
  const reference = { type: "item_reference", id: first.body.output[0].id };
  const referred = await ask(emulator, { model: "m", input: [reference, output] });
  expect(referred.body.output[0].content[0].text).toBe("It rains.");
});

test("the parts, steps and ids of a conversation are matched as chat completions are", async () => {
  const emulator = await emulatorWith([
    { when: { part: "input_image" }, reply: { content: "An image." } },
    { when: { part: "image_url" }, reply: { content: "Never." } },
    { when: { part: "file" }, reply: { content: "A file." } },
    { when: { toolResult: { id: "call_2" }, step: 2 }, reply: { content: "The second result." } },
    { when: { step: 0, turn: 1, assistant: "Well" }, reply: { content: "The next question." } },
    { when: { user: "look" }, reply: { toolCalls: [{ name: "look", id: "call_1" }] } },
  ]);
  const said = async (input: unknown): Promise<string> =>
    (await ask(emulator, { model: "m", input, tools })).body.output[0].content[0].text;
  const image = { type: "input_image", image_url: "data:image/png;base64,AA==" };
  const file = { type: "input_file", file_id: "file_1" };
  expect(await said([{ role: "user", content: [image] }])).toBe("An image.");
  expect(await said([{ role: "user", content: [file] }])).toBe("A file.");
  const calls = ["call_1", "call_2"].flatMap((id) => [
    { type: "function_call", call_id: id, name: "look", arguments: "{}" },
    { type: "function_call_output", call_id: id, output: "rain" },
  ]);
  expect(await said([{ role: "user", content: "look" }, ...calls])).toBe("The second result.");
  const turns = ["Hi", "Well.", "And?"].map((content, at) => ({
    role: at === 1 ? "assistant" : "user",
    content,
  }));
  expect(await said(turns)).toBe("The next question.");
});

test("a response is kept until it is deleted, with the items that it answered", async () => {
  const emulator = await emulatorWith([]);
  const { body } = await ask(emulator, {
    model: "m",
    input: [
      { role: "developer", content: "Be brief." },
      { role: "user", content: "Hi" },
    ],
  });
  const path = `/v1/responses/${body.id}`;
  expect((await ask(emulator, undefined, path)).body).toEqual(body);
  const list = (await ask(emulator, undefined, `${path}/input_items?order=asc&limit=1`)).body;
  expect(list).toMatchObject({
    object: "list",
    has_more: true,
    data: [
      { type: "message", role: "developer", content: [{ type: "input_text", text: "Be brief." }] },
    ],
  });
  const rest = await ask(
    emulator,
    undefined,
    `${path}/input_items?order=asc&after=${list.last_id}`,
  );
  expect(rest.body).toMatchObject({ has_more: false, data: [{ role: "user" }] });
  expect((await ask(emulator, {}, `${path}/cancel`)).status).toBe(400);
  expect((await ask(emulator, undefined, path, "DELETE")).body).toMatchObject({ deleted: true });
  for (const [method, below] of [
    ["GET", ""],
    ["DELETE", ""],
    ["GET", "/input_items"],
    ["POST", "/cancel"],
  ] as const) {
    const { status, body: refusal } = await ask(emulator, undefined, path + below, method);
    expect(status).toBe(404);
    expect(refusal.error.message).toContain(`Response with id '${body.id}' not found.`);
  }
});

test("the events of a kept response can be read again, from any number", async () => {
  const emulator = await emulatorWith(chats);
  const { body } = await ask(emulator, { model: "m", input: "look", tools });
  const events = async (query: string) => {
    const { fetch } = emulator;
    const headers = { authorization: "Bearer k" };
    const response = await fetch(`/v1/responses/${body.id}?${query}`, { headers });
    const text = await response.text();
    return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data));
  };
  const all = await events("stream=true");
  expect(typesOf(all)).toEqual([
    "created",
    "in_progress",
    "output_item.added",
    "function_call_arguments.delta",
    "function_call_arguments.done",
    "output_item.done",
    "completed",
  ]);
  expect(all.at(-1).response).toEqual(body);
  expect(await events("stream=true&starting_after=4")).toEqual(all.slice(5));
});

test("nothing is kept of store: false, nor of an answer that breaks off", async () => {
  const emulator = await emulatorWith([
    {
      when: { user: "cut" },
      reply: { id: "resp_cut", content: "Hello", fault: { kind: "cut", afterChunks: 5 } },
    },
  ]);
  const { body } = await ask(emulator, { model: "m", input: "Hi", store: false });
  expect((await ask(emulator, undefined, `/v1/responses/${body.id}`)).status).toBe(404);
  const chained = await ask(emulator, { model: "m", input: "Hi", previous_response_id: body.id });
  expect(chained.status).toBe(400);
  expect(chained.body.error.code).toBe("previous_response_not_found");
  await eventsOf(emulator, { model: "m", input: "cut" });
  expect((await ask(emulator, undefined, "/v1/responses/resp_cut")).status).toBe(404);
});

test("a session has responses of its own, and a reset forgets them", async () => {
  const emulator = await emulatorWith([]);
  const { body } = await ask(emulator, { model: "m", input: "Hi" });
  const path = `/v1/responses/${body.id}`;
  await ask(emulator, { model: "m", input: "Hi" }, "/@other/v1/responses");
  const snapshot = emulator.snapshot();
  emulator.reset();
  expect((await ask(emulator, undefined, path)).status).toBe(404);
  emulator.restore(snapshot);
  expect((await ask(emulator, undefined, path)).status).toBe(200);
});

test("a script that gives each response the same id makes no endless conversation", async () => {
  const emulator = await emulatorWith([{ reply: { id: "resp_same", content: "Yes." } }]);
  await ask(emulator, { model: "m", input: "One" });
  const again = { model: "m", input: "Two", previous_response_id: "resp_same" };
  expect((await ask(emulator, again)).status).toBe(200);
  expect((await ask(emulator, again)).status).toBe(200);
});

test("the tokens of a request can be counted without an answer", async () => {
  const emulator = await emulatorWith([]);
  const { body } = await ask(
    emulator,
    { model: "m", input: "Hello there" },
    "/v1/responses/input_tokens",
  );
  expect(body).toEqual({ object: "response.input_tokens", input_tokens: 2 });
});

test.each([
  [{ previous_response_id: "resp_of_the_service" }],
  [{ input: [{ type: "item_reference", id: "msg_of_the_service" }] }],
  [{ conversation: "conv_of_the_service" }],
  [{ prompt: { id: "pmpt_of_the_service" } }],
  [{ background: true }],
])("a real service is asked about what is not kept here: %j", async (more) => {
  const upstream: Upstream = {
    asked: "on-miss",
    answer: () => Promise.resolve(jsonReply(200, { from: "the service" })),
  };
  const settings = { profiles: { chat: "openai" } } as const;
  const set = await fixtureSetFrom({ chats: [{ reply: { content: "From here." } }] }, settings);
  const emulator = await emulatorFrom(set, settings, { extras: nodeExtras, upstream });
  expect((await ask(emulator, { model: "m", input: "Hi" })).body.output).toHaveLength(1);
  const { body } = await ask(emulator, { model: "m", input: "Hi", ...more });
  expect(body).toEqual({ from: "the service" });
});

test("compaction is refused by name, at a path that could be a response's", async () => {
  const emulator = await emulatorWith(chats);
  const asked = { model: "m", input: "One" };
  const { status, body } = await ask(emulator, asked, "/v1/responses/compact");
  expect(status).toBe(404);
  expect(body.error.message).toContain("compaction of a conversation");
});
