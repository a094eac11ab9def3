import { setImmediate } from "node:timers/promises";
import { setupServer } from "msw/node";
import { createEmulator, type Emulator } from "../../../../src/index.ts";
import { handlers } from "../../../../src/fronts/msw/index.ts";

const faulty = ["hang", "stall"].map((kind) => ({
  name: kind,
  when: { user: kind },
  reply: { content: "one two three", fault: { kind } },
}));

/** Answers that do not end in the time that a client gives them. */
const fixtures = {
  tables: { users: [{ id: 1, name: "Ada" }] },
  chat: { load: { model: "crowded", capacity: 1, queue: 1 } },
  chats: [
    ...faulty,
    {
      name: "early stall",
      when: { user: "early" },
      reply: { content: "one", fault: { kind: "stall", afterChunks: 0 } },
    },
    {
      name: "waits",
      when: { user: "waits" },
      reply: { chunks: ["one", { wait: 3_600_000 }, "two"] },
    },
    {
      name: "slow",
      when: { user: "slow" },
      reply: { content: "one two", pace: { gapMs: 3_600_000, by: "word" } },
    },
    { name: "whole", reply: { content: "one two three" } },
  ],
} as const;

/** How a client asks, and what the journal says of it afterwards. */
interface Case {
  readonly name: string;
  readonly ended: readonly string[];
  readonly ask: (client: Client) => Promise<unknown>;
}

interface Client {
  readonly emulator: Emulator;
  readonly chat: (user: string, init: RequestInit & ChatInit) => Promise<Response>;
}

interface ChatInit {
  readonly stream?: boolean;
  readonly model?: string;
}

/** Its timer alone keeps no process running. */
const soon = (): AbortSignal => AbortSignal.timeout(100);

async function read(asked: Promise<Response>): Promise<unknown> {
  try {
    return await (await asked).text();
  } catch (error) {
    return error instanceof Error ? error.name : error;
  }
}

function left(user: string, ended: string): readonly Case[] {
  return [true, false].map((stream) => ({
    name: `${user}, ${stream ? "a stream" : "at once"}`,
    ended: [ended],
    ask: ({ chat }) => read(chat(user, { stream, signal: soon() })),
  }));
}

/** Each is left by a timeout, whose error the client gets. */
export const cases: readonly Case[] = [
  ...left("hang", "hung"),
  ...left("stall", "stalled"),
  ...left("early", "stalled"),
  ...left("waits", "aborted"),
  ...left("slow", "aborted"),
  {
    name: "a signal that follows others",
    ended: ["hung"],
    ask: ({ chat }) =>
      read(chat("hang", { signal: AbortSignal.any([new AbortController().signal, soon()]) })),
  },
  {
    name: "a planned hang",
    ended: ["hung"],
    ask: ({ emulator, chat }) => {
      emulator.faults.add({ fault: "hang", times: 1 });
      return read(chat("whole", { signal: soon() }));
    },
  },
  {
    name: "a planned delay",
    ended: ["aborted"],
    ask: ({ emulator, chat }) => {
      emulator.faults.add({ delayMs: 600_000, times: 1 });
      return read(chat("whole", { signal: soon() }));
    },
  },
  {
    name: "a body that nobody reads",
    ended: ["stalled"],
    ask: async ({ chat }) => {
      const signal = soon();
      const response = await chat("stall", { stream: true, signal });
      await new Promise((resolve) => {
        signal.addEventListener("abort", resolve);
      });
      return read(Promise.resolve(response));
    },
  },
  {
    name: "a place in the queue, while the chat before it hangs",
    ended: ["hung", "aborted"],
    ask: async ({ chat }) => {
      const first = new AbortController();
      const hanging = read(chat("hang", { model: "crowded", signal: first.signal }));
      const waited = await read(chat("whole", { model: "crowded", signal: soon() }));
      first.abort();
      await hanging;
      return waited;
    },
  },
];

/** What came of a case: what its client got, and how the journal says that it ended. */
export interface Outcome {
  readonly got: unknown;
  readonly ended: readonly string[];
}

/** What should come of it. */
export function expected({ ended }: Case): Outcome {
  return { got: "TimeoutError", ended };
}

/** Asks, is left by the client, and looks. */
export async function tryCase({ ask }: Case, client: Client): Promise<Outcome> {
  const { journal } = client.emulator;
  // What the first chat loads takes long.
  await read(client.chat("whole", {}));
  journal.clear();
  const got = await ask(client);
  // Msw tells the client of its timeout at once, even while the answer is still being made.
  for (;;) {
    const ended = journal.list().map((entry) => entry.ended);
    if (!ended.includes("pending")) return { got, ended };
    await setImmediate();
  }
}

/** An emulator, asked by its own `fetch` or through msw. */
export async function clientOf(way: "fetch" | "msw"): Promise<Client & Disposable> {
  const emulator: Emulator = await createEmulator({ fixtures, auth: false });
  const server = way === "msw" ? setupServer(...handlers(emulator)) : undefined;
  server?.listen();
  const ask = server === undefined ? emulator.fetch : fetch;
  return {
    emulator,
    chat: (content, { stream = false, model = "m", ...init }) => {
      const body = JSON.stringify({ model, stream, messages: [{ role: "user", content }] });
      return ask("http://service.test/v1/chat/completions", { method: "POST", body, ...init });
    },
    [Symbol.dispose]: () => server?.close(),
  };
}
