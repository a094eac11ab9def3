import OpenAI from "openai";
import { expect } from "vitest";
import {
  answered,
  askedFor,
  reading,
  recordedFixtures,
  saying,
  streamed,
} from "../support/cassettes.ts";
import { contract } from "../support/contract.ts";
import { asking, completions, contractModels } from "../support/contract-chats.ts";
import { readToEnd, readUntil } from "../support/read-stream.ts";
import { ask, send } from "../support/requests.ts";

const hello = { json: asking("Hello") };
const strict = { strict: true, apiKeys: ["k"] } as const;

contract("a recorded answer comes byte by byte, whoever asks", async (transport) => {
  const text = '{ "said": 1.0,\r\n "é": "\\u00e9" }';
  const answer = answered({
    status: 418,
    headers: { "content-type": "application/json; charset=x", "x-made-by": "pot" },
    body: { text },
  });
  const fixtures = recordedFixtures({ chat: [[askedFor("Hello"), answer]] });
  await using service = await transport.open(fixtures, { apiKeys: ["another"] });
  const { status, headers, text: got } = await ask(service, completions, hello);
  expect([status, got]).toEqual([418, text]);
  expect(headers.get("content-type")).toBe("application/json; charset=x");
  expect(headers.get("x-made-by")).toBe("pot");
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.get("access-control-expose-headers")).toBe("x-made-by");
  expect(await service.log.settled(1)).toMatchObject({
    status: 418,
    answeredBy: 'cassette "talk" 1',
  });
});

contract("bytes that are not text come as they were", async (transport) => {
  const headers = { "content-type": "application/octet-stream" };
  const answer = answered({ headers, body: { base64: "AP+A" } });
  const fixtures = recordedFixtures({ tables: [[reading("/blobs/1"), answer]] });
  await using service = await transport.open(fixtures);
  const response = await send(service, "GET /rest/blobs/1");
  expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0, 255, 128]);
});

contract("a recorded stream comes event by event, at once with speed 0", async (transport) => {
  const parts = [
    [3_600_000, 'data: {"é":1}\n\n'],
    [7_200_000, ": still there\n\ndata: [DONE]\n\n"],
  ] as const;
  const answer = streamed(parts, { afterMs: 1_800_000, end: { atMs: 9_000_000, how: "close" } });
  const fixtures = recordedFixtures({ chat: [[askedFor("Hello", { stream: true }), answer]] });
  await using service = await transport.open(fixtures, { speed: 0 });
  const response = await send(service, completions, { json: asking("Hello", { stream: true }) });
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const text = 'data: {"é":1}\n\n: still there\n\ndata: [DONE]\n\n';
  expect(await readToEnd(response)).toEqual({ text, error: undefined });
  expect(await service.log.settled(1)).toMatchObject({ chunksSent: 2, aborted: false });
});

contract("a stream breaks where the recorded one did", async (transport) => {
  const answer = streamed([[1, "data: 1\n\n"]], { end: { atMs: 2, how: "reset" } });
  const fixtures = recordedFixtures({ chat: [[askedFor("Hello"), answer]] });
  await using service = await transport.open(fixtures);
  const { text, error } = await readToEnd(await send(service, completions, hello));
  expect(text).toBe("data: 1\n\n");
  expect(error).toBeInstanceOf(TypeError);
});

contract("a connection breaks that broke before it said anything", async (transport) => {
  const fixtures = recordedFixtures({
    chat: [[askedFor("Hello"), answered({ status: 0, headers: {} })]],
  });
  await using service = await transport.open(fixtures);
  await expect(send(service, completions, hello)).rejects.toThrow(TypeError);
  expect(await service.log.settled(1)).toMatchObject({ status: 0, aborted: false });
});

contract("a stream hangs where the recorded one did, until its client goes", async (transport) => {
  const answer = streamed([[0, "data: 1\n\n"]], { end: { atMs: 0, how: "hang" } });
  const fixtures = recordedFixtures({ chat: [[askedFor("Hello"), answer]] });
  await using service = await transport.open(fixtures);
  const leaving = new AbortController();
  const response = await send(service, completions, { ...hello, signal: leaving.signal });
  const reader = response.body?.getReader();
  expect(reader === undefined ? "" : await readUntil(reader, "1\n\n")).toBe("data: 1\n\n");
  leaving.abort();
  expect(await service.log.settled(1)).toMatchObject({ chunksSent: 1, aborted: true });
});

contract(
  "the same request is answered in the recorded order, by session, and ever after by the last",
  async (transport) => {
    const fixtures = recordedFixtures({
      chat: [1, 2, 3].map((said) => [askedFor("Hello"), saying(said)]),
    });
    await using service = await transport.open(fixtures);
    const say = async (session = ""): Promise<unknown> =>
      (await ask(service, `POST ${session}/v1/chat/completions`, hello)).body;
    expect(await say()).toEqual({ said: 1 });
    // Begins as the base session is.
    expect([await say("/@one"), await say("/@one")]).toEqual([{ said: 2 }, { said: 3 }]);
    expect([await say(), await say(), await say()]).toEqual([
      { said: 2 },
      { said: 3 },
      { said: 3 },
    ]);
    await service.inside.reset();
    expect(await say()).toEqual({ said: 1 });
  },
);

contract("recorded rows come before the tables, and the tables after them", async (transport) => {
  const fixtures = recordedFixtures(
    { tables: [[reading("/users", "limit=1&sort_by=id"), saying("recorded")]] },
    { tables: { users: [{ id: 1 }] } },
  );
  await using service = await transport.open(fixtures);
  const { body, headers } = await ask(service, "GET /rest/users?sort_by=id&limit=1");
  expect(body).toEqual({ said: "recorded" });
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect((await ask(service, "GET /v1/rest/users?limit=1")).body).toEqual({ result: [{ id: 1 }] });
});

contract("a changed prompt never gets the recorded answer", async (transport) => {
  const fixtures = recordedFixtures({ chat: [[askedFor("Hello"), saying("recorded")]] });
  await using service = await transport.open(fixtures, strict);
  for (const user of ["hello", "Hello ", "Hell", "Hello\u0000", ""]) {
    const { status, body } = await ask(service, completions, { json: asking(user), token: "k" });
    expect([status, body]).toMatchObject([404, { error: { code: "not_recorded" } }]);
  }
  const other = { token: "k", json: { ...asking("Hello"), temperature: 0 } };
  expect((await ask(service, completions, other)).status).toBe(404);
  expect((await ask(service, completions, hello)).body).toEqual({ said: "recorded" });
});

contract("what is volatile is not looked at, and the order of keys is not", async (transport) => {
  const fixtures = recordedFixtures({
    chat: [[askedFor("Hello", { user: "u1", seed: 1 }), saying("recorded")]],
    rules: { volatile: ["body.user", "body.messages.*.name"] },
  });
  await using service = await transport.open(fixtures, strict);
  const body = `{"seed":1,
    "messages":[{"name":"x","content":"Hello","role":"user"}], "model":"atlas"}`;
  expect((await ask(service, completions, { body })).body).toEqual({ said: "recorded" });
});

contract("strictness names the closest recording and what differs", async (transport) => {
  const fixtures = recordedFixtures({
    chat: [
      [askedFor("Tell me of the sea."), saying(1)],
      [askedFor("What is the weather in Paris today?"), saying(2)],
    ],
  });
  await using service = await transport.open(fixtures, strict);
  const { clientFetch, baseUrl } = service;
  const client = new OpenAI({
    apiKey: "k",
    baseURL: `${baseUrl}/v1`,
    fetch: clientFetch,
    dangerouslyAllowBrowser: true,
  });
  const asked = client.chat.completions.create({
    model: "atlas",
    messages: [{ role: "user", content: "What is the weather in Rome today?" }],
  });
  const error: unknown = await asked.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OpenAI.NotFoundError);
  expect(error).toMatchObject({ code: "not_recorded" });
  expect((error as Error).message).toBe(
    `404 Cannot answer POST /chat/completions: this request is not recorded. The closest is recording 2 of the cassette "talk", but:
  body.messages.0.content
    recorded: "What is the weather in Paris today?"
    sent:     "What is the weather in Rome today?"
Record it, or name what may differ in "volatile".`,
  );
  expect(await service.log.settled(1)).toMatchObject({
    answeredBy: 'not recorded (closest: cassette "talk" 2)',
  });
});

contract(
  "scripts and tables still answer what is not recorded, strict or not",
  async (transport) => {
    const fixtures = recordedFixtures(
      { chat: [[askedFor("Hello"), saying(1)]], tables: [[reading("/pets"), saying(2)]] },
      {
        models: contractModels,
        tables: { users: [{ id: 1 }] },
        chats: [{ when: { user: "weather" }, reply: { content: "Rain." } }],
      },
    );
    await using service = await transport.open(fixtures, { strict: true });
    const weather = await ask(service, completions, { json: asking("weather") });
    expect(weather.body).toMatchObject({ choices: [{ message: { content: "Rain." } }] });
    expect((await ask(service, "GET /rest/users")).status).toBe(200);
    expect((await ask(service, "GET /v1/models")).status).toBe(200);
    const pet = await ask(service, "GET /rest/pets/1");
    expect([pet.status, pet.body]).toMatchObject([404, { code: "not_recorded" }]);
    expect(pet.text).toContain(String.raw`path\n    recorded: /pets\n    sent:     /pets/1`);
    expect(pet.headers.get("access-control-allow-origin")).toBe("*");
  },
);

contract("without strictness what is not recorded is answered as ever", async (transport) => {
  const fixtures = recordedFixtures({ chat: [[askedFor("Hello"), saying(1)]] });
  await using service = await transport.open(fixtures);
  const { body } = await ask(service, completions, { json: asking("Bye") });
  expect(body).toMatchObject({ choices: [{ message: { content: "Echo: Bye" } }] });
  expect((await ask(service, "GET /rest/none")).body).toMatchObject({ code: "unknown_table" });
});

contract("strictness refuses in the envelope of starbasedb", async (transport) => {
  const fixtures = recordedFixtures({ tables: [[reading("/users"), saying("recorded")]] });
  const settings = { strict: true, profiles: { tables: "starbasedb" } } as const;
  await using service = await transport.open(fixtures, settings);
  expect((await ask(service, "GET /rest/users")).body).toEqual({ said: "recorded" });
  const { status, body } = await ask(service, "GET /rest/users?limit=1");
  expect(status).toBe(404);
  expect(body).toEqual({ error: expect.stringMatching(/query\.limit\n {4}recorded: nothing/) });
});

contract("recordings of paths that the interface does not have are replayed", async (transport) => {
  const request = { method: "POST", path: "/embeddings", body: { json: { input: "a" } } };
  const fixtures = recordedFixtures({ chat: [[request, saying([0.5])]] });
  await using service = await transport.open(fixtures, { strict: true });
  const { body } = await ask(service, "POST /v1/embeddings", { json: { input: "a" } });
  expect(body).toEqual({ said: [0.5] });
  const other = await ask(service, "POST /v1/embeddings", { json: { input: "b" } });
  expect(other.body).toMatchObject({ error: { code: "not_recorded" } });
});
