import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { operatorEntries } from "../../../src/core/control/routes/about.ts";
import { askedChat } from "../../../src/core/emulator/journal/asked-chat.ts";
import type { JournalEntry, JournalSummary } from "../../../src/core/emulator/journal/entry.ts";
import {
  curlOf,
  fetchOf,
  repeatedRequest,
  testOf,
} from "../../../src/extras/console/requests/curl.ts";
import { firstList, listRequests } from "../../../src/extras/console/requests/filter.ts";
import { faultLike } from "../../../src/extras/console/requests/fault-like.ts";
import { keepEntry } from "../../../src/extras/console/requests/use-requests.ts";
import { scriptOf } from "../../../src/extras/console/requests/script-of.ts";
import { askedTable, sameRows } from "../../../src/extras/console/requests/table-state.ts";
import { answeredWith, askedFor } from "../../../src/extras/console/requests/summary.ts";
import { entry } from "../../core/control/controlled.ts";

const setting = { root: "http://127.0.0.1:4010/@a", key: "local-token" };

test("writes a request as a curl line, with the key and without what curl sends anyway", () => {
  const asked = entry({
    query: "city=Lagos&limit=2",
    headers: {
      host: "127.0.0.1:4010",
      authorization: "Bearer ***",
      "user-agent": "node",
      "sec-fetch-mode": "cors",
      "x-backlot-session": "a",
      "x-tenant": "acme",
      cookie: "***",
    },
  });
  expect(curlOf(asked, setting)).toBe(
    "curl -sN 'http://127.0.0.1:4010/@a/rest/users?city=Lagos&limit=2' -H 'authorization: Bearer local-token' -H 'x-tenant: acme'",
  );
});

test.each([
  ["GET", null, "curl -sN http"],
  ["GET", "x", "curl -sN -X GET http"],
  ["POST", { a: 1 }, "curl -sN http"],
  ["POST", null, "curl -sN -X POST http"],
  ["HEAD", null, "curl -sN -I http"],
  ["PATCH", { a: 1 }, "curl -sN -X PATCH http"],
])(
  "names the method of %s with the body %j where curl would choose another",
  (method, body, start) => {
    expect(curlOf(entry({ method, body }), setting).startsWith(start)).toBe(true);
  },
);

test("sends no key that was not there", () => {
  expect(curlOf(entry({}), setting)).not.toContain("authorization");
  const withKey = entry({ headers: { authorization: "Bearer ***" } });
  expect(curlOf(withKey, { ...setting, key: null })).not.toContain("authorization");
});

test.each(["it's", '$HOME `id` \\ "x"', "a\nb", "!", "'''"])(
  "quotes the body %j for a shell",
  (text) => {
    const line = curlOf(entry({ method: "POST", body: { text } }), setting);
    const echoed = line.replace(/^curl/, "printf '%s\\n'");
    const words = execFileSync("sh", ["-c", echoed], { encoding: "utf8" });
    expect(words.trimEnd().split("\n").at(-1)).toBe(JSON.stringify({ text }));
  },
);

test("writes a request as a call of fetch and as a test, which JavaScript can read", async () => {
  const asked = entry({
    method: "POST",
    path: "/rest/users",
    headers: { authorization: "Bearer ***", "content-type": "application/json" },
    body: { name: "it's\n`${1}`" },
    status: 201,
  });
  const sent: unknown[] = [];
  const call = fetchOf(asked, setting).replace(/^await /, "return ");
  // oxlint-disable-next-line no-implied-eval, typescript/no-implied-eval -- the code that a user would paste
  new Function("fetch", call)((...given: unknown[]) => sent.push(...given));
  expect(sent).toEqual([
    "http://127.0.0.1:4010/@a/rest/users",
    {
      method: "POST",
      headers: { authorization: "Bearer local-token", "content-type": "application/json" },
      body: JSON.stringify(asked.body),
    },
  ]);
  expect(fetchOf(entry({}), setting)).toBe('await fetch("http://127.0.0.1:4010/@a/rest/users")');
  expect(testOf(entry({}), setting)).toBe(`import { expect, test } from "vitest";

test("GET /rest/users", async () => {
  const response = await fetch("http://127.0.0.1:4010/@a/rest/users");
  expect(response.status).toBe(200);
});
`);
});

test.each([
  [{ authorization: "Bearer ***" }, null, { authorization: "Bearer local-token" }],
  [{ "api-key": "***" }, null, { "api-key": "local-token" }],
  [{ authorization: "Bearer ***" }, "It is not accepted.", { authorization: "Bearer wrong-key" }],
  [{ authorization: "***" }, "It must begin with Bearer.", { authorization: "wrong-key" }],
  [{}, "There is none.", {}],
])("repeats the headers %j, refused for %s, as %j", (headers, keyProblem, sent) => {
  const status = keyProblem === null ? 200 : 401;
  const asked = entry({ headers, keyProblem, status });
  expect(repeatedRequest(asked, setting).headers).toEqual(sent);
  expect(testOf(asked, setting)).toContain(`toBe(${status})`);
});

test.each([
  [{ count: 9007199254740992 }, '{"count":9007199254740993}', '{"count":9007199254740993}'],
  ["only a text", '"only a text"', '"only a text"'],
  ["no JSON", null, "no JSON"],
  [{ a: 1 }, null, '{"a":1}'],
  ["", null, undefined],
  [null, null, undefined],
])("repeats the body %j, sent as %s, as %s", (body, bodyText, sent) => {
  const asked = entry({ method: "POST", body, bodyText });
  expect(repeatedRequest(asked, setting).body).toBe(sent);
  if (bodyText !== null) expect(fetchOf(asked, setting)).toContain(JSON.stringify(bodyText));
});

function changeOf(id: number, more: Partial<JournalEntry> = {}): JournalEntry {
  const [before, after] = [
    { id, city: "Oslo" },
    { id, city: "Lima" },
  ];
  return entry({
    id: `${id}`,
    method: "PATCH",
    change: { table: "odd users", key: { id }, before, after },
    ...more,
  });
}

test.each([
  ["odd%20users/7", ["7"]],
  ["odd%20users/70", ["70"]],
  ["odd%20users", ["70", "7"]],
  ["odd", []],
])("lists as what changed %s the requests %j, the console's own included", (changed, ids) => {
  const own = { console: "1" };
  const all = [changeOf(7, own), changeOf(70), entry({ id: "8", path: "/rest/odd%20users/7" })];
  const shown = listRequests(all, { ...firstList, changed });
  expect(shown.map(({ id }) => id)).toEqual(ids);
});

test("shows a change from before to after", () => {
  expect(answeredWith(changeOf(7))).toBe('city: "Oslo" → "Lima"');
});

function askedOnce(id: string, content: string, more: object = {}): JournalEntry {
  const body = { model: "atlas-large", messages: [{ role: "user", content }], ...more };
  const path = "/v1/chat/completions";
  const chat = askedChat(path, body);
  return entry({ id, interface: "chat", method: "POST", path, status: 200, body, chat });
}

test("makes a script of a chat with what tells it apart from the others", () => {
  const one = askedOnce("1", "How tall is it?");
  expect(scriptOf(one, [one, askedOnce("2", "How old is it?")])).toEqual({
    name: "how-tall-is-it",
    when: { user: { equals: "How tall is it?" } },
    reply: { content: "Write the answer here." },
  });
  const others = [
    one,
    askedOnce("2", "How tall is it?", { model: "b" }),
    askedOnce("3", "How tall is it?"),
  ];
  expect(scriptOf(one, others)?.when).toEqual({
    user: { equals: "How tall is it?" },
    model: "atlas-large",
  });
  expect(scriptOf(entry({}), [])).toBeUndefined();
});

test("makes a script with the answer that was given, also in a stream", () => {
  const answer = { headers: {}, truncated: false, frames: null, body: null };
  const call = { id: "c", type: "function", function: { name: "f", arguments: '{"a":1}' } };
  const message = { content: "{{ 1 }}", tool_calls: [call] };
  const whole = { ...answer, body: { choices: [{ message, finish_reason: "tool_calls" }] } };
  const one = { ...askedOnce("1", "x"), script: "other" };
  expect(scriptOf({ ...one, response: whole }, [])).toEqual({
    name: "0-x",
    when: { user: { equals: "x" } },
    reply: {
      content: "{% raw %}{{ 1 }}{% endraw %}",
      toolCalls: [{ name: "f", arguments: { a: 1 } }],
    },
  });
  const frames = ["Hi ", "there."].map((content, index) => ({
    data: `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`,
    dueMs: index,
    sentMs: index,
  }));
  expect(scriptOf({ ...one, response: { ...answer, frames } }, [])?.reply).toEqual({
    content: "Hi there.",
  });
});

const chat = { model: "atlas-large", said: "How tall is it?", stream: false };
const journal = [
  entry({ id: "1", method: "GET", status: 200, durationMs: 3 }),
  entry({ id: "2", method: "POST", status: 404, path: "/rest/Orders", durationMs: 1 }),
  entry({
    id: "3",
    interface: "chat",
    status: 0,
    path: "/v1/chat/completions",
    chat,
    durationMs: 0.5,
  }),
  entry({ id: "4", query: "city=Lagos", console: "1", session: "a" }),
];

test.each([
  [{}, ["3", "2", "1"]],
  [{ own: "1" }, ["4", "3", "2", "1"]],
  [{ kind: "chat" }, ["3"]],
  [{ kind: "writes" }, ["2"]],
  [{ ended: "refused" }, ["2"]],
  [{ ended: "broken" }, ["3"]],
  [{ ended: "pending" }, []],
  [{ ended: "no such" }, ["3", "2", "1"]],
  [{ find: "orders POST" }, ["2"]],
  [{ find: " TALL " }, ["3"]],
  [{ find: "lagos", own: "1" }, ["4"]],
  [{ find: "404" }, ["2"]],
  [{ find: "orders lagos", own: "1" }, []],
  [{ sort: "took" }, ["3", "2", "1"]],
  [{ sort: "-took" }, ["1", "2", "3"]],
  [{ sort: "ended" }, ["3", "1", "2"]],
] as const)("lists by %j the requests %j", (state, ids) => {
  const shown = listRequests(journal, { ...firstList, ...state });
  expect(shown.map(({ id }) => id)).toEqual(ids);
});

test("says in a line what was asked and answered", () => {
  const [table, , asked] = journal;
  expect(table && askedFor(table)).toBe("GET /rest/users");
  expect(table && answeredWith({ ...table, rows: 2 })).toBe("2 rows");
  expect(asked && askedFor(asked)).toBe("atlas-large “How tall is it?”");
  const answered = asked && { ...asked, tokens: 12, finishReason: "stop", script: "height" };
  expect(answered && answeredWith(answered)).toBe("height · 12 tokens · stop");
});

const users = {
  name: "odd users",
  primaryKey: ["id"],
  columns: [{ name: "id" }, { name: "age" }].map((column) => ({
    ...column,
    type: "INTEGER",
    notNull: false,
  })),
  rows: 0,
  version: 1,
};

test.each([
  ["/rest/odd%20users", "", { filters: "", sort: "", order: "asc" }],
  [
    "/v1/rest/odd%20users",
    "age.gte=3&age.lt=9&id=4&sort_by=age&order=DESC&limit=2",
    { filters: "age=%E2%89%A5+3+%26+%3C+9&id=%3D+4", sort: "age", order: "desc" },
  ],
  ["/rest/odd%20users/7", "", { filters: "id=%3D+7" }],
])("leads from %s?%s to the same rows", (path, query, state) => {
  const asked = entry({ path, query });
  const table = askedTable(asked, [users]);
  expect(table && sameRows(asked, table, operatorEntries)).toEqual(state);
});

test("leads to no table that there is not", () => {
  expect(askedTable(entry({ path: "/rest/others" }), [users])).toBeUndefined();
});

test.each([
  [{}, { status: 503 }],
  [
    { status: 429, problem: "Too many." },
    { status: 429, message: "Too many." },
  ],
  [{ status: 0 }, { fault: "hang" }],
  [
    { ended: "reset", chunksSent: 3 },
    { fault: "reset", afterChunks: 3 },
  ],
  [{ ended: "stalled", chunksSent: 0 }, { fault: "stall" }],
  [{ ended: "noFinish", chunksSent: 3 }, { fault: "noFinish" }],
  [
    { ended: "malformed", chunksSent: 3, brokenBy: { kind: "malformed", afterChunks: 1 } },
    { fault: "malformed", afterChunks: 1 },
  ],
  [
    { ended: "duplicated", chunksSent: 9, brokenBy: { kind: "duplicate", afterChunks: 2 } },
    { fault: "duplicate", afterChunks: 2 },
  ],
  [
    { ended: "failed", chunksSent: 9, brokenBy: { kind: "error", afterChunks: 0 } },
    { fault: "error" },
  ],
  [
    { ended: "noFinish", chunksSent: 9, brokenBy: { kind: "noDone", afterChunks: null } },
    { fault: "noDone" },
  ],
  [{ ended: "aborted" }, { status: 503 }],
] as const)("plans after %j the fault %j", (given, fault) => {
  const next = { interface: "tables", method: "GET", path: "/rest/users", times: 1 };
  expect(faultLike(entry(given))).toEqual({ ...next, ...fault });
});

test("keeps a request where it arrived when it ends, and the last 50,000", () => {
  const known = new Map<string, JournalSummary>();
  keepEntry(known, entry({ id: "1", ended: "pending" }));
  keepEntry(known, entry({ id: "1", session: "a" }));
  keepEntry(known, entry({ id: "1", ended: "cut" }));
  const seen = [...known.values()].map(({ session, ended }) => [session, ended]);
  expect(seen).toEqual([
    [null, "cut"],
    ["a", "complete"],
  ]);
  for (let id = 2; id <= 50_000; id++) keepEntry(known, entry({ id: String(id) }));
  expect([known.size, known.has("1"), known.has("50000")]).toEqual([50_000, false, true]);
});

test("lists what has the words, and what the server found them in", () => {
  const found = new Set(["2", "4"]);
  const listed = (find: string): readonly string[] =>
    listRequests(journal, { ...firstList, find }, found).map(({ id }) => id);
  expect(listed("tall")).toEqual(["3", "2"]);
  expect(listed("no such word")).toEqual(["2"]);
});

test("reads what is searched once, when a request arrives", () => {
  let read = 0;
  const asked = {
    model: "m",
    stream: false,
    get said(): string {
      return `read_${++read}`;
    },
  };
  const known = new Map<string, JournalSummary>();
  keepEntry(known, entry({ method: "POST", chat: asked }));
  expect(read).toBe(1);
  const found = (find: string): number =>
    listRequests([...known.values()], { ...firstList, find }).length;
  expect([found("READ_1"), found("read_2")]).toEqual([1, 0]);
  expect(read).toBe(1);
});
