import { Validator } from "@cfworker/json-schema";
import { expect, test } from "vitest";
import type { JournalEntry } from "../../../src/core/emulator/journal/entry.ts";
import { call } from "../../support/calls.ts";
import { askControl, entry, controlled } from "./controlled.ts";
import { harSchema } from "./har-schema.ts";

const validator = new Validator({ ...harSchema }, "2020-12");

async function harOf(...entries: readonly JournalEntry[]): Promise<unknown> {
  const { body } = await askControl("GET /requests?format=har", controlled({ entries }));
  return body;
}

/** What the archive has for one request. */
async function archived(given: Partial<JournalEntry>): Promise<unknown> {
  const { log } = Object(await harOf(entry(given)));
  return log.entries[0];
}

const post = entry({
  id: "7",
  session: "test-7",
  interface: "chat",
  method: "POST",
  path: "/v1/chat/completions",
  query: "a=1&a=%26&b",
  headers: { host: "127.0.0.1:4010", "content-type": "application/json", "x-echo": "é" },
  body: { é: 1 },
  answeredBy: 'script "weather" reply 2',
  script: "weather",
  reply: 1,
  fault: "fault 1",
  durationMs: 12.5,
  bytes: 34,
});

test("is a HAR 1.2 document with every field that the format asks for", async () => {
  const har = await harOf(post, entry({ status: 0, aborted: true }), entry({ query: "?x" }));
  expect(validator.validate(har).errors).toEqual([]);
});

test("tells the request and the answer", async () => {
  expect(await archived(post)).toMatchObject({
    startedDateTime: post.at,
    time: 12.5,
    request: {
      method: "POST",
      url: "http://127.0.0.1:4010/@test-7/v1/chat/completions?a=1&a=%26&b",
      queryString: [
        { name: "a", value: "1" },
        { name: "a", value: "&" },
        { name: "b", value: "" },
      ],
      postData: { mimeType: "application/json", text: '{"é":1}' },
      bodySize: 8,
    },
    response: {
      status: 200,
      headers: [
        { name: "content-type", value: "application/json" },
        { name: "x-echo", value: "é" },
      ],
      content: { size: 34, mimeType: "application/json" },
      bodySize: 34,
    },
    timings: { send: 0, wait: 12.5, receive: 0 },
    _id: "7",
    _session: "test-7",
    _answeredBy: 'script "weather" reply 2',
    _script: "weather",
    _reply: 1,
    _fault: "fault 1",
  });
});

test.each([
  [{}, "http://backlot/rest/users"],
  [{ host: "localhost" }, "http://localhost/rest/users"],
  [{ host: "LOCALHOST:80" }, "http://LOCALHOST:80/rest/users"],
  [{ host: "[::1]:4010" }, "http://[::1]:4010/rest/users"],
  [{ host: "me:secret@localhost" }, "http://backlot/rest/users"],
  [{ host: "a b" }, "http://backlot/rest/users"],
  [{ host: "localhost/x?" }, "http://backlot/rest/users"],
])("makes the address of the headers %j", async (headers, url) => {
  expect(await archived({ headers })).toMatchObject({ request: { url } });
});

test("has the same filters as the list", async () => {
  const context = controlled({ entries: [post, entry({ id: "8" }), entry({ id: "9" })] });
  const asked = await askControl("GET /requests?format=har&interface=tables&limit=1", context);
  expect(asked.body).toMatchObject({ log: { entries: [{ _id: "8" }] } });
  const refused = await askControl("GET /requests?format=har&statuss=200", context);
  expect(refused).toMatchObject({ status: 400, code: "unknown_parameter" });
});

test("is the usual list when it is asked for by its name", async () => {
  const answer = await askControl("GET /requests?format=json", controlled({ entries: [post] }));
  expect(answer.body).toMatchObject({ requests: [post] });
});

test.each([
  ["a b", {}, "/@a%20b/rest/users"],
  ["one", { "x-backlot-session": "one" }, "/rest/users"],
  ["one", { "x-backlot-session": "two" }, "/@one/rest/users"],
  ["\ud800", {}, "/rest/users"],
])("asks the session %j again, with the headers %j", async (session, headers, path) => {
  expect(await archived({ session, headers })).toMatchObject({
    request: { url: `http://backlot${path}` },
  });
});

test.each(["/requests", "/requests?format=har"])(
  "reads the entries of %s while they are sent",
  async (path) => {
    const asked = controlled();
    let read = 0;
    const label = (): string => `read ${++read}`;
    const body = { name: "x".repeat(1_000_000) };
    for (let count = 0; count < 20; count++) {
      asked.record(entry({ body }), 0, { label, outcome: () => ({}), details: () => ({}) });
    }
    const { body: sent } = await asked.answer(
      call("GET", path, { headers: { host: "localhost:4010" } }),
    );
    expect([sent.kind, read > 0, read < 10]).toEqual(["live", true, true]);
    if (sent.kind !== "live") return;
    let text = "";
    const write = (data: string | Uint8Array): boolean => {
      text += String(data);
      return true;
    };
    sent.play({ write, finish: () => undefined });
    expect([read, JSON.stringify(JSON.parse(text)).split('"read ').length]).toEqual([20, 21]);
  },
);
