import { gzipSync } from "node:zlib";
import { strToU8, zipSync } from "fflate";
import { type MadeImport, one } from "./made-import.ts";

const question = { model: "gpt-4o", messages: [{ role: "user", content: "Hello" }] };
const reply = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "gpt-4o",
  choices: [
    { index: 0, message: { role: "assistant", content: "Hi there" }, finish_reason: "stop" },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};
const address = "https://api.openai.com/v1/chat/completions";
const asked = JSON.stringify(question);
const answered = JSON.stringify(reply);
const packed = gzipSync(answered);
const json = { name: "content-type", value: "application/json" };
const key = "sk-proj-abcdefghijklmnopqrstuvwxyz1234567890abcdefgh";

/** The only cassette of all these recordings, as it is called. */
const cassette: readonly string[] = ["cassettes/chat-hello-0571bc.json"];

function entry(content: object, more: object = {}, headers: readonly object[] = [json]): object {
  return {
    startedDateTime: "2024-01-01T00:00:00.000Z",
    request: {
      method: "POST",
      url: address,
      headers: [json, { name: "authorization", value: `Bearer ${key}` }],
      postData: { mimeType: "application/json", text: asked },
    },
    response: { status: 200, headers, content, ...more },
    timings: { send: 0, wait: 10, receive: 0 },
  };
}

function archive(...entries: readonly object[]): string {
  return JSON.stringify({ log: { version: "1.2", creator: { name: "a tool" }, entries } });
}

const gzipped = [json, { name: "content-encoding", value: "gzip" }];

/** Recordings of each tool. */
export const recordings: readonly MadeImport[] = [
  one("a.har", "an answer", archive(entry({ text: answered })), cassette),
  one(
    "aborted.har",
    "an answer and two aborted ones",
    archive(
      entry({ text: "" }, { status: 0, _error: "net::ERR_ABORTED" }),
      entry({ text: "", size: 0 }, { _error: "net::ERR_ABORTED" }),
      entry({ text: answered }),
    ),
    cassette,
  ),
  one(
    "all-aborted.har",
    "aborted answers only",
    archive(entry({ text: "" }, { status: 0 }), entry({ text: "" }, { _failureText: "aborted" })),
    "it has 2 entries, and none that is a whole answer",
  ),
  {
    name: "attached.har",
    has: "a body in a file beside it",
    files: {
      "attached.har": archive(entry({ size: 10, _file: "abc.json" })),
      "abc.json": answered,
    },
    becomes: cassette,
  },
  {
    name: "trace.zip",
    has: "an archive of Playwright with a body",
    files: {
      "trace.zip": zipSync({
        "har.har": strToU8(archive(entry({ size: 10, _file: "abc.json" }))),
        "abc.json": strToU8(answered),
      }),
    },
    becomes: cassette,
  },
  {
    name: "other.zip",
    has: "a zip archive of texts",
    files: { "other.zip": zipSync({ "a.txt": strToU8("a") }) },
    becomes: "it is a zip archive without a .har file",
  },
  one(
    "polly.har",
    "a packed body of Polly in pieces of base64",
    archive(
      entry(
        {
          encoding: "base64",
          text: JSON.stringify([packed.subarray(0, 50), packed.subarray(50)].map(base64)),
        },
        {},
        gzipped,
      ),
    ),
    cassette,
  ),
  one(
    "old-polly.har",
    "a packed body of Polly in hexadecimal digits",
    archive(
      entry({ _isBinary: true, text: JSON.stringify([packed.toString("hex")]) }, {}, gzipped),
    ),
    cassette,
  ),
  one(
    "recording.har.yaml",
    "an archive in YAML",
    `log:\n  creator: { name: Polly.JS }\n  entries:\n    - ${JSON.stringify(entry({ text: answered }))}\n`,
    cassette,
  ),
  one(
    "vcrpy.yaml",
    "a cassette of vcrpy with a packed body",
    `interactions:
- request:
    body: '${asked}'
    headers:
      authorization:
      - Bearer ${key}
      content-type: [application/json]
    method: POST
    uri: ${address}
  response:
    body:
      string: !!binary |
        ${base64(packed)}
    headers:
      Content-Encoding: [gzip]
      Content-Type: [application/json]
    status: {code: 200, message: OK}
version: 1
`,
    cassette,
  ),
  one(
    "parsed.yaml",
    "a cassette of vcrpy with parsed bodies",
    `interactions:
- request:
    headers: {content-type: [application/json]}
    method: POST
    parsed_body: ${asked}
    uri: ${address}
  response:
    headers: {content-type: [application/json]}
    parsed_body: ${answered}
    status: {code: 200, message: OK}
version: 1
`,
    cassette,
  ),
  one(
    "ruby.yml",
    "a cassette of VCR for Ruby",
    `---
http_interactions:
- request:
    method: post
    uri: ${address}
    body:
      encoding: UTF-8
      string: '${asked}'
    headers:
      Authorization:
      - Bearer ${key}
  response:
    status:
      code: 200
      message: OK
    headers:
      Content-Type:
      - application/json
    body:
      encoding: ASCII-8BIT
      base64_string: ${base64(Buffer.from(answered))}
    http_version:
  recorded_at: Wed, 01 Nov 2023 10:00:00 GMT
recorded_with: VCR 6.2.0
`,
    cassette,
  ),
  one(
    "vcr.json",
    "a cassette of VCR in JSON",
    { http_interactions: [rubyInteraction()] },
    cassette,
  ),
  one(
    "nock.json",
    "a packed body of nock",
    [
      {
        scope: "https://api.openai.com:443",
        method: "POST",
        path: "/v1/chat/completions",
        body: question,
        status: 200,
        response: [packed.toString("hex")],
        rawHeaders: ["Content-Type", "application/json", "Content-Encoding", "gzip"],
        responseIsBinary: false,
      },
    ],
    cassette,
  ),
  one(
    "plain-nock.json",
    "a body of nock as JSON",
    [
      {
        scope: "https://api.openai.com:443",
        method: "POST",
        path: "/v1/chat/completions",
        body: asked,
        status: 200,
        response: reply,
        rawHeaders: { "content-type": "application/json" },
      },
    ],
    cassette,
  ),
  one(
    "tape.json5",
    "a tape of talkback",
    `{
    meta: { createdAt: '2024-01-01T00:00:00.000Z', host: 'https://api.openai.com', reqHumanReadable: true, resHumanReadable: false, },
    req: { headers: { 'content-type': 'application/json' }, url: '/v1/chat/completions', method: 'POST', body: ${JSON.stringify(asked)} },
    res: { status: 200, headers: { 'content-type': ['application/json'] }, body: '${base64(Buffer.from(answered))}' }, // packed
}`,
    cassette,
  ),
  {
    name: "tapes",
    has: "a folder of recordings of several tools",
    files: {
      "tapes/a.har": archive(entry({ text: answered })),
      "tapes/deep/b.json": JSON.stringify({ http_interactions: [rubyInteraction()] }),
      "tapes/package.json": JSON.stringify({ name: "a", version: "1.0.0", scripts: {} }),
      "tapes/readme.txt": "no file of a known kind",
    },
    becomes: cassette,
  },
];

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

function rubyInteraction(): object {
  return {
    request: { method: "post", uri: address, body: { string: asked }, headers: {} },
    response: {
      status: { code: 200 },
      headers: { "Content-Type": ["application/json"] },
      body: { string: answered },
    },
    recorded_at: "Wed, 01 Nov 2023 10:00:00 GMT",
  };
}
