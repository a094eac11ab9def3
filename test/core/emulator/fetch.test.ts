import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";
import { readUntil } from "../../support/read-stream.ts";
import { ObserverLog } from "../../support/observer-log.ts";

const fixtures = {
  tables: { users: [{ id: 1, name: "Ada" }] },
  chats: [
    {
      name: "slow",
      when: { user: "slow" },
      reply: { chunks: ["first", { wait: 3_600_000 }, "second"] },
    },
    {
      name: "large",
      when: { user: "large" },
      reply: { content: "word ".repeat(20_000), pace: { by: "word" } },
    },
  ],
} as const;

function chat(user: string, init: RequestInit = {}): RequestInit {
  const body = JSON.stringify({
    model: "x",
    stream: true,
    messages: [{ role: "user", content: user }],
  });
  return { method: "POST", headers: { authorization: "Bearer k" }, body, ...init };
}

test.each([
  ["a relative address", "/rest/users"],
  ["an absolute address", "https://api.example.com/v1/rest/users"],
  ["a URL", new URL("https://api.example.com/rest/users")],
  ["a request", new Request("https://api.example.com/rest/users")],
])("takes %s", async (_, input) => {
  const emulator = await createEmulator({ fixtures, auth: false });
  const response = await emulator.fetch(input);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ result: [{ id: 1, name: "Ada" }] });
});

test("lets the init win over the request, as fetch does", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  const request = new Request("http://x/rest/users/1", { method: "DELETE" });
  const response = await emulator.fetch(request, { method: "GET" });
  expect([response.status, emulator.tables.users.size]).toEqual([200, 1]);
});

test("takes a request's body over, as fetch does, and one without a body again and again", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  const read = new Request("http://localhost/rest/users");
  for (let time = 0; time < 2; time++) expect((await emulator.fetch(read)).status).toBe(200);
  const write = new Request("http://localhost/rest/nobody", { method: "POST", body: "{}" });
  expect((await emulator.fetch(write)).status).toBe(404);
  await expect(emulator.fetch(write)).rejects.toThrow(TypeError);
});

test("answers where it is called without its object, as an SDK calls its option fetch", async () => {
  const { fetch } = await createEmulator({ fixtures, auth: false });
  expect((await fetch("/rest/users")).status).toBe(200);
});

test.each([
  ["an address that is none", "http://"],
  ["a method that is none", "/rest/users", { method: "NOT A METHOD" }],
  ["a header that is none", "/rest/users", { headers: { "bad name": "x" } }],
])("rejects with a TypeError for %s, as fetch does", async (_, input, init?: RequestInit) => {
  const emulator = await createEmulator({ fixtures });
  await expect(emulator.fetch(input, init)).rejects.toBeInstanceOf(TypeError);
});

test("rejects with the signal's reason when it is aborted", async () => {
  const log = new ObserverLog();
  const emulator = await createEmulator({ fixtures, observer: log });
  const reason = new Error("not wanted");
  await expect(
    emulator.fetch(new Request("http://x/rest/users", { signal: AbortSignal.abort(reason) })),
  ).rejects.toBe(reason);
  expect(log.records).toEqual([]);
});

test("goes on without the request's signal where the init takes it away, as fetch does", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  const request = new Request("http://x.test/rest/users", { signal: AbortSignal.abort() });
  expect((await emulator.fetch(request, { signal: null })).status).toBe(200);
});

test("answers a body that breaks off instead of failing", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"na')),
    pull: (controller) => controller.error(new Error("cable pulled")),
  });
  const init = {
    method: "POST",
    body,
    duplex: "half",
    headers: { "content-type": "application/json" },
  } as const;
  const response = await emulator.fetch("/rest/users", init);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: "incomplete_body" });
});

test("stops reading a body that is over the limit", async () => {
  const emulator = await createEmulator({ fixtures, auth: false, bodyLimit: 1_000 });
  let pulled = 0;
  const body = new ReadableStream({
    pull: (controller) => {
      pulled += 1;
      controller.enqueue(new Uint8Array(400));
    },
  });
  const init = {
    method: "POST",
    body,
    duplex: "half",
    headers: { "content-type": "application/json" },
  } as const;
  const response = await emulator.fetch("/rest/users", init);
  expect(response.status).toBe(413);
  expect(pulled).toBeLessThan(8);
});

test("plays a stream only as fast as it is read", async () => {
  const log = new ObserverLog();
  const emulator = await createEmulator({ fixtures, observer: log });
  const response = await emulator.fetch("/v1/chat/completions", chat("large"));
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  const { chunksSent, aborted } = await log.settled(1);
  expect(aborted).toBe(true);
  expect(chunksSent).toBeLessThan(2_000);
});

test("follows the signal of a request that nobody refers to any more", async () => {
  const log = new ObserverLog();
  const emulator = await createEmulator({ fixtures, observer: log });
  const leaving = new AbortController();
  const response = await emulator.fetch(
    new Request("http://x/v1/chat/completions", chat("slow", { signal: leaving.signal })),
  );
  const reader = response.body?.getReader();
  if (reader !== undefined) await readUntil(reader, "first");
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  for (let round = 0; round < 5; round++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  leaving.abort();
  expect(await log.settled(1)).toMatchObject({ aborted: true, chunksSent: 2 });
});

test("answers 500 and tells the observer when it fails itself", async () => {
  const log = new ObserverLog();
  const emulator = await createEmulator({ fixtures, auth: false, observer: log });
  const broken = new Error("broken on purpose");
  Object.defineProperty(emulator.core.state.database, "table", {
    value: () => {
      throw broken;
    },
  });
  const response = await emulator.fetch("/rest/users");
  expect(response.status).toBe(500);
  expect(response.headers.get("x-should-retry")).toBe("false");
  expect(await response.json()).toMatchObject({ code: "emulator_failure" });
  expect(log.takeFailures()).toEqual([broken]);
});

test("tells the observer what was asked and answered", async () => {
  const log = new ObserverLog();
  const emulator = await createEmulator({ fixtures, auth: false, clock: 5_000, observer: log });
  await emulator.fetch("/v1/rest/users/1?name=%41da");
  expect(log.records).toEqual([
    {
      at: 5_000,
      interface: "tables",
      method: "GET",
      path: "/v1/rest/users/1",
      query: "name=%41da",
      status: 200,
      answeredBy: "GET users: 1 row",
      durationMs: expect.any(Number),
      chunksSent: 0,
      aborted: false,
    },
  ]);
});

test("starts anew from other fixtures, or keeps the old ones when they do not fit", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  const other = await createEmulator({ fixtures: { tables: { things: [{ id: 1 }] } } });
  emulator.core.load(other.core.fixtures);
  expect((await emulator.fetch("/rest/things/1")).status).toBe(200);
  expect((await emulator.fetch("/rest/users")).status).toBe(404);
  expect(() => emulator.tables.users.size).toThrow(
    expect.objectContaining({ code: "ERR_TABLE_UNKNOWN" }),
  );
});

test("rejects with ERR_FIXTURES_INVALID and every problem for fixtures that do not fit", async () => {
  const wrong: unknown = { tabels: {}, chats: [{ name: "x", reply: { contnet: "y" } }] };
  await expect(createEmulator({ fixtures: wrong })).rejects.toMatchObject({
    name: "EmulatorError",
    code: "ERR_FIXTURES_INVALID",
    problems: [
      expect.objectContaining({ message: expect.stringContaining('"tables"') }),
      expect.objectContaining({ message: expect.stringContaining('"content"') }),
    ],
  });
});
