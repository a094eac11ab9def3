import OpenAI from "openai";
import { expect, test } from "vitest";
import { answerChat } from "../../src/chat/answer-chat.ts";
import type { ChatContext } from "../../src/chat/context.ts";
import type { Reply } from "../../src/http/reply.ts";
import { call } from "../support/calls.ts";
import { chatContext, model, replying } from "./support.ts";

const base = "http://backlot.test/v1";

/** The real client, its requests answered here. */
function client(context: ChatContext): OpenAI {
  return new OpenAI({
    baseURL: base,
    apiKey: "local-key",
    maxRetries: 2,
    fetch: async (input, init) => {
      const request = new Request(input instanceof URL ? input.href : input, init);
      const path = request.url.slice(base.length);
      const body = await request.text();
      const headers = Object.fromEntries(request.headers);
      const asked = call(request.method, path, { headers, ...(body === "" ? {} : { body }) });
      return response(await answerChat(asked, path, context));
    },
  });
}

function response({ status, headers, body }: Reply): Response {
  if (body.kind === "text") return new Response(body.text, { status, headers });
  if (body.kind !== "stream") return new Response(null, { status, headers });
  const text = body.stream.frames.map(({ data }) => String(data)).join("");
  return new Response(text, { status, headers });
}

const hello = [{ role: "user" as const, content: "Hi" }];

test("the client reads a completion", async () => {
  const answer = await client(replying({ content: "Hello" })).chat.completions.create({
    model: "atlas",
    messages: hello,
  });
  expect(answer.choices[0]?.message.content).toBe("Hello");
  expect(answer).toMatchObject({ _request_id: "req_1" });
});

test("the client puts a stream of tool calls together", async () => {
  const toolCalls = [
    { name: "get_weather", arguments: { city: "Oslo" } },
    { name: "get_time", arguments: {} },
  ];
  const context = replying({ content: "Let me see", toolCalls });
  const stream = client(context).chat.completions.stream({
    model: "atlas",
    messages: hello,
    stream_options: { include_usage: true },
  });
  const { choices, usage } = await stream.finalChatCompletion();
  expect(choices[0]?.finish_reason).toBe("tool_calls");
  expect(choices[0]?.message.content).toBe("Let me see");
  expect(choices[0]?.message.tool_calls?.map((each) => JSON.stringify(each))).toEqual([
    expect.stringContaining(String.raw`"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"`),
    expect.stringContaining('"name":"get_time","arguments":"{}"'),
  ]);
  expect(usage?.total_tokens).toBeGreaterThan(0);
});

test("the client lists and retrieves models", async () => {
  const context = chatContext({ models: [model("org/model:v1"), model("other")] });
  const ids: string[] = [];
  for await (const each of client(context).models.list()) ids.push(each.id);
  expect(ids).toEqual(["org/model:v1", "other"]);
  expect(await client(context).models.retrieve("org/model:v1")).toMatchObject({
    id: "org/model:v1",
  });
});

test("the client throws the right error at once for what no script matches", async () => {
  const asked = client(chatContext({ unmatched: "error" })).chat.completions.create({
    model: "atlas",
    messages: hello,
  });
  const error = await asked.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(OpenAI.NotFoundError);
  expect(error).toMatchObject({ status: 404, code: "no_script_matched", requestID: "req_1" });
});
