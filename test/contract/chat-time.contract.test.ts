import { expect } from "vitest";
import { contract } from "../support/contract.ts";
import { asking, completions, contractModels } from "../support/contract-chats.ts";
import { leaveOnceAsked } from "../support/leaving.ts";
import { readUntil, textChunks } from "../support/read-stream.ts";
import { ask, send } from "../support/requests.ts";

const models = contractModels;
const streaming = { json: asking("hi", { stream: true }) };

/** A chat of one reply. */
function saying(reply: object): { models: typeof models; chats: readonly object[] } {
  return { models, chats: [{ name: "it", reply }] };
}

contract("sends chunks one after another over time", async (transport) => {
  await using service = await transport.open(
    saying({ content: "a b c d e", pace: { gapMs: 150, by: "word" } }),
  );
  const asked = performance.now();
  const response = await send(service, completions, streaming);
  const chunks: string[] = [];
  for await (const chunk of textChunks(response)) chunks.push(chunk);
  expect(chunks.join("")).toMatch(/data: \[DONE\]\n\n$/);
  // A busy machine may join some of them, and may be late, but never early.
  expect(chunks.length).toBeGreaterThanOrEqual(2);
  expect(performance.now() - asked).toBeGreaterThanOrEqual(590);
});

contract("sends what comes before a wait while it lasts", async (transport) => {
  const chunks = ["first", { wait: 3_600_000 }, "second"];
  await using service = await transport.open(saying({ chunks }));
  const leaving = new AbortController();
  const response = await send(service, completions, { ...streaming, signal: leaving.signal });
  const reader = response.body?.getReader();
  expect(reader && (await readUntil(reader, "first"))).toContain('"content":"first"');
  leaving.abort();
  expect((await service.log.settled(1)).aborted).toBe(true);
});

contract("holds a JSON reply back as long as its stream would take", async (transport) => {
  await using service = await transport.open(
    saying({ content: "a b c", pace: { firstTokenMs: 60, gapMs: 20, by: "word" } }),
  );
  const start = performance.now();
  await ask(service, completions, { json: asking("hi") });
  // Timers may be a millisecond early.
  expect(performance.now() - start).toBeGreaterThanOrEqual(98);
});

contract("goes faster by the factor speed, and does not wait at all for 0", async (transport) => {
  const slow = saying({ chunks: ["a", { wait: 3_600_000 }, "b"] });
  await using service = await transport.open(slow, { speed: 0 });
  const { text } = await ask(service, completions, streaming);
  const json = await ask(service, completions, { json: asking("hi") });
  expect(text).toMatch(/"a".*"b".*\[DONE\]\n\n$/s);
  expect(json.body).toMatchObject({ choices: [{ message: { content: "ab" } }] });
});

contract("ends a stream whose client has gone, and says how much was sent", async (transport) => {
  const content = Array.from({ length: 200 }, (_, index) => `w${index}`).join(" ");
  await using service = await transport.open(saying({ content, pace: { gapMs: 15, by: "word" } }));
  const leaving = new AbortController();
  const response = await send(service, completions, { ...streaming, signal: leaving.signal });
  const reader = response.body?.getReader();
  const text = reader === undefined ? "" : await readUntil(reader, "w3");
  leaving.abort();
  const { status, aborted, chunksSent, answeredBy } = await service.log.settled(1);
  expect({ status, aborted }).toEqual({ status: 200, aborted: true });
  expect(answeredBy).toContain('"it"');
  expect(chunksSent).toBeGreaterThanOrEqual(text.split("\n\n").length - 1);
  expect(chunksSent).toBeLessThan(100);
});

contract("fails the read of a client that aborts in the middle of a stream", async (transport) => {
  await using service = await transport.open(
    saying({ chunks: ["first", { wait: 3_600_000 }, "second"] }),
  );
  const leaving = new AbortController();
  const response = await send(service, completions, { ...streaming, signal: leaving.signal });
  const rest = response.text();
  leaving.abort();
  await expect(rest).rejects.toMatchObject({ name: "AbortError" });
  await service.log.settled(1);
});

/** How a client gives up an answer that goes on for an hour. */
const leavings: Readonly<Record<string, (answer: Response, leaving: AbortController) => unknown>> =
  {
    "its abort": async ({ body }, leaving) => {
      const reader = body?.getReader();
      if (reader !== undefined) await readUntil(reader, "first");
      leaving.abort();
    },
    "the end of its reading": async ({ body }) => {
      const reader = body?.getReader();
      if (reader !== undefined) await readUntil(reader, "first");
      await reader?.cancel();
    },
    "a cancel before it reads": ({ body }) => body?.cancel(),
  };

for (const [how, leave] of Object.entries(leavings)) {
  for (const type of ["text/event-stream", "text/plain"]) {
    contract(`stops the source of a stream of ${type} on ${how}`, async (transport) => {
      const chunks = ["first", { wait: 3_600_000 }, "second"];
      const headers = { "content-type": type };
      await using service = await transport.open(saying({ chunks, headers }));
      const leaving = new AbortController();
      const signal = leaving.signal;
      await leave(await send(service, completions, { ...streaming, signal }), leaving);
      expect(await service.log.settled(1)).toMatchObject({ aborted: true, status: 200 });
    });
  }
}

contract("rejects a request that is aborted while its answer is held back", async (transport) => {
  await using service = await transport.open(saying({ content: "hi" }), { latency: 3_600_000 });
  const leaving = new AbortController();
  const answer = ask(service, completions, { json: asking("hi"), signal: leaving.signal });
  void leaveOnceAsked(service, leaving);
  await expect(answer).rejects.toMatchObject({ name: "AbortError" });
  expect(await service.log.settled(1)).toMatchObject({ aborted: true, chunksSent: 0 });
});

contract("rejects a request whose signal is aborted before it is sent", async (transport) => {
  await using service = await transport.open(saying({ content: "hi" }));
  const signal = AbortSignal.abort(new Error("not wanted"));
  const answer = ask(service, completions, { json: asking("hi"), signal });
  await expect(answer).rejects.toThrow("not wanted");
  expect(service.log.records).toEqual([]);
});

contract("records a stream that was read to its end with all its chunks", async (transport) => {
  await using service = await transport.open(saying({ content: "a b", pace: { by: "word" } }));
  const { text } = await ask(service, completions, streaming);
  const record = await service.log.settled(1);
  expect(record).toMatchObject({
    interface: "chat",
    method: "POST",
    path: "/v1/chat/completions",
    query: "",
    status: 200,
    answeredBy: 'script "it" reply 1',
    aborted: false,
    chunksSent: text.split("\n\n").length - 1,
  });
});

contract("holds every answer back by the latency", async (transport) => {
  await using service = await transport.open(
    { tables: { users: [{ id: 1 }] } },
    { latency: [40, 60] },
  );
  const start = performance.now();
  const { status } = await ask(service, "GET /rest/users");
  expect(status).toBe(200);
  expect(performance.now() - start).toBeGreaterThanOrEqual(39);
  expect(await service.log.settled(1)).toMatchObject({ aborted: false });
});

contract("records a stream that is held back by the latency as complete", async (transport) => {
  await using service = await transport.open(saying({ content: "hi" }), { latency: 5 });
  const { text } = await ask(service, completions, streaming);
  const { aborted, chunksSent } = await service.log.settled(1);
  expect([aborted, chunksSent]).toEqual([false, text.split("\n\n").length - 1]);
});

contract("keeps streams apart that run at different paces", async (transport) => {
  const chats = [20, 7, 13].map((gapMs) => ({
    name: `pace ${gapMs}`,
    when: { user: { equals: `pace ${gapMs}` } },
    reply: { content: `${gapMs} `.repeat(10), pace: { gapMs, by: "word" } },
  }));
  await using service = await transport.open({ models, chats });
  const texts = await Promise.all(
    chats.map(({ name }) => ask(service, completions, { json: asking(name, { stream: true }) })),
  );
  for (const [index, { text }] of texts.entries()) {
    const said = [...text.matchAll(/"content":"([^"]+)"/g)].map(([, piece]) => piece).join("");
    expect(said).toBe(chats[index]?.reply.content);
  }
});
