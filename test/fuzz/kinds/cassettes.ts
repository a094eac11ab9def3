import type { RecordedRequest } from "../../../src/core/recordings/cassette.ts";
import { bodyBytes } from "../../../src/core/recordings/recorded-body.ts";
import type { Emulator } from "../../../src/index.ts";
import { answerOf } from "../envelopes.ts";
import { FuzzFixtures, type SentFixtures } from "../loaded-fixtures.ts";
import type { FuzzKind, Problem } from "../fuzz-kind.ts";
import { anyJson, changedJson, jsonText, oddText } from "../odd-values.ts";
import { fixtureDocument } from "../random-fixtures.ts";
import type { Random } from "../random.ts";

const words =
  "name interface upstream recordings request answer method path query headers body json indent end text base64 status " +
  "afterMs stream atMs how close reset hang chat rest GET POST volatile redact stable regex flags as recording cassettes " +
  "body.messages.*.content query.nonce header.x-tenant content-type /chat/completions /users data: [DONE]";
const keys = words.split(" ");

/** Fixtures with cassettes: read, and asked what was recorded and what is near to it. */
export const cassettes: FuzzKind<SentFixtures> = {
  name: "cassette",
  make: (random) => {
    const isFolder = random.chance(0.3);
    const list = random.list(random.int(1, 3), () => cassetteFor(random));
    const rules = random.chance(0.4) ? { recording: rulesFor(random) } : {};
    const rest = random.chance(0.3) ? fixtureDocument(random) : {};
    const shared = { onDisk: random.chance(0.02), skipUnsupported: false };
    if (!isFolder) {
      const document = { ...rest, ...rules, cassettes: list };
      return {
        ...shared,
        layout: "document",
        files: [{ name: "db.json", text: textFor(random, document) }],
      };
    }
    const files = list.map((one, index) => ({
      name: `cassettes/${index}.json`,
      text: textFor(random, one),
    }));
    return {
      ...shared,
      layout: "folder",
      files: [...files, { name: "config.json", text: textFor(random, rules) }],
    };
  },
  open: () => Promise.resolve(new FuzzFixtures(askRecorded)),
};

function textFor(random: Random, part: unknown): string {
  let value = random.chance(0.01) ? anyJson(random, keys) : part;
  for (let changes = random.pick([0, 0, 1, 1, 2, 4]); changes > 0; changes--)
    value = changedJson(random, value, keys);
  return jsonText(random, value);
}

function cassetteFor(random: Random): object {
  const isChat = random.chance(0.5);
  return {
    ...(random.chance(0.2) ? { name: random.pick(["a", "0", "__proto__"]) } : {}),
    interface: isChat ? "chat" : "tables",
    upstream: "https://api.example.com/v1",
    recordings: random.list(random.int(0, 3), () => ({
      request: requestFor(random, isChat),
      answer: answerFor(random),
    })),
  };
}

function requestFor(random: Random, isChat: boolean): object {
  const asked = {
    model: "m",
    messages: [{ role: "user", content: random.pick(["Hello", "Hi", oddText(random)]) }],
    stream: random.chance(0.5),
  };
  return {
    method: isChat ? "POST" : random.pick(["GET", "POST", "PUT", "DELETE", "HEAD"]),
    path: isChat
      ? random.pick(["/chat/completions", "/models"])
      : random.pick(["/users", "/users/1", "/a%20b", "", "/x%ff"]),
    ...(random.chance(0.3)
      ? { query: random.pick(["a=1&b=2", "b=2&a=1", "nonce=5", "%ff=%zz", "=&&", "a"]) }
      : {}),
    ...(random.chance(0.3)
      ? {
          headers: {
            "x-tenant": random.pick(["acme", "é", "\t"]),
            ...(random.chance(0.3) ? { "content-type": "application/json" } : {}),
          },
        }
      : {}),
    ...(random.chance(0.7) ? { body: isChat ? { json: asked } : bodyFor(random) } : {}),
  };
}

function bodyFor(random: Random): object {
  return random.weighted<() => object>([
    [
      3,
      () => ({
        json: anyJson(random, keys, 3),
        ...(random.chance(0.2) ? { indent: random.int(1, 10), end: "\n" } : {}),
      }),
    ],
    [2, () => ({ text: random.chance(0.5) ? oddText(random) : '{"a":1, "a":2}' })],
    // Bytes that are no text, as a recorder writes them.
    [
      1,
      () => ({ base64: Buffer.from([0xff, ...Buffer.from(oddText(random))]).toString("base64") }),
    ],
  ])();
}

function answerFor(random: Random): object {
  const headers = {
    "content-type": random.pick(["application/json", "text/event-stream", "text/plain"]),
    ...(random.chance(0.2)
      ? {
          "content-length": "5",
          "transfer-encoding": "chunked",
          connection: "close",
          "set-cookie": "a=b",
        }
      : {}),
  };
  const parts = random.list(random.int(0, 4), (index) => ({
    atMs: index * 10 + 5,
    ...(random.chance(0.8) ? { text: `data: ${index}\n\n` } : { base64: "AP8=" }),
  }));
  const end = { atMs: 100, how: random.pick(["close", "reset", "hang"]) };
  return random.pick<object>([
    {
      status: random.pick([200, 201, 204, 304, 404, 429, 500, 599]),
      headers,
      afterMs: 5,
      body: bodyFor(random),
    },
    { status: 200, headers, afterMs: 5, stream: parts, ...(random.chance(0.5) ? { end } : {}) },
    { status: 0, headers: {}, afterMs: 5, ...(random.chance(0.5) ? { end } : {}) },
    { status: 200, headers, afterMs: 0 },
  ]);
}

function rulesFor(random: Random): object {
  const rules = {
    volatile: random.pick([
      ["body.messages.*.content"],
      ["query.nonce", "header.*"],
      ["body"],
      ["body.a\\.b", "body.*.*"],
      [],
    ]),
    headers: ["X-Tenant"],
    redact: [
      random.pick<object>([
        { path: "body.messages.*.content", as: "text" },
        { regex: "H(e|i)+", flags: "i", as: "word" },
        { path: "header.x-tenant", as: "tenant" },
      ]),
    ],
    stable: ["body.model"],
  };
  return Object.fromEntries(Object.entries(rules).filter(() => random.chance(0.5)));
}

/** Asks each recorded request again, and two that are near to it. */
async function askRecorded(emulator: Emulator): Promise<Problem> {
  const { cassettes: all, recording } = emulator.core.fixtures;
  // What is redacted is another request.
  const isTold = recording.redact.length === 0;
  for (const { interface: of, recordings } of all) {
    const statuses = new Set(recordingsOf(emulator, of).map(({ answer }) => answer.status));
    for (const { request } of recordings) {
      const status = await statusOf(emulator, of, request);
      if (typeof status === "string") return status;
      const isReplayed = statuses.has(status);
      if (isTold && !isReplayed && !mayBeAnother(request))
        return `a recorded request is answered ${status}: ${JSON.stringify(request).slice(0, 500)}`;
      for (const near of [
        { ...request, method: "PATCH" },
        { ...request, query: "x=%&y", body: { text: "{" } },
      ]) {
        const other = await statusOf(emulator, of, near);
        if (typeof other === "string") return other;
      }
    }
  }
  return undefined;
}

function recordingsOf(
  { core }: Emulator,
  of: string,
): readonly { readonly answer: { readonly status: number } }[] {
  return core.fixtures.cassettes
    .filter((one) => one.interface === of)
    .flatMap(({ recordings }) => recordings);
}

/** Paths of another interface, preflights, and halves of characters, which no request can send. */
function mayBeAnother({ method, path, body }: RecordedRequest): boolean {
  if (/\\ud[89a-f]/.test(JSON.stringify(body) ?? "")) return true;
  return (
    method === "OPTIONS" ||
    path.startsWith("/rest") ||
    path.startsWith("/@") ||
    path.includes("__backlot")
  );
}

async function statusOf(
  emulator: Emulator,
  of: "chat" | "tables",
  request: RecordedRequest,
): Promise<number | string> {
  const { method, path, query = "", headers = {}, body } = request;
  const bytes = body === undefined ? new Uint8Array() : bodyBytes(body);
  const exchange = await emulator.core.handle({
    method,
    path: of === "chat" ? path : `/rest${path}`,
    query,
    headers,
    readBody: () => Promise.resolve({ kind: "bytes", bytes }),
    signal: new AbortController().signal,
  });
  const answer = answerOf(method, exchange.reply);
  exchange.settle({ chunksSent: 0, aborted: false });
  return typeof answer === "string" ? answer : answer.status;
}
