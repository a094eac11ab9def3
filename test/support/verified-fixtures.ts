import type { Cassette, RecordedRequest, Recording } from "../../src/core/recordings/cassette.ts";
import { recordBody } from "../../src/core/recordings/recorded-body.ts";
import { createEmulator } from "../../src/index.ts";

const messages = [{ role: "user", content: "Hello" }];

/** What a small service has. */
export const serviceFixtures = {
  models: [{ id: "atlas", owned_by: "backlot", created: 1_714_521_600, kind: "chat" }],
  tables: {
    users: [
      { id: 1, name: "Ada", age: 36, email: "ada@example.com" },
      { id: 2, name: "Grace", age: 45, email: null },
      { id: 3, name: "Linus", age: 21, email: "linus@example.com" },
    ],
  },
  chats: [{ name: "hello", reply: { content: "Hi there, you." } }],
} as const;

function asking(more: object): RecordedRequest {
  const json = { model: "atlas", messages, ...more };
  return { method: "POST", path: "/chat/completions", body: { json } };
}

/** What was asked of it when it was recorded. */
export const chatRequests: readonly RecordedRequest[] = [
  { method: "GET", path: "/models" },
  { method: "GET", path: "/models/nobody" },
  asking({}),
  asking({ stream: true, stream_options: { include_usage: true } }),
  { method: "GET", path: "/chat/completions" },
];

/** The same of its tables. */
export const tableRequests: readonly RecordedRequest[] = [
  { method: "GET", path: "/users", query: "limit=2" },
  { method: "GET", path: "/users/3" },
  { method: "GET", path: "/nowhere" },
];

/** Asks an emulator of the service's fixtures, and keeps what it answers as cassettes. */
export async function recordedCassettes(): Promise<
  readonly (Cassette & { readonly name: string })[]
> {
  const emulator = await createEmulator({ fixtures: serviceFixtures, speed: 0 });
  const record = async (room: "chat" | "tables", request: RecordedRequest): Promise<Recording> => {
    const { method, path, query = "", body } = request;
    const url = `${room === "tables" ? "/rest" : "/v1"}${path}${query === "" ? "" : `?${query}`}`;
    const json = body !== undefined && "json" in body ? JSON.stringify(body.json) : undefined;
    const response = await emulator.fetch(url, {
      method,
      headers: { authorization: "Bearer local-token", "content-type": "application/json" },
      ...(json === undefined ? {} : { body: json }),
    });
    const { "transfer-encoding": _chunked, ...headers } = Object.fromEntries(response.headers);
    const answer = { status: response.status, headers, afterMs: 1 };
    if (headers["content-type"]?.startsWith("text/event-stream") !== true) {
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { request, answer: { ...answer, body: recordBody(bytes) } };
    }
    const events = (await response.text()).split(/(?<=\n\n)/);
    const stream = events.map((text, index) => ({ atMs: index, text }));
    return {
      request,
      answer: { ...answer, stream, end: { atMs: events.length, how: "close" } },
    };
  };
  const cassettes = [];
  for (const [room, requests] of [
    ["chat", chatRequests],
    ["tables", tableRequests],
  ] as const) {
    const recordings: Recording[] = [];
    for (const request of requests) recordings.push(await record(room, request));
    const upstream = room === "chat" ? "https://api.example.com/v1" : "https://db.example.com/rest";
    cassettes.push({ name: `${room}-all`, interface: room, upstream, recordings });
  }
  return cassettes;
}

/** The service itself: another emulator, which nobody tells that it is one. */
export async function realService(): Promise<(request: Request) => Promise<Response>> {
  const emulator = await createEmulator({ fixtures: serviceFixtures, speed: 0 });
  return emulator.fetch;
}

/** What a fixture set was read from: the service's models and tables, and what was recorded of it. */
export async function verifiedDocument(recording: object = {}): Promise<object> {
  return { ...serviceFixtures, cassettes: await recordedCassettes(), recording };
}
