import {
  type NamedCassette,
  type SentRequest,
  usualRecordingRules,
} from "../../../../src/core/recordings/cassette.ts";
import { cassetteText } from "../../../../src/core/recordings/cassette.ts";
import {
  Recorder,
  type ReceivedAnswer,
} from "../../../../src/extras/recordings/record/recorder.ts";
import { expect, test } from "vitest";

const encoder = new TextEncoder();

function recorder(continued: readonly NamedCassette[] = []): Recorder {
  const upstreams = { chat: "http://chat", tables: "http://rest" };
  return new Recorder({
    rules: usualRecordingRules,
    upstreams,
    continued,
    changed: () => undefined,
  });
}

function chat(body: object, path = "/chat/completions"): SentRequest {
  return {
    method: "POST",
    path,
    query: "",
    headers: {},
    body: encoder.encode(JSON.stringify(body)),
  };
}

function get(path: string): SentRequest {
  return { method: "GET", path, query: "", headers: {}, body: undefined };
}

const answer: ReceivedAnswer = { status: 204, headers: {}, afterMs: 1 };
const said = (...texts: readonly string[]): { messages: object[]; model: string } => ({
  model: "m",
  messages: texts.map((content, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content,
  })),
});

function keep(into: Recorder, asked: "chat" | "tables", sent: SentRequest): void {
  into.begin(asked, sent).finish(answer);
}

function files(from: Recorder): Record<string, number> {
  return Object.fromEntries(
    from.cassettes().map(({ name, recordings }) => [name, recordings.length]),
  );
}

test("puts a request whose messages continue another's into its file", () => {
  const all = recorder();
  keep(all, "chat", chat(said("Hello")));
  keep(all, "chat", chat(said("Good bye")));
  keep(all, "chat", chat(said("Hello", "Hi", "More")));
  keep(all, "chat", chat(said("Hello", "Hi", "More", "Sure", "Thanks")));
  expect(Object.values(files(all))).toEqual([3, 1]);
});

test("keeps what several models are asked apart", () => {
  const all = recorder();
  for (const model of ["a", "b"]) keep(all, "chat", chat({ ...said("Hello"), model }));
  for (const model of ["a", "b"])
    keep(all, "chat", chat({ ...said("Hello", "Hi", "More"), model }));
  expect(Object.values(files(all))).toEqual([2, 2]);
});

test("follows a conversation that goes on with another model", () => {
  const all = recorder();
  keep(all, "chat", chat(said("Hello")));
  keep(all, "chat", chat({ ...said("Hello", "Hi", "More"), model: "other" }));
  expect(Object.values(files(all))).toEqual([2]);
});

test("puts recordings in the order in which they were asked, whatever is answered first", () => {
  const all = recorder();
  const open = ["/users/1", "/users/2", "/users/3"].map((path) => all.begin("tables", get(path)));
  for (const recording of open.toReversed()) recording.finish(answer);
  const [cassette] = all.cassettes();
  expect(cassette?.recordings.map(({ request }) => request.path)).toEqual([
    "/users/1",
    "/users/2",
    "/users/3",
  ]);
});

test.each([
  [said("What’s the weather in Zürich?"), /^chat-what-s-the-weather-in-zurich-[0-9a-f]{6}$/],
  [said("天気は?"), /^chat-[0-9a-f]{6}$/],
  [said("../../etc/passwd"), /^chat-etc-passwd-[0-9a-f]{6}$/],
  [said("long ".repeat(50)), /^chat-long(-long){7}-[0-9a-f]{6}$/],
  [
    {
      messages: [{ role: "user", content: [{ type: "text", text: "See" }, { type: "image_url" }] }],
    },
    /^chat-see-[0-9a-f]{6}$/,
  ],
])("names the file of a conversation by what the user says first: %j", (body, expected) => {
  const all = recorder();
  keep(all, "chat", chat(body));
  expect(Object.keys(files(all))).toEqual([expect.stringMatching(expected)]);
});

test.each([
  ["chat", chat({ input: "x" }, "/embeddings"), "chat-embeddings"],
  ["chat", get("/models"), "chat-models"],
  ["chat", get("/models/gpt-4o"), "chat-models"],
  ["tables", get("/users/1"), "tables-users"],
  ["tables", get("/order_items"), "tables-order_items"],
  ["tables", get(""), "tables"],
] as const)("names the file of what is no conversation by its path: %s %j", (asked, sent, name) => {
  const all = recorder();
  keep(all, asked, sent);
  expect(Object.keys(files(all))).toEqual([name]);
});

test("gives tables files of their own whose names differ only in what files cannot tell", () => {
  const all = recorder();
  for (const table of ["users", "Users", "%75sers", "us/ers", "us%2Fers", "%"]) {
    keep(all, "tables", get(`/${table}`));
  }
  const names = Object.keys(files(all));
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(5);
  expect(files(all)).toMatchObject({ "tables-users": 2, "tables-us": 1 });
  for (const name of names) expect(name).toMatch(/^[a-z0-9_-]+$/);
});

test("adds to the cassettes that are continued, behind what they have", () => {
  const before = recorder();
  keep(before, "chat", chat(said("Hello")));
  keep(before, "tables", get("/users"));
  const renamed = before
    .cassettes()
    .map((cassette) => ({ ...cassette, name: `my-${cassette.name}` }));
  const table = before.cassettes().filter(({ name }) => name === "tables-users");
  const all = recorder([...renamed.slice(0, 1), ...table]);
  keep(all, "chat", chat(said("Hello", "Hi", "More")));
  keep(all, "tables", get("/users/1"));
  expect(files(all)).toEqual({ [renamed[0]?.name ?? ""]: 2, "tables-users": 2 });
});

test("names no file like one that is there already", () => {
  const first = recorder();
  keep(first, "chat", chat(said("Hello")));
  const [taken] = first.cassettes();
  const all = recorder([
    { name: taken?.name ?? "", interface: "tables", upstream: "", recordings: [] },
  ]);
  keep(all, "chat", chat(said("Hello")));
  expect(Object.keys(files(all))).toEqual([`${taken?.name}-2`]);
});

test("keeps nothing of an exchange that never ended", () => {
  const all = recorder();
  all.begin("chat", chat(said("Hello"))).place();
  expect(all.cassettes()).toEqual([]);
});

test("writes keys in one order, two spaces and an end of line", () => {
  const all = recorder();
  const headers = { "x-b": "2", "x-a": "1" };
  all
    .begin("tables", { ...get("/users"), query: "b=1&a=2" })
    .finish({ status: 200, headers, afterMs: 3 });
  expect(all.cassettes().map(cassetteText)).toEqual([
    `{
  "interface": "tables",
  "upstream": "http://rest",
  "recordings": [
    {
      "request": {
        "method": "GET",
        "path": "/users",
        "query": "b=1&a=2"
      },
      "answer": {
        "status": 200,
        "headers": {
          "x-a": "1",
          "x-b": "2"
        },
        "afterMs": 3
      }
    }
  ]
}
`,
  ]);
});
