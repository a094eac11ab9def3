import { expect, test } from "vitest";
import { checkTemplates, withTables } from "../../../src/core/fixture-set/check-templates.ts";
import { Findings } from "../../../src/core/schema/schema.ts";
import { readFixtureDocument } from "../../../src/core/fixture-set/read-fixtures.ts";
import { problemAtMark, problemsOfValue } from "./problems-of.ts";

test("reads scripts with everything that they can say", async () => {
  const when = {
    model: "atlas-*",
    user: { regex: "in (?<city>\\w+)", flags: "i" },
    system: { contains: "x" },
    anyMessage: { anyOf: ["a", { equals: "b" }] },
    turn: 0,
    tool: "get_weather",
    toolResult: { name: "get_weather", id: { regex: "^c" }, content: { contains: "rain" } },
    stream: true,
    header: { "x-tenant": "acme", "user-agent": { contains: "SDK" } },
    request: {
      temperature: 0,
      "response_format.type": "json_object",
      seed: { exists: false },
      max_tokens: { gt: 1, lte: 100, not: { anyOf: [5, 6] } },
      "messages.-1.content": { equals: { a: 1 } },
    },
    step: 0,
    part: "image",
  };
  const reply = { content: "Rain in {{ match.city }}.", pace: { gapMs: 5, by: "word" } };
  const chunks = ["a", { wait: 5 }, { toolCall: { name: "f", arguments: { a: [1] } } }];
  const { scripts } = await readFixtureDocument({
    chats: [
      { name: "weather", when, times: 2, reply },
      {
        replies: [{ chunks }, { error: { status: 429, message: "Slow down", code: null } }],
        after: "cycle",
        count: "step",
      },
    ],
  });
  expect(scripts).toEqual([
    { name: "weather", when, times: 2, replies: [reply] },
    {
      name: "chats-2",
      replies: [{ chunks }, { error: { status: 429, message: "Slow down", code: null } }],
      after: "cycle",
      count: "step",
    },
  ]);
});

test.each([
  ['"reply": ▸{}', "The reply is empty: give it content,"],
  ['"replies": ▸[]', '"replies" must not be empty.'],
  [
    '"reply": { "content": "a" }, ▸"replies": [{ "content": "a" }]',
    'Give "reply" or "replies", not both. Make "reply" the first of "replies".',
  ],
  ['▸"replay": {}', 'Unknown key "replay". Did you mean "reply"?'],
  ['"name": ▸"", "reply": { "content": "a" }', '"name" must not be empty.'],
  ['"times": ▸0, "reply": { "content": "a" }', '"times" must be 1 or more, but is 0.'],
  ['"after": ▸"cicle", "reply": { "content": "a" }', 'Did you mean "cycle"?'],
  [
    '▸"after": "repeat", "reply": { "content": "a" }',
    '"after" needs "replies": it decides what follows the last one. Remove it.',
  ],
  [
    '"reply": { "content": "a" }, ▸"after": "end"',
    '"after" needs "replies": it decides what follows the last one. Write "times": 1 instead.',
  ],
  [
    '"reply": { "content": "a", "fault": { "kind": "noFinish", "afterChunks": ▸1 } }',
    '"afterChunks" has no effect on noFinish; remove it.',
  ],
  [
    '"when": { "header": { "x-a": ▸" v" } }, "reply": { "content": "a" }',
    '"x-a" has white space at its ends, which received headers never have; remove it.',
  ],
  [
    '"when": { "request": { "a": ▸{ "gt": 5, "lt": 3 } } }, "reply": { "content": "a" }',
    '"a" has matchers that exclude each other: nothing is both a number greater than 5 and a number less than 3.',
  ],
  [
    '"when": { "request": { "a": { ▸"user": "b" } } }, "reply": { "content": "a" }',
    '"user" is no matcher. Put an object that must be equal into "equals": {"equals": {"user": …}}. ' +
      'Matchers: "equals", "contains",',
  ],
  [
    '"when": { "request": { "a": { ▸"contians": "b" } } }, "reply": { "content": "a" }',
    '"contians" is no matcher. Did you mean "contains"? Put an object',
  ],
  [
    '"when": { "header": { "a": { "equals": "b", ▸"starts": "b" } } }, "reply": { "content": "a" }',
    '"starts" is no matcher.',
  ],
  [
    '"when": { "request": { "a": ▸{} } }, "reply": { "content": "a" }',
    'An object here has matchers, such as {"contains": "a"}. Write {"equals": {}} for a value that is empty.',
  ],
  [
    '"when": { "request": { "a": { "contains": "b", ▸"flags": "i" } } }, "reply": { "content": "a" }',
    '"flags" belongs to a "regex", which is missing.',
  ],
  [
    '"when": { "request": { "a": { "not": { ▸"b": 1 } } } }, "reply": { "content": "a" }',
    '"b" is no matcher.',
  ],
  [
    '"when": { "request": { "a": { "anyOf": ▸[] } } }, "reply": { "content": "a" }',
    '"anyOf" must not be empty.',
  ],
  [
    '"when": { "request": { "a": { "gt": ▸"5" } } }, "reply": { "content": "a" }',
    '"gt" must be a number, but is "5".',
  ],
  [
    '"when": { "header": { "a": ▸5 } }, "reply": { "content": "a" }',
    '"a" must be a text, but is 5.',
  ],
  [
    '"when": { "toolResult": { "id": { "equals": ▸5 } } }, "reply": { "content": "a" }',
    '"equals" must be a text, but is 5.',
  ],
  [
    '"when": { "turn": 0, "step": ▸1 }, "reply": { "content": "a" }',
    '"step" can never be 1 at "turn": 0, which counts all assistant messages.',
  ],
  [
    '"reply": { "content": "a" }, ▸"count": "step"',
    '"count" needs "replies": it decides which of them comes. Remove it.',
  ],
  ['"reply": { "choices": ▸[] }', '"choices" must not be empty.'],
  [
    '"reply": { "content": ▸5 }',
    '"content" must be a text, or an object or array to be sent as JSON text, but is 5.',
  ],
  ['"reply": { "content": ▸"a", "chunks": ["a"] }', '"content" and chunks both give the text'],
  [
    '"reply": { "chunks": ["a"], ▸"toolCalls": [{ "name": "f" }] }',
    '"toolCalls" has no effect beside "chunks". Remove one of the two.',
  ],
  [
    '"reply": { ▸"content": "a", "error": { "status": 500, "message": "m" } }',
    '"content" has no effect beside "error". Remove one of the two.',
  ],
  [
    '"reply": { "error": { "status": ▸200, "message": "m" } }',
    '"status" must be 400 or more, but is 200.',
  ],
  ['"reply": { "error": { "status": ▸600, "message": "m" } }', "must be 599 or less"],
  ['"reply": { "error": ▸{ "message": "m" } }', 'The key "status" is missing.'],
  [
    '"reply": { "content": "a", "pace": { "gapMs": ▸1, "tokensPerSecond": 2 } }',
    '"gapMs" and tokensPerSecond both set the speed; remove one of the two.',
  ],
  [
    '"reply": { "content": "a", "pace": { "jitter": ▸2 } }',
    '"jitter" must be 1 or less, but is 2.',
  ],
  [
    '"reply": { "content": "a", "pace": { "tokensPerSecond": ▸0 } }',
    "must be more than 0, but is 0.",
  ],
  ['"reply": { "content": "a", "pace": { "by": ▸"words" } }', 'Did you mean "word"?'],
  ['"reply": { "content": "a", "pace": { "by": ▸0 } }', '"by" must be 1 or more, but is 0.'],
  ['"reply": { "content": "a", "headers": { "a b": ▸"c" } }', '"a b" is not a valid header name'],
  ['"reply": { "chunks": ▸[] }', '"chunks" must not be empty.'],
  ['"reply": { "chunks": [{ ▸"wiat": 1 }] }', 'Unknown key "wiat". Did you mean "wait"?'],
  ['"reply": { "chunks": [{ "wait": 1, ▸"raw": "a" }] }', 'Give only one of "wait", "reasoning"'],
  ['"reply": { "chunks": [▸{}] }', 'One of "wait", "reasoning"'],
  ['"reply": { "chunks": [▸5] }', '"chunks[0]" must be a text, or an object with "wait"'],
  ['"reply": { "chunks": [{ "fault": ▸"hang" }] }', 'Expected "stall", "cut"'],
  ['"reply": { "content": "a", "fault": { "kind": ▸"cutt" } }', 'Did you mean "cut"?'],
  [
    '"reply": { "content": "a", "fault": { "kind": "cut", "probability": ▸2 } }',
    "must be 1 or less",
  ],
  [
    '"reply": { "toolCalls": [{ "name": "f", "arguments": ▸[] }] }',
    "must be an object, a text or null",
  ],
  ['"reply": ▸"hi"', '"reply" must be an object such as {"content": "hi"}, but is "hi".'],
  ['"reply": ▸5', '"reply" must be an object, but is 5.'],
  [`"replies": [▸"${"x".repeat(50)}"]`, '"replies[0]" must be an object such as {"content": "…"}'],
  ['"reply": { "toolCalls": [{ ▸"nam": "f" }] }', 'Unknown key "nam". Did you mean "name"?'],
])("refuses the script with %s", async (script, expected) => {
  expect(await problemAtMark(`{ "chats": [{ ${script} }] }`)).toContain(expected);
});

test.each([
  ['{ ▸"modle": "x" }', 'Unknown key "modle". Did you mean "model"?'],
  ['{ "model": ▸"" }', '"model" must not be empty.'],
  ['{ "user": ▸5 }', '"user" must be a text, or an object with "equals", "contains"'],
  ['{ "user": { ▸"contians": "x" } }', 'Unknown key "contians". Did you mean "contains"?'],
  ['{ "user": { "equals": "x", ▸"contains": "y" } }', 'Give only one of "equals", "contains"'],
  ['{ "user": { "equals": "x", ▸"flags": "i" } }', 'Unknown key "flags". Keys here: "equals".'],
  ['{ "user": { "regex": ▸"(" } }', "Invalid regular expression: /(/"],
  ['{ "user": { "regex": ▸"a", "flags": "q" } }', "Invalid flags"],
  ['{ "user": { "anyOf": ▸[] } }', '"anyOf" must not be empty.'],
  ['{ "user": { "anyOf": ["a", { "anyOf": [{ "regex": ▸"[" }] }] } }', "Invalid regular"],
  ['{ "toolResult": { "content": { "regex": ▸"(" } } }', "Invalid regular expression"],
  ['{ "turn": ▸-1 }', '"turn" must be 0 or more, but is -1.'],
  ['{ "stream": ▸1 }', '"stream" must be true or false, but is 1.'],
  ['{ "header": { "x-a": ▸1 } }', '"x-a" must be a text, but is 1.'],
  ['{ "header": { ▸"": "a" } }', "A name must not be empty."],
])("refuses the condition %s", async (when, expected) => {
  const text = `{ "chats": [{ "when": ${when}, "reply": { "content": "a" } }] }`;
  expect(await problemAtMark(text)).toContain(expected);
});

test("refuses two scripts of one name, a name made after the place included", async () => {
  const reply = { content: "a" };
  const chats = [{ name: "a", reply }, { name: "a", reply }, { name: "chats-4", reply }, { reply }];
  expect(await problemsOfValue({ chats })).toEqual([
    'chats[1].name: Another script is called "a". Give each script its own "name".',
    'chats[3].name: Another script is called "chats-4". Give each script its own "name".',
  ]);
});

test("points at the mistake within a template, behind escapes and line breaks", async () => {
  const text = '{ "chats": [{ "reply": {\n "content": "\\u0041\\n{{ ▸usr }}" } }] }';
  expect(await problemAtMark(text)).toBe(
    'The template is not valid: undefined variable: usr. Did you mean "user"?',
  );
});

test("refuses a template that works with other files, at its place", async () => {
  const text =
    '{ "chats": [{ "reply": {\n "content": "{% if user %}▸{% include user %}{% endif %}" } }] }';
  expect(await problemAtMark(text)).toContain('The template is not valid: the tag "include" works');
});

test("takes the details of usage, which are counts by name", async () => {
  const usage = { prompt_tokens_details: { cached_tokens: 5 }, completion_tokens_details: {} };
  const { scripts } = await readFixtureDocument({ chats: [{ reply: { content: "x", usage } }] });
  expect(scripts[0]?.replies[0].usage).toEqual(usage);
  const wrong = { prompt_tokens_details: { cached_tokens: -1 }, completion_tokens_details: 5 };
  expect(await problemsOfValue({ chats: [{ reply: { content: "x", usage: wrong } }] })).toEqual([
    'chats[0].reply.usage.prompt_tokens_details.cached_tokens: "cached_tokens" must be 0 or more, but is -1.',
    'chats[0].reply.usage.completion_tokens_details: "completion_tokens_details" must be an object, but is 5.',
  ]);
});

test("refuses a script without a reply", async () => {
  expect(await problemAtMark('{ "chats": [▸{ "name": "a" }] }')).toBe(
    'A script needs "reply", or several "replies".',
  );
});

test.each([
  ["{{ user | upcas }}", "upcase"],
  ["{% if user %}", "not closed"],
  ["{{ 'person.fullNam' | faker }}", "person.fullName"],
])("refuses the template %s", async (content, hint) => {
  const [line, ...others] = await problemsOfValue({
    chats: [{ replies: [{ content: "a" }, { content }] }],
  });
  expect(line).toMatch(/^chats\[0\]\.replies\[1\]\.content: The template is not valid: /);
  expect(line).toContain(hint);
  expect(others).toEqual([]);
});

test("does not look into templates when told not to", async () => {
  const document = { chats: [{ reply: { content: "{{ usr }}" } }] };
  const { scripts } = await readFixtureDocument(document, { checkTemplates: false });
  expect(scripts).toHaveLength(1);
});

const town = { user: { regex: "in (?<city>\\w+)(?<__proto__>x)?" } };

test.each([
  ["{{ ▸match.citi }}", 'undefined variable: match.citi. Did you mean "city"?'],
  [
    "{{ user }} {{ ▸match.day }}",
    'undefined variable: match.day. In "match" here: "city", "__proto__".',
  ],
  ["{% for c in ▸match.towns %}{{ c }}{% endfor %}", "undefined variable: match.towns."],
  ["{{ ▸match[1] }}", 'undefined variable: match.1. In "match" here: "city", "__proto__".'],
  ["{{ ▸match.first }}", 'undefined variable: match.first. In "match" here: "city", "__proto__".'],
  ["{{ ▸user.name }}", 'user.name. "user" is a text: it has "size", and letters by number.'],
  ["{{ ▸user.first }}", 'user.first. "user" is a text: it has "size", and letters by number.'],
  ["{{ ▸messages.lenght }}", '"messages" is a list: it has "size", "first", "last", and items by'],
  ["{{ ▸messages.lasst }}", 'undefined variable: messages.lasst. Did you mean "last"?'],
])("refuses %s, which no matcher of the script gives a value", async (content, message) => {
  const script = { when: town, reply: { content } };
  expect(await problemAtMark(JSON.stringify({ chats: [script] }))).toContain(message);
});

test.each([
  "{{ match.city }} {{ match.__proto__ }}",
  "{% if match.day %}{{ match.day | default: 'x' }}{% elsif match.towns %}{% endif %}",
  "{% liquid\n if match.day\n echo 'x'\n endif\n assign d = match.day | default: 1 %}",
  "{% assign match = user %}{{ match.size }} {% for user in messages %}{{ user.content }}{% endfor %}",
  "{{ match[user] | default: 'x' }} {{ messages[0].content }} {{ messages.last.role }} {{ user.size }}{{ user[0] }}{{ match.size }}{{ messages[-1].role }}",
  "{{ tables.anything.first.name }}",
])("takes %s", async (content) => {
  expect(await problemsOfValue({ chats: [{ when: town, reply: { content } }] })).toEqual([]);
});

test.each(["match.city", "match[1]"])("refuses %s in a script without matchers", async (path) => {
  const content = `{{ ${path} }}`;
  const [problem] = await problemsOfValue({ chats: [{ reply: { content } }] });
  expect(problem).toMatch(/undefined variable: match\.\w+\. There is nothing in "match" here\.$/);
});

test("refuses tables that do not exist, where all are known", async () => {
  const findings = new Findings();
  const text = "{{ tables.users.first.name }}\n{{ tables.usrs.size }}";
  const template = { text, path: ["chats", 0], variables: ["tables", "match"] };
  await checkTemplates(withTables([template], ["users"]), findings);
  expect(findings.list).toEqual([
    expect.objectContaining({
      message: 'The template is not valid: undefined variable: tables.usrs. Did you mean "users"?',
      character: text.indexOf("tables.usrs"),
    }),
  ]);
});
