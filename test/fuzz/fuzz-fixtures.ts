import { contractTables } from "../support/contract-tables.ts";
import { contractModels } from "../support/contract-chats.ts";

// What the fuzzed emulators serve. Names that JavaScript gives to every object are columns and a table, too.

/** The table that no input names. */
export const untouched = "zz_untouched";

const oddTables: unknown = JSON.parse(
  `{"__proto__":[{"id":1,"__proto__":"a","constructor":2}],"odd":[{"id":1,"sort_by":"x","a.b":"y","limit":3,"a b":null,"ä":"z"}],
    "${untouched}":[{"id":1,"said":"still here"},{"id":2,"said":null}]}`,
);

/** The scripts of it. */
export const fuzzScripts: readonly object[] = [
  {
    name: "regex",
    when: { user: { regex: "say (?<what>.+)$", flags: "is" } },
    reply: { content: "{{ match.what }} / {{ user }} / {{ model }} / {{ messages | size }}" },
  },
  {
    name: "tables",
    when: { user: "rows" },
    reply: { content: "{{ tables.users | size }} {{ 'person.firstName' | faker }}" },
  },
  { name: "system", when: { system: { contains: "brief" }, turn: 0 }, reply: { content: "Yes." } },
  {
    name: "tool",
    when: { tool: "get_weather", turn: 0 },
    reply: { toolCalls: [{ name: "get_weather", arguments: { city: "{{ user }}" } }] },
  },
  {
    name: "result",
    when: { toolResult: { name: "get_weather" } },
    reply: { content: "It is {{ messages.last.content }}.", reasoning: "Well." },
  },
  {
    name: "header",
    when: { header: { "x-tenant": "acme" } },
    replies: [{ content: "one" }, { content: "two", refusal: "no" }],
    after: "cycle",
  },
  {
    name: "field",
    when: { request: { "messages.0.role": "user", temperature: 0 } },
    reply: { choices: [{ content: "A" }, { content: "B", finishReason: "length" }] },
  },
  {
    name: "twice",
    when: { user: { anyOf: ["twice", { equals: "2x" }] } },
    times: 2,
    reply: { content: { a: [1, "{{ user }}"] } },
  },
  { name: "failing", when: { user: "divide" }, reply: { content: "{{ 1 | divided_by: 0 }}" } },
  {
    name: "known",
    when: { user: { equals: "known request" } },
    reply: { content: "known answer" },
  },
  {
    name: "chunks",
    when: { user: "chunks" },
    reply: {
      chunks: [
        "a",
        { comment: "c" },
        { wait: 5 },
        { reasoning: "r" },
        { toolCall: { name: "f" } },
        "b",
      ],
    },
  },
  {
    name: "formatted",
    when: { request: { "response_format.type": "json_object", "messages.0.role": "user" } },
    reply: { content: { a: 1 } },
  },
  {
    name: "reset",
    when: { user: "break off" },
    reply: { content: "one two three", fault: { kind: "reset", afterChunks: 1 } },
  },
];

/** So many that they are found by an index: by a model, by words, and by what an expression needs. */
export const manyScripts: readonly object[] = Array.from({ length: 40 }, (_, index) => {
  const place = index % 8;
  const whens: readonly object[] = [
    { user: `known request ${index}` },
    { user: { contains: `word${index}` }, model: "at*" },
    { user: { regex: `^(?<a>say|ask) .*word${index}(?:x|y)+$`, flags: "i" } },
    { user: { anyOf: ["hello", { equals: `Hello ${index}` }, { regex: "(ro|co)ws?" }] } },
    { system: { contains: "brief" }, anyMessage: { contains: "é" } },
    { request: { "response_format.json_schema.name": "x", "a\\.b": index } },
    { request: { metadata: { equals: { a: "b" } }, "messages.0.content": [{ type: "text" }] } },
    { toolResult: { name: "get_weather", content: { regex: "\\d{2}" } } },
  ];
  return { name: `many-${index}`, when: whens[place], reply: { content: `many ${index}` } };
});

/** A fixture document with something of everything. */
export const fuzzFixtures: object = {
  tables: { ...contractTables, ...ownEntries(oddTables) },
  models: [...contractModels, { id: "tiny", contextLength: 40 }],
  chats: fuzzScripts,
};

/** As an object whose `__proto__` is a key. */
function ownEntries(value: unknown): object {
  return Object.fromEntries(Object.entries(Object(value)));
}
