import { expect } from "vitest";
import { contract } from "../support/contract.ts";
import { asking, completions, contractModels, fixedClock } from "../support/contract-chats.ts";
import { leaveOnceAsked } from "../support/leaving.ts";
import { readToEnd, readUntil } from "../support/read-stream.ts";
import { ask, send } from "../support/requests.ts";
import type { Service, Transport } from "../support/transports.ts";

const settings = { seed: 7, clock: fixedClock } as const;
const streaming = { json: asking("Hello", { stream: true }) };
const whole = { json: asking("Hello") };

/** A service whose only script says one reply: four chunks and the end marker, when nothing goes wrong. */
function open(transport: Transport, reply: object): Promise<Service> {
  const said = { id: "chatcmpl-1", content: "Hi you", pace: { by: "word" }, ...reply };
  return transport.open({ models: contractModels, chats: [{ name: "it", reply: said }] }, settings);
}

function chunk(delta: string, finish = "null"): string {
  return (
    'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1704067200,"model":"atlas",' +
    `"system_fingerprint":null,"choices":[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finish}}]}\n\n`
  );
}

const role = chunk('{"role":"assistant","content":"","refusal":null}');
const hi = chunk('{"content":"Hi"}');
const you = chunk('{"content":" you"}');
const finish = chunk("{}", '"stop"');
const done = "data: [DONE]\n\n";
/** All events, in order. */
const events = [role, hi, you, finish, done];

function first(count: number): string {
  return events.slice(0, count).join("");
}

/** An event without the last character of its data. */
function broken(event: string): string {
  return event.replace(/.\n\n$/, "\n\n");
}

for (const [name, request] of Object.entries({ stream: streaming, JSON: whole })) {
  contract(
    `never answers a ${name} request that hangs, until its client goes`,
    async (transport) => {
      await using service = await open(transport, { fault: { kind: "hang" } });
      const leaving = new AbortController();
      const answer = send(service, completions, { ...request, signal: leaving.signal });
      void leaveOnceAsked(service, leaving);
      await expect(answer).rejects.toMatchObject({ name: "AbortError" });
      expect(await service.log.settled(1)).toMatchObject({
        status: 0,
        aborted: true,
        chunksSent: 0,
        answeredBy: 'script "it" reply 1',
      });
    },
  );

  contract(`breaks the connection of a ${name} request before the head`, async (transport) => {
    await using service = await open(transport, { fault: { kind: "reset" } });
    await expect(send(service, completions, request)).rejects.toThrow(TypeError);
    expect(await service.log.settled(1)).toMatchObject({
      status: 0,
      aborted: false,
      chunksSent: 0,
    });
  });
}

for (const afterChunks of [0, 1, 3, 4, 99]) {
  const sent = first(Math.min(afterChunks, 4));

  contract(`ends a stream too soon after ${afterChunks} chunks`, async (transport) => {
    await using service = await open(transport, { fault: { kind: "cut", afterChunks } });
    const response = await send(service, completions, streaming);
    expect(response.status).toBe(200);
    expect(await readToEnd(response)).toEqual({ text: sent, error: undefined });
    expect(await service.log.settled(1)).toMatchObject({ aborted: false });
  });

  contract(`sends an error in a stream after ${afterChunks} chunks`, async (transport) => {
    await using service = await open(transport, { fault: { kind: "error", afterChunks } });
    const { text } = await ask(service, completions, streaming);
    expect(text).toBe(
      `${sent}data: {"error":{"message":"The server had an error while processing your request. Please retry.",` +
        '"type":"server_error","param":null,"code":null}}\n\n',
    );
  });

  contract(
    `sends nothing more in a stream that stalls after ${afterChunks} chunks`,
    async (transport) => {
      await using service = await open(transport, { fault: { kind: "stall", afterChunks } });
      const leaving = new AbortController();
      const response = await send(service, completions, { ...streaming, signal: leaving.signal });
      expect(response.status).toBe(200);
      const reading = readToEnd(response);
      // Long enough for more to come.
      setTimeout(() => leaving.abort(), 100);
      const { text, error } = await reading;
      expect([text, error]).toEqual([sent, expect.objectContaining({ name: "AbortError" })]);
      const chunksSent = Math.min(afterChunks, 4);
      expect(await service.log.settled(1)).toMatchObject({
        aborted: true,
        chunksSent,
        status: 200,
      });
    },
  );
}

for (const afterChunks of [1, 3, 4, 99]) {
  contract(
    `breaks the connection after exactly ${afterChunks} chunks, at any speed`,
    async (transport) => {
      for (const gapMs of [0, 2]) {
        const pace = { gapMs, by: "word" };
        await using service = await open(transport, {
          fault: { kind: "reset", afterChunks },
          pace,
        });
        for (let count = 0; count < 5; count += 1) {
          const response = await send(service, completions, streaming);
          const { text, error } = await readToEnd(response);
          expect(text).toBe(first(Math.min(afterChunks, 4)));
          expect(error).toBeInstanceOf(TypeError);
        }
      }
    },
  );
}

for (const afterChunks of [0, 2, 3, 4, 99]) {
  const place = Math.min(afterChunks, 4);

  contract(`breaks the event after ${afterChunks} chunks, and goes on`, async (transport) => {
    await using service = await open(transport, { fault: { kind: "malformed", afterChunks } });
    const { text } = await ask(service, completions, streaming);
    expect(text).toBe(events.map((event, at) => (at === place ? broken(event) : event)).join(""));
  });

  contract(`sends the event after ${afterChunks} chunks twice`, async (transport) => {
    await using service = await open(transport, { fault: { kind: "duplicate", afterChunks } });
    const { text } = await ask(service, completions, streaming);
    expect(text).toBe(events.map((event, at) => (at === place ? event + event : event)).join(""));
  });
}

contract("leaves the finish chunk out", async (transport) => {
  await using noFinish = await open(transport, { fault: { kind: "noFinish" } });
  expect((await ask(noFinish, completions, streaming)).text).toBe(role + hi + you + done);
});

contract("leaves the end marker out", async (transport) => {
  await using noDone = await open(transport, { fault: { kind: "noDone" } });
  expect((await ask(noDone, completions, streaming)).text).toBe(role + hi + you + finish);
});

contract(
  "has faults happen at their place among the chunks, several of them",
  async (transport) => {
    const chunks = [
      { fault: "duplicate" },
      { comment: "ping" },
      "Hi",
      { fault: "malformed" },
      " you",
      { fault: "noFinish" },
      { fault: { kind: "error", error: { message: "Full", code: "full" } } },
      " never",
    ];
    await using service = await open(transport, { content: undefined, chunks });
    const { text } = await ask(service, completions, streaming);
    expect(text).toBe(
      `: ping\n\n${role}${role}${hi}${broken(you)}` +
        'data: {"error":{"message":"Full","type":"server_error","param":null,"code":"full"}}\n\n',
    );
  },
);

contract("sends what comes before a break in the chunks, comments too", async (transport) => {
  const chunks = [{ comment: "ping" }, { fault: "reset" }, "never"];
  await using service = await open(transport, { content: undefined, chunks });
  const { text, error } = await readToEnd(await send(service, completions, streaming));
  expect([text, error]).toEqual([": ping\n\n", expect.any(TypeError)]);
});

contract("breaks a JSON reply in the middle of its body", async (transport) => {
  await using service = await open(transport, { fault: { kind: "reset", afterChunks: 1 } });
  const response = await send(service, completions, whole);
  const { text, error } = await readToEnd(response);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(text).toMatch(/^\{"id":"chatcmpl-1",/);
  expect(error).toBeInstanceOf(TypeError);
});

for (const [afterChunks, part] of [
  [0, /^$/],
  [1, /^\{"id":"chatcmpl-1",.*[^}]$/],
] as const) {
  contract(`ends a JSON reply too soon after ${afterChunks} chunks`, async (transport) => {
    await using service = await open(transport, { fault: { kind: "cut", afterChunks } });
    const response = await send(service, completions, whole);
    const { text, error } = await readToEnd(response);
    expect([response.status, text, error]).toEqual([200, expect.stringMatching(part), undefined]);
  });
}

contract("stalls in the middle of a JSON reply until its client goes", async (transport) => {
  await using service = await open(transport, { fault: { kind: "stall", afterChunks: 1 } });
  const leaving = new AbortController();
  const response = await send(service, completions, { ...whole, signal: leaving.signal });
  const reader = response.body?.getReader();
  expect(reader && (await readUntil(reader, "chatcmpl-1"))).toMatch(/^\{"id":"chatcmpl-1",.*[^}]$/);
  leaving.abort();
  expect(await service.log.settled(1)).toMatchObject({ aborted: true });
});

contract("sends a JSON reply that is not JSON", async (transport) => {
  await using service = await open(transport, { fault: { kind: "malformed" } });
  const { text, error } = await readToEnd(await send(service, completions, whole));
  expect(error).toBeUndefined();
  expect(() => JSON.parse(text)).toThrow(SyntaxError);
  expect(JSON.parse(`${text}}`)).toMatchObject({ object: "chat.completion" });
});

contract("answers an error instead of a JSON reply", async (transport) => {
  const error = { message: "Full", type: "overloaded", code: "full", param: null };
  await using service = await open(transport, { fault: { kind: "error", error } });
  const { status, body } = await ask(service, completions, whole);
  expect({ status, body }).toEqual({ status: 500, body: { error } });
});

contract("gives no reason for the end of a JSON reply without a finish", async (transport) => {
  await using service = await open(transport, { fault: { kind: "noFinish" } });
  const { body } = await ask(service, completions, whole);
  expect(body).toMatchObject({
    choices: [{ finish_reason: null, message: { content: "Hi you" } }],
  });
});

for (const kind of ["duplicate", "noDone"]) {
  contract(`answers JSON as ever where ${kind} has no meaning`, async (transport) => {
    await using service = await open(transport, { fault: { kind } });
    const { status, body } = await ask(service, completions, whole);
    expect({ status, body }).toMatchObject({ status: 200, body: { choices: [{ index: 0 }] } });
  });
}

contract("draws from the seed whether a fault happens", async (transport) => {
  const outcomes: string[] = [];
  for (let run = 0; run < 2; run += 1) {
    await using service = await open(transport, { fault: { kind: "noDone", probability: 0.5 } });
    let marks = "";
    for (let count = 0; count < 20; count += 1) {
      const { text } = await ask(service, completions, streaming);
      marks += text.endsWith(done) ? "." : "x";
    }
    outcomes.push(marks);
  }
  const [once, again] = outcomes;
  expect(once).toMatch(/\..*x|x.*\./);
  expect(again).toBe(once);
});

for (const [probability, text] of [
  [0, first(5)],
  [1, first(4)],
] as const) {
  contract(
    `has a fault of probability ${probability} happen never or always`,
    async (transport) => {
      await using service = await open(transport, { fault: { kind: "noDone", probability } });
      for (let count = 0; count < 10; count += 1) {
        expect((await ask(service, completions, streaming)).text).toBe(text);
      }
    },
  );
}
