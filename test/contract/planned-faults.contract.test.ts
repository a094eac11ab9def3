import { expect } from "vitest";
import { contract } from "../support/contract.ts";
import { asking, completions, contractModels, fixedClock } from "../support/contract-chats.ts";
import { leaveOnceAsked } from "../support/leaving.ts";
import { ask, type Answer, send } from "../support/requests.ts";
import type { Service, Transport } from "../support/transports.ts";

const fixtures = {
  models: contractModels,
  tables: {
    users: [
      { id: 1, name: "Ada" },
      { id: 2, name: "Alan" },
    ],
    orders: [{ id: 1 }],
  },
  chats: [{ name: "it", reply: { content: "Hi" } }],
};
const fixed = { seed: 7, clock: fixedClock } as const;
const chat = { json: asking("Hello") };

function open(transport: Transport, settings: object = {}): Promise<Service> {
  return transport.open(fixtures, { ...fixed, ...settings });
}

/** Asks the control API, as a caller of this machine. */
function control(service: Service, line: string, json?: unknown): Promise<Answer> {
  const asked = { headers: { host: "localhost" }, token: null };
  return ask(service, line, json === undefined ? asked : { ...asked, json });
}

async function plan(service: Service, rule: object): Promise<void> {
  expect((await control(service, "POST /__backlot/faults", rule)).status).toBe(201);
}

contract(
  "a status that is planned comes in the tables' envelope, so many times",
  async (transport) => {
    await using service = await open(transport);
    const rule = { interface: "tables", status: 503, retryAfterMs: 1500, times: 2 };
    const planned = await control(service, "POST /__backlot/faults", rule);
    expect([planned.status, planned.body]).toEqual([201, { id: "fault 1", ...rule, left: 2 }]);
    const failed = await ask(service, "POST /rest/users", { json: { name: "Grace" } });
    expect([failed.status, failed.body]).toEqual([
      503,
      { error: "This request fails as planned by fault 1.", code: "planned_fault" },
    ]);
    expect(failed.headers.get("retry-after-ms")).toBe("1500");
    expect(failed.headers.get("retry-after")).toBe("2");
    expect(failed.headers.get("access-control-expose-headers")).toBe("retry-after-ms, retry-after");
    expect((await ask(service, "GET /v1/rest/orders")).status).toBe(503);
    const fine = await ask(service, "POST /rest/users", { json: { name: "Grace" } });
    expect(fine.body).toMatchObject({ result: { data: { id: 3 } } });
  },
);

contract("a status that is planned comes in chat's envelope", async (transport) => {
  await using service = await open(transport);
  const message = "The engine is overloaded.";
  const rule = { interface: "chat", status: 429, message, retryAfterMs: 20, times: 1 };
  await plan(service, rule);
  expect((await ask(service, "GET /rest/users")).status).toBe(200);
  const { status, body, headers } = await ask(service, completions, chat);
  expect(status).toBe(429);
  expect(body).toEqual({
    error: { message, type: "requests", param: null, code: "rate_limit_exceeded" },
  });
  expect(headers.get("retry-after-ms")).toBe("20");
  expect(headers.get("x-request-id")).toMatch(/^req_/);
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(await service.log.settled(2)).toMatchObject({ status: 429, answeredBy: "fault 1" });
});

contract("a status that is planned comes in the envelope of starbasedb", async (transport) => {
  await using service = await open(transport, { profiles: { tables: "starbasedb" } });
  await plan(service, { table: "users", status: 500, message: "No" });
  const failed = await ask(service, "GET /rest/USERS/1", { token: null });
  expect([failed.status, failed.text]).toEqual([500, '{"error":"No"}']);
  expect(failed.headers.get("access-control-allow-origin")).toBeNull();
  expect((await ask(service, "GET /rest/orders")).status).toBe(200);
});

contract("HEAD gets the status of a fault and no body", async (transport) => {
  await using service = await open(transport);
  await plan(service, { status: 503 });
  for (const path of ["/rest/users", "/v1/models"]) {
    const { status, text } = await ask(service, `HEAD ${path}`);
    expect([status, text]).toEqual([503, ""]);
  }
});

contract(
  "a connection that hangs by plan is never answered, and nothing is written",
  async (transport) => {
    await using service = await open(transport);
    await plan(service, { fault: "hang", method: "POST", times: 1 });
    const leaving = new AbortController();
    const json = { name: "Grace" };
    const answer = send(service, "POST /rest/users", { json, signal: leaving.signal });
    void leaveOnceAsked(service, leaving);
    await expect(answer).rejects.toMatchObject({ name: "AbortError" });
    expect(await service.log.settled(1)).toMatchObject({
      status: 0,
      aborted: true,
      answeredBy: "fault 1",
    });
    const { body } = await control(service, "GET /__backlot/requests");
    expect(body).toMatchObject({ requests: [{ body: json, status: 0, aborted: true }] });
    expect((await ask(service, "GET /rest/users")).body).toMatchObject({ result: { length: 2 } });
  },
);

for (const delayMs of [undefined, 5, { min: 1, max: 5 }, { median: 2, sigma: 0.5 }]) {
  const when = delayMs === undefined ? "at once" : `after ${JSON.stringify(delayMs)} ms`;

  contract(`a connection breaks by plan before the head, ${when}`, async (transport) => {
    await using service = await open(transport);
    await plan(service, { fault: "reset", ...(delayMs === undefined ? {} : { delayMs }) });
    await expect(send(service, completions, chat)).rejects.toThrow(TypeError);
    await expect(send(service, "GET /rest/users")).rejects.toThrow(TypeError);
    const told = { status: 0, aborted: false, chunksSent: 0, answeredBy: "fault 1" };
    await service.log.settled(2);
    expect(service.log.records).toMatchObject([told, told]);
  });
}

contract("a delay holds the usual answer back, and the write is done", async (transport) => {
  await using service = await open(transport);
  await plan(service, { delayMs: 5, times: 2 });
  const written = await ask(service, "POST /rest/users", { json: { name: "Grace" } });
  const answered = await ask(service, completions, chat);
  expect([written.status, answered.status]).toEqual([201, 200]);
  await service.log.settled(2);
  const [write, answer] = service.log.records;
  expect(write?.answeredBy).toBe("POST users: 1 row, delayed by fault 1");
  expect(answer?.answeredBy).toMatch(/^script "it".*, delayed by fault 1$/);
});

contract("a client that leaves during a delay is told of", async (transport) => {
  await using service = await open(transport);
  await plan(service, { delayMs: 60_000, status: 503 });
  const leaving = new AbortController();
  const answer = send(service, "GET /rest/users", { signal: leaving.signal });
  void leaveOnceAsked(service, leaving);
  await expect(answer).rejects.toMatchObject({ name: "AbortError" });
  expect(await service.log.settled(1)).toMatchObject({ aborted: true, answeredBy: "fault 1" });
});

contract("only what a rule says is hit: interface, method, path, table", async (transport) => {
  await using service = await open(transport);
  const hits = async (rule: object): Promise<readonly number[]> => {
    await plan(service, { status: 599, ...rule });
    const lines = [
      "GET /rest/users",
      "PATCH /v1/rest/users/1",
      "GET /rest/orders",
      "GET /v1/models",
    ];
    const found: number[] = [];
    for (const [index, line] of lines.entries()) {
      const json = line.startsWith("PATCH") ? { json: { name: "Ada" } } : {};
      if ((await ask(service, line, json)).status === 599) found.push(index);
    }
    await control(service, "DELETE /__backlot/faults");
    return found;
  };
  expect(await hits({})).toEqual([0, 1, 2, 3]);
  expect(await hits({ interface: "tables" })).toEqual([0, 1, 2]);
  expect(await hits({ interface: "chat" })).toEqual([3]);
  expect(await hits({ method: "PATCH" })).toEqual([1]);
  expect(await hits({ path: "/v1/" })).toEqual([1, 3]);
  expect(await hits({ table: "users" })).toEqual([0, 1]);
  expect(await hits({ table: "users", method: "GET", path: "/rest" })).toEqual([0]);
});

contract("the control API is never hit", async (transport) => {
  await using service = await open(transport);
  await plan(service, { status: 503 });
  expect((await control(service, "GET /__backlot/health")).status).toBe(200);
  expect((await ask(service, "GET /rest/users")).status).toBe(503);
});

contract("faults are those of one session", async (transport) => {
  await using service = await open(transport);
  await control(service, "POST /@one/__backlot/faults", { status: 503, path: "/rest" });
  expect((await ask(service, "GET /rest/users")).status).toBe(200);
  expect((await ask(service, "GET /@one/rest/users")).status).toBe(503);
  const headers = { "x-backlot-session": "one" };
  expect((await ask(service, "GET /rest/users", { headers })).status).toBe(503);
  const base = await control(service, "GET /__backlot/faults");
  expect(base.body).toEqual({ faults: [] });
});

contract("one fault is taken out by its id, and those of a reset are gone", async (transport) => {
  await using service = await open(transport);
  for (const status of [500, 501]) await plan(service, { status });
  expect((await control(service, "DELETE /__backlot/faults/fault%201")).status).toBe(204);
  expect((await ask(service, "GET /rest/users")).status).toBe(501);
  await control(service, "POST /__backlot/reset", { scope: ["tables"] });
  expect((await ask(service, "GET /rest/users")).status).toBe(501);
  await control(service, "POST /__backlot/reset", { scope: ["faults"] });
  expect((await ask(service, "GET /rest/users")).status).toBe(200);
});

contract("the same seed has the same requests fail", async (transport) => {
  const rounds: string[] = [];
  for (let round = 0; round < 2; round += 1) {
    await using service = await open(transport);
    await plan(service, { status: 500, probability: 0.3 });
    await plan(service, { status: 503, probability: 0.3 });
    const statuses: number[] = [];
    for (let at = 0; at < 30; at += 1) {
      statuses.push((await ask(service, "GET /rest/users")).status);
    }
    rounds.push(statuses.join(" "));
  }
  expect(rounds[0]).toBe(rounds[1]);
  expect(new Set(rounds[0]?.split(" ")).size).toBe(3);
});

contract("a rule that does not fit is refused with all that is wrong", async (transport) => {
  await using service = await open(transport);
  const rule = { table: "user", fault: "cutt", stauts: 503 };
  const { status, body } = await control(service, "POST /__backlot/faults", rule);
  expect(status).toBe(400);
  expect(body).toMatchObject({
    error: {
      code: "fault_refused",
      problems: [{ path: "fault" }, { path: "stauts" }, { path: "table" }],
    },
  });
  expect((await control(service, "GET /__backlot/faults")).body).toEqual({ faults: [] });
});
