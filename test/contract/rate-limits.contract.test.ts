import { expect } from "vitest";
import { contract } from "../support/contract.ts";
import { asking, completions, contractModels, fixedClock } from "../support/contract-chats.ts";
import { ask } from "../support/requests.ts";

const models = contractModels;
const fixed = { seed: 7, clock: fixedClock } as const;
const chats = [{ name: "any", reply: { content: "one two three four five six" } }];

contract("refuses a request beyond the limit, and says when to come again", async (transport) => {
  const fixtures = { models, chats, limits: { requestsPerMinute: 2 } };
  await using service = await transport.open(fixtures, { seed: 7 });
  const statuses: number[] = [];
  for (let count = 0; count < 2; count++) {
    statuses.push((await ask(service, completions, { json: asking("Hello") })).status);
  }
  const refused = await ask(service, completions, { json: asking("Hello") });
  expect([...statuses, refused.status]).toEqual([200, 200, 429]);
  expect(refused.body).toMatchObject({
    error: { type: "requests", code: "rate_limit_exceeded", param: null },
  });
  const wait = Number(refused.headers.get("retry-after-ms"));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(30_000);
  expect(refused.headers.get("retry-after")).toBe(String(Math.ceil(wait / 1000)));
});

contract("does not have a client wait for a clock that stands still", async (transport) => {
  const fixtures = { models, chats, limits: { requestsPerMinute: 1 } };
  await using service = await transport.open(fixtures, fixed);
  await ask(service, completions, { json: asking("Hello") });
  const refused = await ask(service, completions, { json: asking("Hello") });
  expect(refused.status).toBe(429);
  expect(refused.text).toContain("The clock is stopped: waiting does not help.");
  expect(refused.headers.get("x-should-retry")).toBe("false");
  expect(refused.headers.has("retry-after")).toBe(false);
  expect(refused.headers.has("retry-after-ms")).toBe(false);
});

contract("tells in headers what is left of each limit", async (transport) => {
  const limits = { requestsPerMinute: 60, tokensPerMinute: 6000 };
  await using service = await transport.open({ models, chats, limits }, fixed);
  const { headers } = await ask(service, completions, { json: asking("Hello there") });
  const told = [...headers].filter(([name]) => name.startsWith("x-ratelimit-"));
  expect(Object.fromEntries(told)).toEqual({
    "x-ratelimit-limit-requests": "60",
    "x-ratelimit-limit-tokens": "6000",
    "x-ratelimit-remaining-requests": "59",
    "x-ratelimit-remaining-tokens": "5992",
    "x-ratelimit-reset-requests": "1s",
    "x-ratelimit-reset-tokens": "80ms",
  });
});

contract("counts the tokens of a reply, streamed or not, against the limit", async (transport) => {
  for (const stream of [false, true]) {
    const fixtures = { models, chats, limits: { tokensPerMinute: 10 } };
    await using service = await transport.open(fixtures, fixed);
    const json = asking("Hello there", { stream });
    const first = await ask(service, completions, { json });
    const second = await ask(service, completions, { json });
    expect([first.status, second.status]).toEqual([200, 200]);
    const third = await ask(service, completions, { json });
    expect(third.body).toMatchObject({ error: { type: "tokens", code: "rate_limit_exceeded" } });
  }
});

contract("uses up no turn of a script for a request that is refused", async (transport) => {
  const once = [{ name: "once", times: 1, reply: { content: "Only once" } }];
  const limits = { tokensPerMinute: 5 };
  await using service = await transport.open({ models, chats: once, limits }, fixed);
  const long = await ask(service, completions, { json: asking("a much longer message than that") });
  const short = await ask(service, completions, { json: asking("Hi") });
  expect(long.headers.get("x-should-retry")).toBe("false");
  expect(long.status).toBe(429);
  expect(short.text).toContain("Only once");
});

contract("counts no request that is not valid", async (transport) => {
  const limits = { requestsPerMinute: 1 };
  await using service = await transport.open({ models, chats, limits }, fixed);
  const wrong = await ask(service, completions, { json: asking("Hi", { temperature: 9 }) });
  const right = await ask(service, completions, { json: asking("Hi") });
  expect([wrong.status, right.status]).toEqual([400, 200]);
  expect([...wrong.headers.keys()].join()).not.toContain("ratelimit");
});

contract("gives limits back on reset", async (transport) => {
  const limits = { requestsPerMinute: 1 };
  await using service = await transport.open({ models, chats, limits }, fixed);
  await ask(service, completions, { json: asking("Hi") });
  await service.inside.reset();
  const { status } = await ask(service, completions, { json: asking("Hi") });
  expect(status).toBe(200);
});

contract(
  "answers as often as one likes without limits, and says nothing of any",
  async (transport) => {
    await using service = await transport.open({ models, chats }, fixed);
    const { headers } = await ask(service, completions, { json: asking("Hi") });
    expect([...headers.keys()].join()).not.toContain("ratelimit");
  },
);
