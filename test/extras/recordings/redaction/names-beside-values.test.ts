import { expect, test } from "vitest";
import { usualRecordingRules } from "../../../../src/core/recordings/cassette.ts";
import { compileRules } from "../../../../src/core/recordings/recording-rules.ts";
import { conversationName } from "../../../../src/extras/recordings/record/cassette-names.ts";
import { redactExchange } from "../../../../src/extras/recordings/redaction/redact-exchange.ts";

const password = "hunter2-zulu";
const key = "k9+Zq/4tY+w7Lm==";

/** What is recorded of a chat whose user says this. */
function redacted(
  said: string,
  { path = "/chat/completions", answer = {} }: { path?: string; answer?: object } = {},
): string {
  const chat = { model: "m", messages: [{ role: "user", content: said }] };
  const body = new TextEncoder().encode(JSON.stringify(chat));
  const sent = { method: "POST", path, query: "", headers: {}, body };
  const { recording } = redactExchange(sent, compileRules(usualRecordingRules), "chat");
  return JSON.stringify(
    recording({ status: 200, headers: {}, afterMs: 1, body: { json: answer } }),
  );
}

const csv = (separator: string): string =>
  ["id", "user", "password"].join(separator) + `\n1${separator}ada${separator}${password}\n`;

test.each([
  ["members", JSON.stringify({ name: "password", value: password })],
  [
    "members in the other order",
    JSON.stringify({ value: password, type: "text", key: "db_password" }),
  ],
  [
    "members with others between",
    JSON.stringify({ name: "PGPASSWORD", in: "env", value: password }),
  ],
  ["a list of two", JSON.stringify(["password", password])],
  [
    "a list of pairs",
    JSON.stringify([
      ["user", "ada"],
      ["password", password],
    ]),
  ],
  ["arguments of a command", JSON.stringify(["login", "--password", password, "-v"])],
  ["CSV", csv(",")],
  ["CSV with semicolons", csv(";")],
  ["columns apart by tabs", csv("\t")],
  [
    "multipart",
    `--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n${password}\r\n--b--\r\n`,
  ],
  ["a form", `user=ada&password=${password}`],
  ["Basic", `Authorization: Basic ${btoa(`ada:${password}`)}`],
  ["curl's option", `curl -u ada:${password} https://a.example`],
  ["a Digest", `Authorization: Digest username="ada", response="${password}"`],
])("finds a password by %s in a message and in arguments of a tool", (_, text) => {
  const call = { function: { name: "f", arguments: JSON.stringify({ text }) } };
  const answer = { choices: [{ message: { tool_calls: [call] } }] };
  for (const shown of [redacted(text), redacted("hello", { answer })]) {
    expect(shown).not.toContain(password);
    expect(shown).not.toContain(btoa(`ada:${password}`));
  }
});

test.each([
  ["a form", `user=ada&api_key=${key}`],
  ["a form that encodes it", `user=ada&api_key=${encodeURIComponent(key)}`],
  ["a file of variables", `USER=ada\nAPI_KEY=${key}\n`],
  ["JSON", JSON.stringify({ api_key: key })],
  ["members", JSON.stringify({ name: "x-api-key", value: key })],
])("finds a key with plus signs in %s", (_, text) => {
  expect(redacted(text)).not.toMatch(/k9(?:\\+|%2B)Zq/);
});

test("redacts a password in the path, where a message tells it", () => {
  const path = `/reset/${password}/now`;
  expect(redacted(`password=${password}`, { path })).not.toContain(password);
});

test.each([
  ["names and values that are no secrets", JSON.stringify({ name: "colour", value: "blue-2024x" })],
  ["a schema", JSON.stringify({ name: "password", content: "string", value: "required" })],
  ["a list of words", JSON.stringify(["password", "username", "e-mail"])],
  ["CSV of prices", "id,name,price\n1,tea-2024x,12\n"],
  ["the word basic", "a basic understanding of digest access"],
])("leaves %s", (_, text) => {
  expect(redacted(text)).toContain(`"content":${JSON.stringify(text)}`);
});

/** The name of a cassette whose user says this. */
function named(content: string): string {
  const messages = [{ role: "user", content }];
  const request = { method: "POST", path: "/chat/completions", body: { json: { messages } } };
  return conversationName(request, content);
}

test("names a cassette by a hash alone where something of the prompt was redacted", () => {
  expect(named("my [password 1] and more")).toMatch(/^chat-[0-9a-f]{6}$/);
  expect(named("my word")).toMatch(/^chat-my-word-[0-9a-f]{6}$/);
});
