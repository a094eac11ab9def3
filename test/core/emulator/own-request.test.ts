import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createEmulator } from "../../../src/index.ts";

const emulator = await createEmulator({
  fixtures: {
    tables: { users: [{ id: 1, name: "Ada" }] },
    chats: [{ reply: { chunks: ["one", { wait: 600_000 }, "two"] } }],
  },
  auth: false,
});

/** Another library's request, as far as such libraries go. */
function foreign(url: string, others: object = {}): Request {
  const headers = new Map<string, string>([["content-type", "application/json"]]);
  const request: unknown = { url, method: "GET", headers, bodyUsed: false, ...others };
  return request as Request;
}

/** The readers of a body where there are no blobs. */
const asText = (body: string): object => ({
  text: () => Promise.resolve(body),
  arrayBuffer: () => Promise.reject(new Error("could not read as ArrayBuffer")),
});

test("answers a request that has only what the oldest libraries give it", async () => {
  const response = await emulator.fetch(foreign("/rest/users/1"));
  expect(await response.json()).toEqual({ result: [{ id: 1, name: "Ada" }] });
});

test("reads a body that only comes as text", async () => {
  const request = foreign("http://localhost/rest/users/1", {
    method: "PUT",
    ...asText('{"name":"Bö"}'),
  });
  expect((await emulator.fetch(request)).status).toBe(200);
  expect(emulator.tables.users.get(1)?.name).toBe("Bö");
});

test("lets the second argument change another library's request", async () => {
  const request = foreign("http://localhost/rest/users/1");
  const response = await emulator.fetch(request, { method: "OPTIONS" });
  expect(response.status).toBe(204);
});

test("takes an address of another realm", async () => {
  const url: unknown = runInNewContext("new URL(path)", {
    URL: class extends URL {},
    path: "http://localhost/rest/users/1",
  });
  expect((await emulator.fetch(url as URL)).status).toBe(200);
});

/** A signal of a polyfill: an event, and whether it has come. */
class OldSignal extends EventTarget {
  aborted = false;
  abort(): void {
    this.aborted = true;
    this.dispatchEvent(new Event("abort"));
  }
}

const stream = {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "Hi" }] }),
};

test.for(["as an option", "of a request"])(
  "ends with a signal of a polyfill: %s",
  async (where) => {
    const old = new OldSignal();
    const unknown: unknown = old;
    const signal = unknown as AbortSignal;
    const url = "http://localhost/v1/chat/completions";
    const response =
      where === "as an option"
        ? await emulator.fetch(url, { ...stream, signal })
        : await emulator.fetch(foreign(url, { method: "POST", signal, ...asText(stream.body) }));
    old.abort();
    await expect(response.text()).rejects.toMatchObject({ name: "AbortError" });
    await expect(emulator.fetch(url, { ...stream, signal })).rejects.toMatchObject({
      name: "AbortError",
    });
  },
);
