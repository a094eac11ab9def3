import { expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../../src/index.ts";
import { readUntil } from "../../support/read-stream.ts";

const fixtures = { tables: { users: [{ id: 1, name: "Ada" }] } };

interface Reading {
  /** Reads until a request with this query has ended, and gives the events so far. */
  readonly untilQuery: (query: string) => Promise<readonly string[]>;
  readonly cancel: () => Promise<void>;
}

async function watch({ fetch }: Pick<Emulator, "fetch">, session = ""): Promise<Reading> {
  const response = await fetch(`${session}/__backlot/requests/live`);
  const reader = response.body?.getReader();
  if (reader === undefined) throw new Error("The response has no body.");
  let text = "";
  return {
    untilQuery: async (query) => {
      const end = new RegExp(`^id: .*\ndata: .*"query":"${query}"`, "m");
      while (!end.test(text)) text += await readUntil(reader, "\n\n");
      return [...text.matchAll(/^event: (\w+)\nid: (\d+)$/gm)].map(
        ([, name, id]) => `${name} ${id}`,
      );
    },
    cancel: () => reader.cancel(),
  };
}

const anew = ["request 1", "cleared 0", "request 1"];

test.each<[string, (emulator: Pick<Emulator, "session" | "fetch">) => unknown]>([
  ["gave way to another one", ({ fetch }) => fetch("/@two/rest/users")],
  ["was begun anew", ({ session }) => session("one", {})],
])("goes on when the session that it watches %s", async (_, end) => {
  const emulator = await createEmulator({ fixtures, auth: false, maxSessions: 1 });
  const live = await watch(emulator, "/@one");
  await emulator.fetch("/@one/rest/users");
  await end(emulator);
  await emulator.fetch("/@one/rest/users?id=1");
  expect(await live.untilQuery("id=1")).toEqual(anew);
  await live.cancel();
});

test("goes on when other fixtures are loaded", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  const live = await watch(emulator);
  await emulator.fetch("/rest/users");
  emulator.core.load(emulator.core.fixtures);
  await emulator.fetch("/rest/users?id=1");
  expect(await live.untilQuery("id=1")).toEqual(["request 1", "request 2"]);
  await live.cancel();
});

test("tells nothing of what ends late in a session that is gone", async () => {
  const slow = { name: "slow", reply: { content: "a", pace: { firstTokenMs: 30 } } };
  const emulator = await createEmulator({ fixtures: { ...fixtures, chats: [slow] }, auth: false });
  const live = await watch(emulator, "/@one");
  const body = '{"model":"x","messages":[{"role":"user","content":"x"}]}';
  const late = emulator.fetch("/@one/v1/chat/completions?late=1", { method: "POST", body });
  const headers = { host: "localhost" };
  await emulator.fetch("/__backlot/sessions/one", { method: "DELETE", headers });
  await late;
  await emulator.fetch("/@one/rest/users?id=1");
  expect(await live.untilQuery("id=1")).toEqual(["cleared 0", "request 1"]);
  await live.cancel();
});

test("is told by any number of streams at once, each until it is cancelled", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  const [first, second] = [await watch(emulator), await watch(emulator)];
  await emulator.fetch("/rest/users?id=1");
  expect(await first.untilQuery("id=1")).toEqual(["request 1"]);
  await first.cancel();
  await emulator.fetch("/rest/users?id=2");
  expect(await second.untilQuery("id=2")).toEqual(["request 1", "request 2"]);
  await second.cancel();
});

test("ends with the signal of whoever asked for it", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  const asking = new AbortController();
  const { signal } = asking;
  const response = await emulator.fetch("/__backlot/requests/live", { signal });
  asking.abort(new Error("enough"));
  await emulator.fetch("/rest/users");
  await expect(response.text()).rejects.toThrow("enough");
});

test("tells a reader that is far behind how many events it missed", async () => {
  const emulator = await createEmulator({ fixtures, auth: false });
  const { body: stream } = await emulator.fetch("/__backlot/requests/live?bodies=true");
  const body = JSON.stringify({ name: "x".repeat(9_000_000) });
  const headers = { "content-type": "application/json" };
  for (let count = 0; count < 5; count++) {
    await emulator.fetch("/rest/users", { method: "POST", headers, body });
  }
  let missed = 0;
  for await (const part of stream?.pipeThrough(new TextDecoderStream()) ?? []) {
    missed = Number(/^event: missed\ndata: \{"count":(\d+)\}$/m.exec(part.slice(-100))?.[1] ?? 0);
    if (missed > 0) break;
  }
  expect(missed).toBeGreaterThan(1);
});

test("tells and lists the requests of all sessions, where that is asked for", async () => {
  const { fetch } = await createEmulator({ fixtures, auth: false });
  const live = await fetch("/@watcher/__backlot/requests/live?sessions=all");
  const reader = live.body?.getReader();
  if (reader === undefined) throw new Error("The response has no body.");
  await fetch("/@one/rest/users?a=1");
  await fetch("/__backlot/sessions/one", { method: "DELETE", headers: { host: "localhost" } });
  await fetch("/rest/users?a=2");
  await fetch("/@two/rest/users?a=3");
  const told = await readUntil(reader, '"query":"a=3"');
  expect(told).toContain('"session":"one"');
  expect(told).not.toContain("event: cleared");
  await reader.cancel();
  const list = await fetch("/@watcher/__backlot/requests?sessions=all&last=2");
  const { requests } = (await list.json()) as { readonly requests: readonly object[] };
  expect(requests).toMatchObject([
    { session: null, query: "a=2" },
    { session: "two", query: "a=3" },
  ]);
});
