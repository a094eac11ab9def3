import OpenAI from "openai";
import { expect } from "vitest";
import { hello, openaiClient, isOpenai6 } from "../../support/clients/openai.ts";
import { contract } from "../../support/contract.ts";
import { contractModels as models } from "../../support/contract-chats.ts";
import { leaveOnceAsked } from "../../support/leaving.ts";

const anHour = 3_600_000;

function saying(reply: object): { models: typeof models; chats: readonly object[] } {
  return { models, chats: [{ name: "it", reply }] };
}

/** One chunk, and the next in an hour. */
const slow = saying({ chunks: ["one", { wait: anHour }, "two"] });

contract("ends the stream when the openai client breaks out of it", async (transport) => {
  await using service = await transport.open(slow);
  const stream = await openaiClient(service).chat.completions.create({ ...hello, stream: true });
  for await (const chunk of stream) {
    if (chunk.choices[0]?.delta.content === "one") break;
  }
  expect(await service.log.settled(1)).toMatchObject({ aborted: true, chunksSent: 2 });
});

contract("ends the stream when the openai client's own controller aborts it", async (transport) => {
  await using service = await transport.open(slow);
  const stream = await openaiClient(service).chat.completions.create({ ...hello, stream: true });
  const seen: string[] = [];
  for await (const chunk of stream) {
    seen.push(chunk.choices[0]?.delta.content ?? "");
    if (seen.length === 2) stream.controller.abort();
  }
  expect(seen).toEqual(["", "one"]);
  expect(await service.log.settled(1)).toMatchObject({ aborted: true });
});

contract("ends the openai client's loop quietly when its signal aborts", async (transport) => {
  const chats = saying({ content: "one two", fault: { kind: "stall", afterChunks: 2 } });
  await using service = await transport.open(chats);
  const leaving = new AbortController();
  const stream = await openaiClient(service).chat.completions.create(
    { ...hello, stream: true },
    { signal: leaving.signal },
  );
  const seen: string[] = [];
  for await (const chunk of stream) {
    seen.push(chunk.choices[0]?.delta.content ?? "");
    if (seen.length === 2) leaving.abort();
  }
  expect(seen).toEqual(["", "one"]);
  expect(await service.log.settled(1)).toMatchObject({ aborted: true, chunksSent: 2 });
});

contract("rejects in the openai client's stream helper when it is aborted", async (transport) => {
  await using service = await transport.open(slow);
  const runner = openaiClient(service).chat.completions.stream(hello);
  runner.on("content", () => runner.abort());
  await expect(runner.done()).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
  expect(await service.log.settled(1)).toMatchObject({ aborted: true });
});

contract("rejects in the openai client when its signal aborts first", async (transport) => {
  const late = saying({ content: "late", pace: { firstTokenMs: anHour } });
  await using service = await transport.open(late);
  const leaving = new AbortController();
  const { signal } = leaving;
  const answer = openaiClient(service).chat.completions.create(hello, { signal });
  void leaveOnceAsked(service, leaving);
  await expect(answer).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
  expect(await service.log.settled(1)).toMatchObject({ aborted: true });
});

contract("lets the openai client run into its timeout when nothing comes", async (transport) => {
  const hanging = saying({ content: "never", fault: { kind: "hang" } });
  await using service = await transport.open(hanging);
  const client = openaiClient(service, { timeout: 20, maxRetries: 0 });
  const answer = client.chat.completions.create({ ...hello, stream: true });
  await expect(answer).rejects.toBeInstanceOf(OpenAI.APIConnectionTimeoutError);
  expect(await service.log.settled(1)).toMatchObject({ aborted: true, chunksSent: 0 });
});

contract("outlasts the openai client's timeout once there are headers", async (transport) => {
  const pausing = saying({ chunks: ["one", { wait: 150 }, " two"] });
  await using service = await transport.open(pausing);
  const client = openaiClient(service, { timeout: 100 });
  const stream = await client.chat.completions.create({ ...hello, stream: true });
  let text = "";
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
  expect(text).toBe("one two");
});

contract("keeps the openai client waiting after [DONE], or not", async (transport) => {
  const open = saying({ chunks: ["one", "two", { raw: "data: [DONE]\n\n" }, { fault: "stall" }] });
  await using service = await transport.open(open);
  const leaving = new AbortController();
  const stream = await openaiClient(service).chat.completions.create(
    { ...hello, stream: true },
    { signal: leaving.signal },
  );
  const seen: string[] = [];
  const reading = (async () => {
    for await (const chunk of stream) seen.push(chunk.choices[0]?.delta.content ?? "");
    return "over";
  })();
  const patience = new Promise((resolve) => setTimeout(resolve, 30, "waiting"));
  expect(await Promise.race([reading, patience])).toBe(isOpenai6 ? "waiting" : "over");
  expect(seen).toEqual(["", "one", "two"]);
  leaving.abort();
  await reading;
});

contract("counts the openai client's retries in the headers that it sends", async (transport) => {
  const busy = { error: { status: 429, message: "Slow down.", retryAfterMs: 1 } };
  const chats = [
    {
      name: "fourth",
      when: { header: { "x-stainless-retry-count": "3" } },
      reply: { content: "Now." },
    },
    { name: "before", reply: busy },
  ];
  await using service = await transport.open({ models, chats });
  const client = openaiClient(service, { maxRetries: 3 });
  const { choices } = await client.chat.completions.create(hello);
  expect(choices[0]?.message.content).toBe("Now.");
  await service.log.settled(4);
  expect(service.log.records.map(({ status }) => status)).toEqual([429, 429, 429, 200]);
});

contract(
  "gives the openai client the error after as many retries as allowed",
  async (transport) => {
    const busy = { error: { status: 429, message: "Slow down.", retryAfterMs: 1 } };
    await using service = await transport.open(saying(busy));
    const answer = openaiClient(service, { maxRetries: 4 }).chat.completions.create(hello);
    await expect(answer).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    await service.log.settled(5);
    expect(service.log.records).toHaveLength(5);
  },
);
