import { expect, test } from "vitest";
import { openaiProfile } from "../../../src/core/chat/profiles.ts";
import type { ScriptReply } from "../../../src/core/chat/scripts/script.ts";
import { problemsOfText } from "../fixture-set/problems-of.ts";
import { bodyOf, chatBody, post, replying, wireOf } from "./support.ts";

const tool = {
  type: "function",
  function: { name: "get_weather", parameters: { type: "object", properties: {} } },
};
const custom = { type: "custom", custom: { name: "run_code" } };

/** What a template gives for a request. */
async function rendered(template: string, more: object = {}, headers = {}): Promise<unknown> {
  const context = replying({ content: template }, { profile: openaiProfile });
  const reply = await post(context, chatBody(more), headers);
  expect(bodyOf(reply).error).toBeUndefined();
  return bodyOf(reply).choices[0].message.content;
}

test.each([
  ["{{ request.temperature }} {{ request.metadata.user }}", "0.5 ada"],
  ["{{ headers.x-tenant }} {{ headers['x-tenant'] }}", "acme acme"],
  ["{{ tools | join: ', ' }}", "get_weather, run_code"],
  ["{{ tools.size }} {{ tools[0].name }} {{ tools[1].type }}", "2 get_weather custom"],
  [
    "{{ tools[0].function.name }} {{ tools | map: 'name' | join: '+' }}",
    "get_weather get_weather+run_code",
  ],
  ["[{{ request.seed }}{{ headers.x-other }}{{ tools[7].name }}{{ match.city }}]", "[]"],
])("renders %j from the request", async (template, expected) => {
  const more = { temperature: 0.5, store: true, metadata: { user: "ada" }, tools: [tool, custom] };
  expect(await rendered(template, more, { "x-tenant": "acme" })).toBe(expected);
});

test("knows the older functions as tools", async () => {
  const functions = [{ name: "get_weather", parameters: { type: "object", properties: {} } }];
  expect(await rendered("{{ tools }} {{ tools[0].function.name }}", { functions })).toBe(
    "get_weather get_weather",
  );
});

test("renders the message of an error, and its headers", async () => {
  const error = { status: 400, message: "{{ user }} is not allowed for {{ headers.x-tenant }}." };
  const context = replying({ error, headers: { "x-asked": "{{ user }}" } });
  const reply = await post(context, chatBody(), { "x-tenant": "acme" });
  expect(bodyOf(reply).error.message).toBe("Hi is not allowed for acme.");
  expect(reply.headers).toMatchObject({ "x-asked": "Hi" });
});

test.each([false, true])("renders the headers of a reply where stream is %s", async (stream) => {
  const context = replying({ content: "Yes", headers: { "X-Model": "{{ model }}" } });
  expect((await post(context, chatBody({ stream }))).headers).toMatchObject({ "x-model": "atlas" });
});

test("answers 500 where a header would have a line break", async () => {
  const context = replying({ content: "Yes", headers: { "x-said": "{{ user }}" } });
  const reply = await post(context, chatBody({}, "a\r\nb: c"));
  expect(reply.status).toBe(500);
  expect(bodyOf(reply).error.message).toContain('The header "x-said" would be "a\\r\\nb: c"');
});

test("renders the error of a fault, of a reply or among chunks", async () => {
  const error = { message: "{{ user }} broke it." };
  const replies: ScriptReply[] = [
    { content: "Once", fault: { kind: "error", afterChunks: 1, error } },
    { chunks: ["Once", { fault: { kind: "error", error } }] },
  ];
  for (const reply of replies) {
    expect(wireOf(await post(replying(reply), chatBody({ stream: true })))).toContain(
      '"message":"Hi broke it."',
    );
  }
});

const rendersNot =
  "is never rendered, so a template cannot stand here; write the value itself (texts, arguments, headers and the message of an error can be templates).";

test.each([
  [`"id": "{{ user }}", "content": "a"`, "id"],
  [`"model": "{{ model }}", "content": "a"`, "model"],
  [`"finishReason": "{{ user }}", "content": "a"`, "finishReason"],
  [`"error": { "status": 400, "message": "a", "code": "{{ user }}" }`, "code"],
  [`"error": { "status": 400, "message": "a", "type": "{{ user }}" }`, "type"],
  [`"error": { "status": 400, "message": "a", "param": "{{ user }}" }`, "param"],
  [`"toolCalls": [{ "name": "{{ tools[0] }}" }]`, "name"],
  [`"toolCalls": [{ "name": "a", "id": "{{ user }}" }]`, "id"],
  [`"chunks": [{ "toolCall": { "name": "{{ tools[0] }}" } }]`, "name"],
  [
    `"chunks": [{ "fault": { "kind": "error", "error": { "message": "a", "code": "{{ user }}" } } }]`,
    "code",
  ],
  [`"choices": [{ "content": "a", "finishReason": "{{ user }}" }]`, "finishReason"],
])("refuses a template where none is rendered: %s", async (text, key) => {
  const [problem, ...more] = await problemsOfText(`{ "chats": [{ "reply": { ${text} } }] }`);
  expect(more).toEqual([]);
  const column = text.indexOf('"{{') + 1 + `{ "chats": [{ "reply": { `.length;
  expect(problem).toBe(`db.json:1:${column}: "${key}" ${rendersNot}`);
});

test("finds an unknown variable in all places that are rendered", async () => {
  for (const text of [
    `"error": { "status": 400, "message": "{{ usr }}" }`,
    `"content": "a", "headers": { "x-a": "{{ usr }}" }`,
    `"content": "a", "fault": { "kind": "error", "error": { "message": "{{ usr }}" } }`,
  ]) {
    const problems = await problemsOfText(`{ "chats": [{ "reply": { ${text} } }] }`);
    expect(problems).toEqual([
      expect.stringContaining('undefined variable: usr. Did you mean "user"?'),
    ]);
  }
});
