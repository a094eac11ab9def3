import { expect, test } from "vitest";
import {
  type RecordedPart,
  type RecordingRules,
  usualRecordingRules,
} from "../../../../src/core/recordings/cassette.ts";
import { compileRules } from "../../../../src/core/recordings/recording-rules.ts";
import { redactExchange } from "../../../../src/extras/recordings/redaction/redact-exchange.ts";

const key = "sk-proj-4fG7x9Q";

interface Given {
  readonly type?: string;
  readonly rules?: Partial<RecordingRules>;
}

function redacted(parts: readonly RecordedPart[], { type = "text/plain", rules }: Given = {}) {
  const sent = {
    method: "POST",
    path: "/chat/completions",
    query: "",
    headers: { authorization: `Bearer ${key}` },
    body: undefined,
  };
  const compiled = compileRules({ ...usualRecordingRules, ...rules });
  const { recording } = redactExchange(sent, compiled, "chat");
  const headers = { "content-type": type };
  return recording({ status: 200, headers, afterMs: 1, stream: parts }).answer.stream;
}

function texts(...all: readonly string[]): RecordedPart[] {
  return all.map((text, index) => ({ atMs: index * 10, text }));
}

function event(delta: unknown, index = 0): string {
  return `data: ${JSON.stringify({ id: "chat-1", choices: [{ index, delta }] })}\n\n`;
}

const events: Given = { type: "text/event-stream; charset=utf-8" };

test("takes out what begins in one part and ends in another, and keeps parts and times", () => {
  expect(redacted(texts("the key sk-pr", "oj-4f", "G7x9Q is", " known"))).toEqual([
    { atMs: 0, text: "the key [authorization 1]" },
    { atMs: 10, text: "" },
    { atMs: 20, text: " is" },
    { atMs: 30, text: " known" },
  ]);
});

test("takes out what stands in bytes, and across their borders", () => {
  const parts = [
    { atMs: 1, base64: btoa("\xE2\x82") },
    { atMs: 2, base64: btoa("\xACsk-proj-") },
    { atMs: 3, text: "4fG7x9Q é" },
  ];
  expect(redacted(parts)).toEqual([
    { atMs: 1, base64: btoa("\xE2\x82") },
    { atMs: 2, base64: btoa("\xAC[authorization 1]") },
    { atMs: 3, text: " é" },
  ]);
});

test("takes out what is split over the deltas of events", () => {
  const parts = texts(
    event({ role: "assistant", content: "" }),
    event({ content: 'your "key" is\nsk-proj' }),
    event({ content: "-4fG7x9" }),
    event({ content: 'Q, "é".' }),
    "data: [DONE]\n\n",
  );
  expect(redacted(parts, events)).toEqual(
    texts(
      event({ role: "assistant", content: "" }),
      event({ content: 'your "key" is\n[authorization 1]' }),
      event({ content: "" }),
      event({ content: ', "é".' }),
      "data: [DONE]\n\n",
    ),
  );
});

test.each(["text/plain", "application/octet-stream", "application/json", ""])(
  "takes out what is split over the deltas of events that are called %j",
  (type) => {
    const parts = texts(event({ content: "sk-proj" }), event({ content: "-4fG7x9Q!" }));
    const out = texts(event({ content: "[authorization 1]" }), event({ content: "!" }));
    expect(redacted(parts, { type })).toEqual(out);
  },
);

test("takes out what looks like a secret in the deltas of events, and a private key over lines of text", () => {
  const parts = texts(
    event({ content: "ghp_0123456789abcde" }),
    event({ content: "fghij0123456789AbCdEf." }),
  );
  const out = texts(event({ content: "[github-token 1]" }), event({ content: "." }));
  expect(redacted(parts, events)).toEqual(out);
  const lines = [
    "data: here is\n",
    "-----BEGIN PRIVATE KEY-----\nMIIE",
    "vQIBADAN\n-----END PRIVATE KEY-----",
    " ok",
  ];
  expect(redacted(texts(...lines))).toEqual(texts("data: here is\n", "[private-key 1]", "", " ok"));
});

function call(index: number, text: string): unknown {
  return { tool_calls: [{ index, function: { arguments: text } }] };
}

test("joins the deltas of each choice and of each tool call for themselves", () => {
  const parts = texts(
    event({ content: "sk-proj" }, 0),
    event({ content: "sk-proj" }, 1),
    event({ content: "-4fG7x9Q" }, 1),
    event(call(0, '{"key":"sk-proj-'), 0),
    event(call(1, "4fG7x9Q"), 0),
    event(call(0, '4fG7x9Q"}'), 0),
  );
  expect(redacted(parts, events)).toEqual(
    texts(
      event({ content: "sk-proj" }, 0),
      event({ content: "[authorization 1]" }, 1),
      event({ content: "" }, 1),
      event(call(0, '{"key":"[authorization 1]'), 0),
      event(call(1, "4fG7x9Q"), 0),
      event(call(0, '"}'), 0),
    ),
  );
});

test("takes a password out of the arguments of a call that come in pieces, by its name in other pieces", () => {
  const pieces = [
    '{"user":"ada","pass',
    'word": "hun',
    "ter2",
    '","then":[{"name":"password","val',
    'ue":"hush',
  ];
  const parts = texts(...pieces.map((text) => event(call(0, text))), event(call(0, 'hush9"}]}')));
  const out = [
    '{"user":"ada","pass',
    'word": "[password 1]',
    "",
    '","then":[{"name":"password","val',
    'ue":"[password 2]',
  ];
  expect(redacted(parts, events)).toEqual(
    texts(...out.map((text) => event(call(0, text))), event(call(0, '"}]}'))),
  );
});

test("finds by rules what is split over deltas, and keeps ids that repeat", () => {
  const rules = {
    redact: [
      { regex: "\\d{4}-\\d{4}", as: "card" },
      { path: "body.id", as: "id" },
    ],
  };
  const parts = texts(event({ content: "1111-2" }), event({ content: "222 1111-2222" }));
  expect(
    redacted(parts, { ...events, rules })?.map((part) => ("text" in part ? part.text : "")),
  ).toEqual([
    event({ content: "[card 1]" }).replace("chat-1", "[id 1]"),
    event({ content: " [card 1]" }).replace("chat-1", "[id 1]"),
  ]);
});

test("takes a key out of an event that was cut, and out of comments", () => {
  expect(redacted(texts(`: ${key}\n\n`, `data: {"content":"${key}`), events)).toEqual(
    texts(": [authorization 1]\n\n", 'data: {"content":"[authorization 1]'),
  );
});

test("reads events that came in parts of any size", () => {
  const whole = event({ content: "sk-proj" }) + event({ content: "-4fG7x9Q!" });
  const cut = Array.from(whole, (text, index) => ({ atMs: index, text }));
  const seen = redacted(cut, events)?.map((part) => ("text" in part ? part.text : "?"));
  expect(seen).toHaveLength(whole.length);
  expect(seen?.join("")).toBe(event({ content: "[authorization 1]" }) + event({ content: "!" }));
});

test("redacts by paths in JSON that came in parts, and in lines of JSON", () => {
  const rules = { redact: [{ path: "body.email", as: "email" }] };
  const parts = texts('{"email":"a@x', '.test"}\n', '{"email":"b@x.test"}\n');
  const lines = redacted(parts, { type: "application/x-ndjson", rules });
  expect(lines).toEqual(texts('{"email":"[email 1]"', "}\n", '{"email":"[email 2]"}\n'));
  const whole = redacted(parts.slice(0, 2), { type: "application/json", rules });
  expect(whole).toEqual(texts('{"email":"[email 1]"', "}\n"));
});

test("takes a key out of one answer of several that come by turns, whatever stands beside it", () => {
  const turns = ["sk-p", "roj-", "4fG7", "x9Q!"].flatMap((content, at) => [
    `data: ${JSON.stringify({ id: `n-${at}`, at, choices: [{ index: 0, delta: { content } }] })}\n\n`,
    `data: ${JSON.stringify({ id: `n-${at}`, at, choices: [{ index: 1, delta: { content: "no " } }] })}\n\n`,
  ]);
  const parts = redacted(texts(...turns), events) ?? [];
  const whole = parts.map((part) => ("text" in part ? part.text : "")).join("");
  const said = [...whole.matchAll(/"index":0,"delta":\{"content":"([^"]*)"/g)].map(
    ([, text]) => text,
  );
  expect(said).toEqual(["[authorization 1]", "", "", "!"]);
  expect(whole.match(/"no "/g)).toHaveLength(4);
});

function twice(first: string, second: string): string {
  return `data: {"choices":[{"delta":{"content":"${first}","content":"${second}"}}]}\n\n`;
}

test("takes out a key that is split over a name that an event has twice", () => {
  expect(redacted(texts(twice("sk-proj-", "4fG7"), twice("x9", "Q.")), events)).toEqual(
    texts(twice("[authorization 1]", ""), twice("", ".")),
  );
});

test("finds what a rule is about in names and indexes, too", () => {
  const rules = { redact: [{ regex: "\\d{6}", as: "number" }] };
  const parts = texts(
    'data: {"index":123456,"n654321":1}\n\n',
    'data: {"index":123456,"n654321":2}\n\n',
  );
  expect(redacted(parts, { ...events, rules })).toEqual(
    texts(
      'data: {"index":"[number 1]","n[number 2]":1}\n\n',
      'data: {"index":"[number 1]","n[number 2]":2}\n\n',
    ),
  );
});

test("takes out the user of an address whose at sign is written as an escape", () => {
  const parts = texts('data: {"note":"https://robert:hunter2x\\u0040db.example"}\n\n');
  expect(redacted(parts, events)).toEqual(
    texts('data: {"note":"https://[user 1]:[password 1]\\u0040db.example"}\n\n'),
  );
});

test("gives no number to a value that the answer has as a placeholder over two parts", () => {
  const rules = { redact: [{ regex: "[a-z]+@[a-z.]+", as: "email" }] };
  expect(redacted(texts("[ema", "il 1] ", "a@b.example"), { rules })).toEqual(
    texts("[ema", "il 1] ", "[email 2]"),
  );
});
