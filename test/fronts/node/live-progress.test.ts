import { expect, test } from "vitest";
import { startServer } from "../../../src/fronts/node/server.ts";
import { createEmulator, type JournalEntry } from "../../../src/index.ts";

const fixtures = {
  chats: [
    {
      name: "endless",
      reply: {
        chunks: ["Öne", { wait: 400 }, " two", { fault: "stall" }, " three"],
      },
    },
  ],
};

const asked = {
  method: "POST",
  headers: { authorization: "Bearer k", "content-type": "application/json" },
  body: JSON.stringify({
    model: "any",
    stream: true,
    messages: [{ role: "user", content: "Go on" }],
  }),
};

interface Progress {
  readonly requests: readonly (Pick<JournalEntry, "id" | "chunksSent" | "bytes"> & {
    readonly frames?: readonly { readonly data: string; readonly sentMs: number }[];
  })[];
  readonly elsewhere: number;
}

/** Reads live requests until what they have told is enough. */
async function toldBy(
  url: string,
  isEnough: (events: readonly (readonly [string, string])[]) => boolean,
): Promise<readonly (readonly [string, string])[]> {
  const response = await fetch(url);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let reads = 0; reads < 1000; reads++) {
    const { value = "", done } = (await reader?.read()) ?? { done: true };
    text += value;
    const events = [...text.matchAll(/^event: (\w+)\n(?:id: .*\n)?data: (.*)$/gm)].map(
      ([, name = "", data = ""]) => [name, data] as const,
    );
    if (done || isEnough(events)) {
      await reader?.cancel();
      return events;
    }
  }
  return [];
}

function progressIn(events: readonly (readonly [string, string])[]): readonly Progress[] {
  return events.flatMap(([name, data]) => (name === "progress" ? [JSON.parse(data)] : []));
}

test("tells how far an answer under way is, with its frames and bytes, and counts those elsewhere", async () => {
  const emulator = await createEmulator({ fixtures });
  const server = await startServer(emulator, { port: 0 });
  const leaving = new AbortController();
  const { signal } = leaving;
  const live = `${server.url}/__backlot/requests/live?bodies=true&progress=true`;
  const watching = toldBy(live, (events) => {
    const told = progressIn(events);
    const sent = told.flatMap(({ requests }) => requests).at(-1)?.chunksSent;
    return sent === 3 && told.at(-1)?.elsewhere === 1;
  });
  await expect.poll(() => emulator.core.sessions.base.journal.all.feed.listeners.length).toBe(1);
  const readers = [];
  for (const path of ["/v1/chat/completions", "/@other/v1/chat/completions"]) {
    const response = await fetch(server.url + path, { ...asked, signal });
    readers.push(response.text().catch(() => undefined));
  }
  const events = await watching;
  const entry = emulator.journal.list().at(-1);
  const last = progressIn(events)
    .flatMap(({ requests }) => requests)
    .at(-1);
  expect(last).toMatchObject({ id: entry?.id, chunksSent: 3 });
  expect(last?.frames?.at(-1)?.data).toContain(" two");
  const sent = entry?.response?.frames?.filter(({ sentMs }) => sentMs !== null) ?? [];
  const bytes = sent.reduce((size, { data }) => size + Buffer.byteLength(data), 0);
  expect([entry?.ended, entry?.bytes, last?.bytes]).toEqual(["pending", bytes, bytes]);
  leaving.abort();
  await Promise.all(readers);
  await server.close();
});

test("tells of no progress where nobody asked for it", async () => {
  const emulator = await createEmulator({ fixtures });
  const server = await startServer(emulator, { port: 0 });
  const leaving = new AbortController();
  const watching = toldBy(`${server.url}/__backlot/requests/live`, (events) => events.length > 1);
  await expect.poll(() => emulator.core.sessions.base.journal.all.feed.listeners.length).toBe(1);
  const chat = fetch(`${server.url}/v1/chat/completions`, { ...asked, signal: leaving.signal });
  const reading = chat.then((response) => response.text()).catch(() => undefined);
  await expect.poll(() => emulator.journal.list()[0]?.chunksSent).toBe(3);
  leaving.abort();
  await reading;
  expect((await watching).map(([name]) => name)).toEqual(["request", "request"]);
  await server.close();
});
