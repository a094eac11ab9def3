import { expect, test } from "vitest";
import { usualRecordingRules } from "../../../../src/core/recordings/cassette.ts";
import { importHar } from "../../../../src/extras/recordings/importers/har.ts";

const secret = "sk-verysecret1234567890";

/** An entry of an archive. */
function entry(
  method: string,
  url: string,
  more: { sent?: string; answered?: object; headers?: object[]; at?: string; status?: number } = {},
) {
  const { sent, answered = {}, headers = [], at = "2024-01-01T00:00:00.000Z", status = 200 } = more;
  return {
    startedDateTime: at,
    timings: { send: 5, wait: 95, receive: 200 },
    request: {
      method,
      url,
      headers: [{ name: "Authorization", value: `Bearer ${secret}` }, ...headers],
      ...(sent === undefined ? {} : { postData: { mimeType: "application/json", text: sent } }),
    },
    response: {
      status,
      headers: [
        { name: "Content-Type", value: "application/json" },
        { name: "Content-Encoding", value: "gzip" },
        { name: "Set-Cookie", value: `session=${secret}` },
      ],
      content: { mimeType: "application/json", ...answered },
    },
  };
}

function imported(...entries: readonly unknown[]) {
  const { files, remarks } = importHar({ log: { version: "1.2", entries } }, usualRecordingRules);
  return {
    files: files.map(({ name }) => name),
    cassettes: files.map(({ text }) => JSON.parse(text)),
    told: remarks.map(({ path, message }) => `${path.join(".")}: ${message}`),
    text: JSON.stringify(files),
  };
}

const hello = JSON.stringify({ model: "a", messages: [{ role: "user", content: "Hello" }] });

test("entries of both interfaces are cassettes, one for each conversation and table", () => {
  const chat = entry("POST", "https://api.example.com/v1/chat/completions?x=1", {
    sent: hello,
    answered: { text: '{"choices":[]}' },
  });
  const rows = entry("GET", "https://db.example.com/rest/users?limit=1", {
    answered: { text: '{"result":[]}' },
  });
  const { files, cassettes, told } = imported(chat, rows);
  expect(files).toEqual([
    expect.stringMatching(/^cassettes\/chat-hello-[0-9a-f]{6}\.json$/),
    "cassettes/tables-users.json",
  ]);
  expect(cassettes.map(({ upstream }) => upstream)).toEqual([
    "https://api.example.com/v1",
    "https://db.example.com/rest",
  ]);
  expect(cassettes[0].recordings[0].request).toMatchObject({
    path: "/chat/completions",
    query: "x=1",
  });
  expect(cassettes[1].recordings[0].answer).toMatchObject({
    status: 200,
    body: { json: { result: [] } },
  });
  expect(told).toEqual([]);
});

test("an exchange of Responses is a cassette of the conversation, one of embeddings of its path", () => {
  const url = "https://api.example.com/v1";
  const response = entry("POST", `${url}/responses`, {
    sent: JSON.stringify({ model: "a", input: "Hello there" }),
    answered: { text: '{"object":"response","output":[]}' },
  });
  const embedding = entry("POST", `${url}/embeddings`, {
    sent: JSON.stringify({ model: "a", input: "Hello there" }),
    answered: { text: '{"object":"list","data":[]}' },
  });
  const { files, told } = imported(response, embedding);
  expect(files).toEqual([
    expect.stringMatching(/^cassettes\/chat-hello-there-[0-9a-f]{6}\.json$/),
    "cassettes/chat-embeddings.json",
  ]);
  expect(told).toEqual([]);
});

test("headers of the connection and of HTTP/2 itself do not come into a cassette", () => {
  const given = entry("GET", "https://db.example.com/rest/users", {
    answered: { text: '{"result":[]}' },
  });
  const names = [":status", "Connection", "Keep-Alive", "Proxy-Authenticate", "TE", "Trailer"];
  given.response.headers = ["x-trace", ...names].map((name) => ({ name, value: "1" }));
  const { cassettes } = imported(given);
  expect(cassettes[0].recordings[0].answer.headers).toEqual({ "x-trace": "1" });
});

test("no secret comes into a cassette, and no packing that the file has undone", () => {
  const url = `https://api.example.com/v1/chat/completions?api_key=${secret}`;
  const { text } = imported(entry("POST", url, { sent: hello, answered: { text: "{}" } }));
  expect(text).toContain("/chat/completions");
  expect(text).not.toContain(secret);
  expect(text).not.toContain("gzip");
});

test("a base64 body is the bytes that it stands for", () => {
  const answered = { text: btoa('{"result":[{"id":1}]}'), encoding: "base64" };
  const { cassettes } = imported(entry("GET", "http://x/rest/a", { answered }));
  expect(cassettes[0].recordings[0].answer.body).toEqual({ json: { result: [{ id: 1 }] } });
});

test("the events of a stream are spread evenly, and that is told", () => {
  const given = entry("POST", "http://x/v1/chat/completions", {
    sent: hello,
    answered: { text: "data: 1\n\ndata: 2\n\ndata: [DONE]\n\n" },
  });
  given.response.headers[0] = { name: "content-type", value: "text/event-stream" };
  const { cassettes, told } = imported(given);
  expect(cassettes[0].recordings[0].answer).toMatchObject({
    afterMs: 100,
    stream: [
      { atMs: 100, text: "data: 1\n\n" },
      { atMs: 200, text: "data: 2\n\n" },
      { atMs: 300, text: "data: [DONE]\n\n" },
    ],
    end: { atMs: 300, how: "close" },
  });
  expect(told).toEqual([
    expect.stringMatching(/^log\.entries\.0: the file does not say when each event came/),
  ]);
});

const askedAt = (second: number, id: number) =>
  entry("GET", `http://x/rest/a/${id}`, {
    at: `2024-01-01T00:00:0${second}.000Z`,
    answered: { text: '{"result":[]}' },
  });

test("entries stand in the order in which they were asked", () => {
  const { cassettes } = imported(askedAt(2, 1), askedAt(1, 2));
  expect(
    cassettes[0].recordings.map((one: { request: { path: string } }) => one.request.path),
  ).toEqual(["/a/2", "/a/1"]);
});

test("other entries are counted and named", () => {
  const { told } = imported(
    entry("GET", "https://x/logo.png"),
    entry("GET", "https://x/rest/api/2/issue"),
    entry("GET", "https://x/rest/other", { answered: { text: "<html>" } }),
  );
  expect(told).toEqual([
    "log.entries.0: left out: 3 entries of neither interface: GET https://x/logo.png, GET https://x/rest/api/2/issue, GET https://x/rest/other",
  ]);
});

test.each([
  [
    entry("POST", "http://x/chat/completions", { sent: hello, answered: { size: 9 } }),
    "the body of its answer is missing",
  ],
  [entry("POST", "http://x/chat/completions", { sent: hello, status: 0 }), "it got no answer"],
  [
    entry("POST", "http://x/chat/completions", {
      sent: hello,
      answered: { text: "%", encoding: "base64" },
    }),
    "or not base64",
  ],
  [entry("POST", "http://x/chat/completions"), ""],
  [null, "neither interface"],
])("tells what an entry lacks: %#", (given, told) => {
  expect(imported(given).told.join()).toContain(told);
});

const askedOf = (host: string) =>
  entry("GET", `http://${host}/rest/a`, { answered: { text: '{"result":[]}' } });

test("tells of entries that were asked elsewhere than the first", () => {
  expect(imported(askedOf("x"), askedOf("y")).told).toEqual([
    "log.entries.1: it was sent to http://y/rest, but is stored with those sent to http://x/rest",
  ]);
});
