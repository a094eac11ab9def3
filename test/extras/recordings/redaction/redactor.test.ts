import { expect, test } from "vitest";
import {
  type RecordedAnswer,
  type RecordingRules,
  usualRecordingRules,
} from "../../../../src/core/recordings/cassette.ts";
import { compileRules } from "../../../../src/core/recordings/recording-rules.ts";
import { redactExchange } from "../../../../src/extras/recordings/redaction/redact-exchange.ts";
import type { SentRequest } from "../../../../src/core/recordings/cassette.ts";

const key = "sk-proj-4fG7/x9Q+z";

interface Given {
  readonly of?: "chat" | "tables";
  readonly rules?: Partial<RecordingRules>;
  readonly sent?: Partial<Omit<SentRequest, "body">>;
  readonly body?: unknown;
}

function exchange({ rules, sent, body, of = "chat" }: Given) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const request = {
    method: "POST",
    path: "/chat/completions",
    query: "",
    headers: {},
    body: body === undefined ? undefined : new TextEncoder().encode(text),
    ...sent,
  };
  return redactExchange(request, compileRules({ ...usualRecordingRules, ...rules }), of);
}

function answer(given: Partial<RecordedAnswer>): RecordedAnswer {
  return { status: 200, headers: {}, afterMs: 1, ...given };
}

const bearer = { headers: { authorization: `Bearer ${key}` } };

test.each([
  ["as it is", key],
  ["percent-encoded", encodeURIComponent(key)],
  [
    "percent-encoded in every byte",
    key.replaceAll(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`),
  ],
  ["percent-encoded twice", encodeURIComponent(encodeURIComponent(key))],
  ["with escaped slashes", key.replaceAll("/", "\\/")],
  ["with unicode escapes", key.replaceAll(/./g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`)],
  ["in a string of JSON of JSON", JSON.stringify(JSON.stringify({ key })).replaceAll("/", "\\/")],
  ["in base64", btoa(key)],
  ["in base64 after a byte", btoa(`x${key}`)],
  ["in base64 after two bytes", btoa(`xy${key}yx`)],
  ["in base64 for URLs", btoa(`x${key}`).replaceAll("+", "-").replaceAll("/", "_")],
  [
    "in base64 in lines",
    btoa(`${"-".repeat(40)}${key}${"-".repeat(40)}`).replaceAll(/.{64}/g, "$&\r\n"),
  ],
])("takes a key out of a text that has it %s", (_, written) => {
  const { request } = exchange({ sent: bearer, body: { text: `before ${written} after` } });
  const [, between] = /before (.*) after/s.exec(JSON.stringify(request.body)) ?? [];
  expect(between).toContain("[authorization 1]");
  expect(JSON.stringify(request)).not.toMatch(/4fG7|NGZHN|RmRzc|0ZkZ/);
});

test("takes out a text in base64 with a key in it as a whole, and leaves its neighbours", () => {
  const text = `a=${btoa("no key in it")}&b=${btoa(JSON.stringify({ n: 1, key }))}&c=3`;
  const { request } = exchange({ sent: bearer, body: { text } });
  expect(request.body).toEqual({
    json: { text: `a=${btoa("no key in it")}&b=[authorization 1]&c=3` },
  });
});

test.each([
  ["a bearer token", { authorization: "Bearer abcdefgh" }, "[authorization 1]"],
  ["a key with no scheme", { authorization: "abcdefgh" }, "[authorization 1]"],
  ["a key with a scheme of its own", { authorization: "Mine abcdefgh" }, "[authorization 1]"],
  ["a basic password", { authorization: `Basic ${btoa("me:abcdefgh")}` }, "[password 1]"],
  ["a basic user", { authorization: `Basic ${btoa("abcdefgh:")}` }, "[user 1]"],
  ["basic credentials", { "proxy-authorization": "Basic abcdefgh" }, "[proxy-authorization 1]"],
  ["an API key", { "x-api-key": "abcdefgh" }, "[x-api-key 1]"],
  ["an API key of another service", { "api-key": "abcdefgh" }, "[api-key 1]"],
  ["a cookie", { cookie: "theme=dark; sid=abcdefgh" }, "[cookie 1]"],
  ["an encoded cookie", { cookie: "sid=%61bcdefgh" }, "[cookie 1]"],
  ["a key in a page's address", { referer: "https://x.test/?api_key=abcdefgh" }, "[api_key 1]"],
])("knows %s by its header, and takes it out of the body", (_, headers, placeholder) => {
  const { request } = exchange({ sent: { headers }, body: { text: "I am abcdefgh." } });
  expect(request.body).toEqual({ json: { text: `I am ${placeholder}.` } });
});

test("keeps of a header that is recorded only what is no secret", () => {
  const headers = {
    authorization: `Bearer ${key}`,
    cookie: "a=12; b=abcdefgh",
    "x-tenant": "acme",
    "x-other": "1",
  };
  const rules = { headers: ["Authorization", "Cookie", "X-Tenant"] };
  expect(exchange({ rules, sent: { headers } }).request.headers).toEqual({
    authorization: "Bearer [authorization 1]",
    cookie: "a=[cookie 1]; b=[cookie 2]",
    "x-tenant": "acme",
  });
});

test("takes keys out of the query, and out of a path that has them", () => {
  const sent = { path: "/t/abcdefgh/x", query: "limit=2&api_key=%61bcdefgh&q=is+abcdefgh%3F" };
  const { request } = exchange({ sent });
  expect(request.path).toBe("/t/[api_key 1]/x");
  expect(request.query).toBe("limit=2&api_key=[api_key 1]&q=is%20[api_key 1]%3F");
});

test("takes a table's column called key for a column, and one called token for a token", () => {
  const sent = { method: "GET", path: "/options", query: "key=eq.theme&token=eq.abcdefgh" };
  expect(exchange({ of: "tables", sent }).request.query).toBe("key=eq.theme&token=[token 1]");
});

test("takes users and passwords out of the addresses in a text", () => {
  const body = { text: "postgres://root:s3cret@db:5432/x, http:\\/\\/token1@host/ and a@b.test" };
  expect(exchange({ body }).request.body).toEqual({
    json: {
      text: "postgres://[user 1]:[password 1]@db:5432/x, http:\\/\\/[user 2]@host/ and a@b.test",
    },
  });
});

test("takes a value of under six characters out of its own place only", () => {
  const headers = { authorization: "Bearer abcde" };
  const { request } = exchange({
    rules: { headers: ["authorization"] },
    sent: { headers },
    body: "abcde",
  });
  expect(request.headers).toEqual({ authorization: "Bearer [authorization 1]" });
  expect(request.body).toEqual({ text: "abcde" });
});

test("leaves words of the interfaces where they are no keys", () => {
  const headers = { authorization: "Bearer content" };
  const body = { content: "the content" };
  const { request } = exchange({ sent: { headers }, body });
  expect(request.body).toEqual({ json: body });
});

test("takes a key out of numbers and names of members", () => {
  const headers = { "x-api-key": "12345678" };
  const { request } = exchange({ sent: { headers }, body: '{"id":12345678,"a12345678":1.5}' });
  expect(request.body).toEqual({ json: { id: "[x-api-key 1]", "a[x-api-key 1]": 1.5 } });
});

test("redacts by paths, in the request and in the answer", () => {
  const rules = {
    redact: [
      { path: "body.users.*.email", as: "email" },
      { path: "body.card", as: "card" },
      { path: "header.x-tenant", as: "tenant" },
      { path: "query.q", as: "words" },
    ],
    headers: ["x-tenant"],
  };
  const sent = { headers: { "x-tenant": "acme" }, query: "q=a" };
  const body = {
    users: [{ email: "a@x.test" }, { email: "b@x.test" }, { email: null }],
    card: { n: 1 },
  };
  const { request, recording } = exchange({ rules, sent, body });
  expect(request).toEqual({
    method: "POST",
    path: "/chat/completions",
    query: "q=[words 1]",
    headers: { "x-tenant": "[tenant 1]" },
    body: {
      json: {
        users: [{ email: "[email 1]" }, { email: "[email 2]" }, { email: null }],
        card: "[card 1]",
      },
    },
  });
  const text = '{"users": [{"email": "b@x.test"}], "to": "a@x.test"}';
  expect(recording(answer({ body: { text } })).answer.body).toEqual({
    text: '{"users": [{"email": "[email 2]"}], "to": "[email 1]"}',
  });
});

test("redacts by regular expressions, each distinct value by its own number", () => {
  const rules = { redact: [{ regex: "\\b\\d{4}-\\d{4}\\b", as: "card" }] };
  const { request } = exchange({
    rules,
    body: { b: ["1111-2222 3333-4444"], a: "3333-4444 1111-2222" },
  });
  expect(request.body).toEqual({ json: { b: ["[card 2] [card 1]"], a: "[card 1] [card 2]" } });
});

test("numbers values alike whatever the order of members, of parameters and of what is volatile", () => {
  const rules = {
    redact: [{ regex: "u-\\d+", as: "user id" }],
    volatile: ["body.trace", "query.t"],
  };
  const one = exchange({
    rules,
    sent: { query: "a=u-1&b=u-2&t=x" },
    body: '{"x":"u-3","y":"u-4","trace":"u-9"}',
  });
  const other = exchange({
    rules,
    sent: { query: "t=u-8&b=u-2&a=u-1" },
    body: '{"trace":1,"y":"u-4","x":"u-3"}',
  });
  expect(one.request.query).toBe("a=[user id 1]&b=[user id 2]&t=x");
  expect(other.request.query).toBe("t=[user id 5]&b=[user id 2]&a=[user id 1]");
  expect(one.request.body).toEqual({
    json: { x: "[user id 3]", y: "[user id 4]", trace: "[user id 5]" },
  });
  expect(other.request.body).toEqual({ json: { trace: 1, y: "[user id 4]", x: "[user id 3]" } });
});

test("keeps numbers that placeholders in the request have already", () => {
  const { request } = exchange({ sent: bearer, body: { text: `[authorization 1] and ${key}` } });
  expect(request.body).toEqual({ json: { text: "[authorization 1] and [authorization 2]" } });
});

test("takes cookies that are set, and keys in a location, out of an answer", () => {
  const headers = {
    "set-cookie": "sid=abcdefgh; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/, b=12",
    location: "https://x.test/?token=ijklmnop&a=1",
    "x-session-token": "qrstuvwx",
    "content-type": "text/plain",
  };
  const body = { text: "abcdefgh ijklmnop qrstuvwx" };
  expect(exchange({}).recording(answer({ headers, body })).answer).toMatchObject({
    headers: {
      "set-cookie": "sid=[cookie 1]; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/, b=[cookie 2]",
      location: "https://x.test/?token=[token 1]&a=1",
      "x-session-token": "[x-session-token 1]",
      "content-type": "text/plain",
    },
    body: { text: "[cookie 1] [token 1] [x-session-token 1]" },
  });
});

test("keeps how an answer's JSON is written", () => {
  const body = { json: { echo: key, n: 1 }, indent: 2, end: "\n" } as const;
  expect(exchange({ sent: bearer }).recording(answer({ body })).answer.body).toEqual({
    json: { echo: "[authorization 1]", n: 1 },
    indent: 2,
    end: "\n",
  });
});

test("takes keys out of bytes that are not text", () => {
  const bytes = btoa(`\xFF\x00${key}\xFE`);
  const { recording } = exchange({ sent: bearer });
  expect(recording(answer({ body: { base64: bytes } })).answer.body).toEqual({
    base64: btoa("\xFF\x00[authorization 1]\xFE"),
  });
});

test("takes out of the recorded request, too, what only the answer shows to be secret", () => {
  const rules = { redact: [{ path: "body.email", as: "email" }] };
  const { request, recording } = exchange({ rules, body: { text: "find anna@x.test" } });
  const written = recording(answer({ body: { json: { email: "anna@x.test" } } }));
  expect(request.body).toEqual({ json: { text: "find anna@x.test" } });
  expect(written.request.body).toEqual({ json: { text: "find [email 1]" } });
  expect(written.answer.body).toEqual({ json: { email: "[email 1]" } });
});

test("takes out values that nest deeper than any stack", () => {
  const rules = { redact: [{ path: "body.a", as: "deep" }] };
  const deep = `${"[".repeat(100_000)}"${key}"${"]".repeat(100_000)}`;
  const { request } = exchange({ rules, sent: bearer, body: `{"a":${deep},"b":${deep}}` });
  const text = JSON.stringify(request.body);
  expect(text).toContain('\\"a\\":\\"[deep 1]\\"');
  expect(text).not.toContain("proj");
});

function sendWith(own: string): unknown {
  const headers = { authorization: `Bearer ${own}` };
  return exchange({ sent: { query: `key=${own}`, headers }, body: { own } }).request;
}

test("gives the same request for any key that it is sent with", () => {
  expect(sendWith("first-key")).toEqual(sendWith("second key"));
});

test.each([
  [
    { path: "bdy.user", as: "user" },
    'recording.redact[0].path: "bdy.user" is not a path: it begins with',
  ],
  [{ regex: "(", as: "a" }, 'recording.redact[0].regex: "(" is not a regular expression'],
  [{ regex: "a*", as: "a" }, "matches the empty text"],
  [{ regex: "a", flags: "gy", as: "a" }, 'recording.redact[0].flags: there is no flag "y" here'],
  [{ regex: "a", as: "a]" }, 'recording.redact[0].as: "a]" cannot name placeholders'],
])("refuses the rule %j with its place", (rule, message) => {
  expect(() => compileRules({ ...usualRecordingRules, redact: [rule] })).toThrow(message);
});
