import { expect, test } from "vitest";
import { createEmulator, type Emulator, type Observer } from "../../../src/index.ts";
import { startServer } from "../../../src/fronts/node/server.ts";

test.each<[unknown, string]>([
  [{ exchange: () => {} }, 'there is no event "exchange". Did you mean "exchanged"?'],
  [{ exchanged: () => {}, error: () => {} }, "Use: exchanged, warned, failed."],
  [{ failed: "log" }, 'the option observer.failed: its value is "log". Give a function.'],
  [null, 'its value is null. Give an object with "exchanged", "warned" or "failed".'],
  ["log", 'Give an object with "exchanged", "warned" or "failed".'],
])("refuses the observer %j", async (observer, says) => {
  // As whoever writes JavaScript may give it.
  const making = createEmulator({ observer: observer as Observer });
  await expect(making).rejects.toMatchObject({
    code: "ERR_OPTION_INVALID",
    message: expect.stringContaining(says),
  });
});

class Counter implements Observer {
  count = 0;
  readonly exchanged = (): void => {
    this.count++;
  };
}

test("takes an observer that has a state of its own", async () => {
  const observer = new Counter();
  const emulator = await createEmulator({ observer, fixtures: { tables: { users: [] } } });
  await emulator.fetch("/rest/users");
  expect(observer.count).toBe(1);
});

const fixtures = {
  clock: "2024-01-01T00:00:00Z",
  seed: 1,
  tables: { users: [{ id: 1, name: "Ada" }] },
  chats: [
    { name: "broken", when: { user: "broken" }, reply: { fault: { kind: "reset" } } },
    { name: "slow", when: { user: "slow" }, reply: { content: "Hi.", pace: { firstTokenMs: 5 } } },
  ],
};

const chat = (user: string, stream = false): string =>
  JSON.stringify({ model: "x", stream, messages: [{ role: "user", content: user }] });
const completions = "/v1/chat/completions";

/** A request of each kind: method, path and body. */
const kinds: readonly (readonly [string, string, string?])[] = [
  ["GET", "/rest/users"],
  ["HEAD", "/rest/users/1"],
  ["OPTIONS", "/rest/users"],
  ["POST", "/rest/users", '{"name":"Grace"}'],
  ["PATCH", "/rest/users/1", "not JSON"],
  ["POST", "/rest/users", "[".repeat(5000) + "]".repeat(5000)],
  ["DELETE", "/@one/rest/users/1"],
  ["GET", `/@${"x".repeat(300)}/rest/users`],
  ["GET", "/nowhere"],
  ["GET", "/v1/models"],
  ["POST", completions, chat("Hi.")],
  ["POST", completions, chat("Hi.", true)],
  ["POST", completions, chat("slow", true)],
  ["POST", completions, chat("broken")],
  ["POST", completions, "[".repeat(400_000) + "]".repeat(400_000)],
  ["GET", "/__backlot/requests"],
];

/** What becomes of the requests of every kind, and of three for which faults are planned. */
async function answers(
  fetch: (path: string, init?: RequestInit) => Promise<Response>,
  { faults }: Emulator,
): Promise<readonly string[]> {
  const got: string[] = [];
  const ask = async ([method, path, body]: (typeof kinds)[number]): Promise<void> => {
    const headers = { "content-type": "application/json" };
    const init = { method, headers, ...(body === undefined ? {} : { body }) };
    try {
      const response = await fetch(path, init);
      const text = await response.text();
      got.push(`${response.status} ${path.includes("__backlot") ? text.length > 2000 : text}`);
    } catch (error) {
      got.push(String(error));
    }
  };
  for (const kind of kinds) await ask(kind);
  faults.add({ status: 503, times: 1 });
  faults.add({ fault: "reset", times: 1 });
  faults.add({ delayMs: 5, times: 1 });
  for (let count = 0; count < 3; count++) await ask(["GET", "/rest/users"]);
  return got;
}

async function answersOverHttp(emulator: Emulator): Promise<readonly string[]> {
  const { url, close } = await startServer(emulator, { port: 0 });
  const got = await answers((path, init) => fetch(url + path, init), emulator);
  await close();
  return got;
}

const fails = (): never => {
  throw new Error("of the observer");
};
const failsLater = async (): Promise<never> => fails();

test.each<[string, Observer]>([
  ["throws", { exchanged: fails }],
  ["rejects", { exchanged: failsLater }],
  ["throws when it is told of failures, too", { exchanged: fails, failed: fails }],
  ["rejects when it is told of failures, too", { exchanged: fails, failed: failsLater }],
])(
  "an observer that %s breaks no answer of any kind, in the process and over HTTP",
  async (_, observer) => {
    const plain = await createEmulator({ fixtures, auth: false });
    const watched = await createEmulator({ fixtures, auth: false, observer });
    expect(await answers(watched.fetch, watched)).toEqual(await answers(plain.fetch, plain));
    const statuses = plain.journal.list().map(({ status }) => status);
    expect(watched.journal.list().map(({ status }) => status)).toEqual(statuses);
    plain.reset();
    watched.reset();
    expect(await answersOverHttp(watched)).toEqual(await answersOverHttp(plain));
  },
);

test("what an observer throws is told to the same observer, once for each", async () => {
  const failures: unknown[] = [];
  const failed = (error: unknown): unknown => failures.push(error);
  for (const exchanged of [fails, failsLater]) {
    const emulator = await createEmulator({
      fixtures,
      auth: false,
      observer: { exchanged, failed },
    });
    await emulator.fetch("/rest/users");
  }
  expect(failures).toEqual([new Error("of the observer"), new Error("of the observer")]);
});

const faulty = (kind: string, afterChunks: number): object => ({
  name: kind,
  when: { user: kind },
  reply: { content: "One two three.", fault: { kind, afterChunks } },
});

test.each<[string, string | undefined]>([
  ["fine", undefined],
  ["cut", "fault cut after 2 chunks"],
  ["reset", "fault reset after 2 chunks"],
  ["error", "fault error after 2 chunks"],
  ["stall", "fault stall after 2 chunks"],
  ["slow", "left by the client after 0 chunks"],
  ["refused", "Cannot answer: the model `none` does not exist"],
  ["/rest/usres", 'There is no table "usres". Did you mean "users"?'],
])("an observer learns of %s why the client got no whole answer: %s", async (what, problem) => {
  const told: (string | undefined)[] = [];
  const { url, close } = await startServer(
    await createEmulator({
      fixtures: {
        tables: { users: [{ id: 1 }] },
        models: [{ id: "m" }],
        chats: [
          ...["cut", "reset", "error", "stall"].map((kind) => faulty(kind, 2)),
          { when: { user: "slow" }, reply: { chunks: [{ wait: 60_000 }, "late"] } },
        ],
      },
      auth: false,
      observer: { exchanged: (record) => void told.push(record.problem) },
    }),
    { port: 0 },
  );
  const leaving = new AbortController();
  const model = what === "refused" ? "none" : "m";
  const messages = [{ role: "user", content: what }];
  const chatting = { method: "POST", body: JSON.stringify({ model, stream: true, messages }) };
  const isChat = !what.startsWith("/");
  const answer = await fetch(url + (isChat ? completions : what), {
    ...(isChat ? chatting : {}),
    signal: leaving.signal,
  });
  const read = answer.text().catch(() => "broken");
  if (what === "stall" || what === "slow") {
    setTimeout(() => leaving.abort(), 200);
  }
  await read;
  await expect.poll(() => told).toHaveLength(1);
  await close();
  expect(told[0] ?? "nothing").toContain(problem ?? "nothing");
});
