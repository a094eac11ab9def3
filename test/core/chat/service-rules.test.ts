import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openaiProfile } from "../../../src/core/chat/profiles.ts";
import { serviceRules } from "../../../src/core/chat/request/service-rules.ts";
import { ask, emulatorWith } from "../../extras/responses/support.ts";
import { bodyOf, chatBody, chatContext, model, post } from "./support.ts";

// Each row of the table of rules in docs/fidelity.md, against the profiles.

const root = new URL("../../../", import.meta.url);

interface Row {
  readonly name: string;
  readonly isOfDocument: boolean;
  readonly param: string | null;
  readonly code: string | null;
  readonly isOfResponses: boolean;
}

function cellOf(cell: string = ""): string | null {
  return /`([^`]+)`/.exec(cell)?.[1] ?? null;
}

function sectionOf(path: string, heading: string): string {
  const [, section = ""] = readFileSync(new URL(path, root), "utf8").split(`\n## ${heading}\n`);
  return section.split("\n## ")[0] ?? "";
}

/** The cells of the rows that begin with a name in backticks. */
function namedRows(section: string): readonly (readonly string[])[] {
  const lines = section.split("\n").filter((line) => line.startsWith("| `"));
  return lines.map((line) => line.split("|").slice(1));
}

function rowsOfDocs(): readonly Row[] {
  const section = sectionOf("docs/fidelity.md", "The rules of `openai`");
  const ofDocument = /`(\S+)` holds under `document`/.exec(section)?.[1];
  return namedRows(section).map(([name, , param, code, responses]) => ({
    name: cellOf(name) ?? "",
    isOfDocument: cellOf(name) === ofDocument,
    param: cellOf(param),
    code: cellOf(code),
    isOfResponses: responses?.trim() === "yes",
  }));
}

const rows = rowsOfDocs();

const object = { type: "object", properties: { a: { type: "string" } } } as const;
const strictObject = { ...object, required: ["a"], additionalProperties: false } as const;

function offering(parameters: unknown, strict?: boolean): object {
  return { tools: [{ type: "function", function: { name: "f", parameters, strict } }] };
}

function answering(schema: unknown): object {
  const json_schema = { name: "f", schema, strict: true };
  return { response_format: { type: "json_schema", json_schema } };
}

const tool = { type: "function", function: { name: "f" } };
const choice = { type: "function", function: { name: "g" } };

/** What each rule refuses, and the nearest that it does not. */
const examples: Readonly<Record<string, { readonly refused: object[]; readonly taken: object[] }>> =
  {
    "stream-options": {
      refused: [{ stream_options: { include_usage: true } }],
      taken: [{ stream: true, stream_options: { include_usage: true } }],
    },
    "top-logprobs": {
      refused: [{ top_logprobs: 1 }],
      taken: [{ logprobs: true, top_logprobs: 1 }],
    },
    "metadata-store": {
      refused: [{ metadata: { a: "b" } }, { metadata: {}, store: false }],
      taken: [{ metadata: { a: "b" }, store: true }],
    },
    "token-limits": {
      refused: [{ max_tokens: 5, max_completion_tokens: 5 }],
      taken: [{ max_tokens: 5, max_completion_tokens: null }, { max_completion_tokens: 5 }],
    },
    audio: {
      refused: [{ modalities: ["text", "audio"] }],
      taken: [{ modalities: ["text", "audio"], audio: { voice: "alloy", format: "wav" } }],
    },
    "tools-needed": {
      refused: [{ parallel_tool_calls: false }],
      taken: [{ parallel_tool_calls: false, tools: [tool] }],
    },
    "tool-choice": {
      refused: [{ tools: [tool], tool_choice: choice }],
      taken: [{ tools: [tool], tool_choice: { type: "function", function: { name: "f" } } }],
    },
    "function-call": {
      refused: [{ functions: [{ name: "f" }], function_call: { name: "g" } }],
      taken: [{ functions: [{ name: "f" }], function_call: { name: "f" } }],
    },
    "function-schemas": {
      refused: [
        offering({}),
        offering({ type: "array", items: {} }),
        offering({ type: "object" }),
        offering({ type: "object", properties: [] }),
        offering({ type: "object", properties: {}, required: null }),
        offering({ type: "object", properties: { a: { type: "strin" } } }),
        offering({ type: "object", properties: { a: { type: "array" } } }),
        offering({ type: "object", properties: { a: { type: ["array", "null"] } } }),
        offering({ ...object, $defs: { b: { anyOf: [{ type: "array" }] } } }),
        offering(object, true),
        offering({ ...object, additionalProperties: false }, true),
        offering({ ...strictObject, required: ["a", "b"] }, true),
        offering({ ...strictObject, properties: { a: { oneOf: [] } } }, true),
        offering({ ...strictObject, properties: { a: object } }, true),
      ],
      taken: [
        offering(object),
        offering({ type: "object", properties: { a: { type: "object" } } }),
        offering({ type: "object", properties: { a: { oneOf: [true] } } }, false),
        offering({ type: "object", properties: { a: { type: "array", items: {} } } }),
        offering(strictObject, true),
        offering({ type: "object", properties: {}, additionalProperties: false }, true),
        offering({ ...strictObject, properties: { a: { type: "string", default: "b" } } }, true),
        { tools: [{ ...tool, function: { name: "f", description: "x".repeat(10_000) } }] },
      ],
    },
    "answer-schema": {
      refused: [
        answering(object),
        answering({ type: "array", items: {} }),
        answering({ ...strictObject, properties: { a: { allOf: [] } } }),
      ],
      taken: [answering(strictObject)],
    },
    "word-json": {
      refused: [{ response_format: { type: "json_object" } }],
      taken: [
        {
          response_format: { type: "json_object" },
          messages: [{ role: "user", content: "As Json." }],
        },
      ],
    },
    "reasoning-max-tokens": {
      refused: [
        { model: "o3-mini", max_tokens: 5 },
        { model: "openai/gpt-5.4-mini", max_tokens: 5 },
        { model: "thinker", max_tokens: 5 },
      ],
      taken: [
        { model: "o3-mini", max_completion_tokens: 5 },
        { model: "gpt-5-chat-latest", max_tokens: 5 },
        { model: "gpt-4o", max_tokens: 5 },
        { model: "o9-quick", max_tokens: 5 },
      ],
    },
    "reasoning-temperature": {
      refused: [
        { model: "gpt-5-mini", temperature: 0 },
        { model: "gpt-5.2-pro", temperature: 0 },
        { model: "gpt-5.2", temperature: 0, reasoning_effort: "low" },
        { model: "gpt-6-sol", temperature: 0 },
      ],
      taken: [
        { model: "gpt-5-mini", temperature: 1 },
        { model: "gpt-5.2", temperature: 0 },
        { model: "gpt-6-sol", temperature: 0, reasoning_effort: "none" },
        { model: "gpt-4o", temperature: 0 },
      ],
    },
    "reasoning-parameters": {
      refused: [
        { model: "gpt-5-mini", top_p: 0.5 },
        { model: "gpt-6-sol", top_p: 0.5, reasoning_effort: "low" },
      ],
      taken: [
        { model: "gpt-4o", stop: "x" },
        { model: "o4-mini", logprobs: false },
        { model: "gpt-5-mini", top_p: 1, presence_penalty: 0, frequency_penalty: 0 },
        { model: "gpt-6-sol", top_p: 0.5, reasoning_effort: "none" },
      ],
    },
    "message-length": {
      refused: [{ messages: [{ role: "user", content: "x".repeat(10_485_761) }] }],
      taken: [{ messages: [{ role: "user", content: "x".repeat(10_485_760) }] }],
    },
    "tools-length": {
      refused: [{ tools: Array.from({ length: 129 }, () => tool) }],
      taken: [{ tools: Array.from({ length: 128 }, () => tool) }],
    },
    "unknown-argument": { refused: [{ top_k: 5 }], taken: [{ top_p: 0.5 }] },
    "choices-of-tools": {
      refused: [{ tools: [tool], tool_choice: "any" }],
      taken: [{ tools: [tool], tool_choice: "required" }],
    },
  };

const models = [
  ..."gpt-4o gpt-5-mini gpt-5.2 gpt-5.2-pro gpt-6-sol gpt-5-chat-latest o3-mini o4-mini atlas"
    .split(" ")
    .map((id) => model(id)),
  model("openai/gpt-5.4-mini"),
  model("thinker", { reasoning: true }),
  model("o9-quick", { reasoning: false }),
];

const strict = chatContext({ profile: openaiProfile, models });

test("the table of docs has every rule, each with an example here, and no other", () => {
  const names = new Set(rows.map(({ name }) => name));
  expect(Object.keys(examples).toSorted()).toEqual([...names].toSorted());
  expect([...names]).toEqual(expect.arrayContaining(serviceRules.map(({ name }) => name)));
  for (const { name, isOfResponses } of rows) {
    const rule = serviceRules.find((known) => known.name === name);
    if (rule !== undefined) expect(rule.forms.includes("responses"), name).toBe(isOfResponses);
  }
});

test("each rule has a source", () => {
  const seen = namedRows(sectionOf("src/core/chat/README.md", "Where each rule was seen"));
  expect(seen.map(([name]) => cellOf(name))).toEqual([...new Set(rows.map(({ name }) => name))]);
  for (const [name, sources] of seen) expect(sources, name).toMatch(/\]\(https:\/\/|as `/);
});

test.each(rows)("the rule $name is one of the profiles that it is for", async (row) => {
  const { name, isOfDocument, param, code } = row;
  for (const more of examples[name]?.refused ?? []) {
    const reply = await post(strict, chatBody(more));
    const shown = JSON.stringify(more).slice(0, 200);
    expect(reply.status, shown).toBe(400);
    expect(bodyOf(reply).error, shown).toMatchObject({
      type: "invalid_request_error",
      param,
      code,
    });
    const lenient = await post(chatContext({ models }), chatBody(more));
    expect(lenient.status, shown).toBe(isOfDocument ? 400 : 200);
  }
  for (const more of examples[name]?.taken ?? []) {
    const reply = await post(strict, chatBody(more));
    expect(reply.status, JSON.stringify(more).slice(0, 200)).toBe(200);
  }
});

test.each([
  [offering({ type: "object" }), "In context=(), object schema missing properties."],
  [offering({}), `schema must be a JSON Schema of 'type: "object"', got 'type: "None"'.`],
  [
    offering({ type: "object", properties: { a: { type: "array", items: { type: "array" } } } }),
    "In context=('properties', 'a', 'items'), array schema missing items.",
  ],
  [
    offering({ ...object, properties: { a: { type: ["array"] } } }),
    "In context=('properties', 'a', 'type', '0'), array schema missing items.",
  ],
  [offering({ type: "object", properties: [] }), "[] is not of type 'object'."],
  [
    offering(object, true),
    "In context=(), 'additionalProperties' is required to be supplied and to be false.",
  ],
  [
    offering({ ...object, additionalProperties: false }, true),
    "In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing 'a'.",
  ],
  [
    offering({ ...strictObject, properties: { a: { oneOf: [] } } }, true),
    "In context=('properties', 'a'), 'oneOf' is not permitted.",
  ],
])("says of %j what the service says", async (more, problem) => {
  const { error } = bodyOf(await post(strict, chatBody(more)));
  expect(error.message).toBe(`Invalid schema for function 'f': ${problem}`);
});

test.each([
  ["top_p", { top_p: 0.9 }],
  ["presence_penalty", { presence_penalty: 1 }],
  ["frequency_penalty", { frequency_penalty: 0.5 }],
  ["logprobs", { logprobs: true }],
  ["logit_bias", { logit_bias: { 1: 1 } }],
  ["stop", { stop: "x" }],
])("a model that reasons does not have the parameter %s", async (param, more) => {
  const { error } = bodyOf(await post(strict, chatBody({ model: "o4-mini", ...more })));
  expect(error).toEqual({
    message: `Unsupported parameter: '${param}' is not supported with this model.`,
    type: "invalid_request_error",
    param,
    code: "unsupported_parameter",
  });
});

test("a model that reasons has one temperature", async () => {
  const { error } = bodyOf(await post(strict, chatBody({ model: "gpt-5-mini", temperature: 0.2 })));
  expect(error).toEqual({
    message:
      "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
    type: "invalid_request_error",
    param: "temperature",
    code: "unsupported_value",
  });
});

test.each([
  [
    "tools[1].parameters",
    "invalid_function_parameters",
    {
      tools: [
        { type: "web_search" },
        { type: "function", name: "f", parameters: { type: "object" } },
      ],
    },
  ],
  [
    "text.format.schema",
    "invalid_json_schema",
    {
      text: { format: { type: "json_schema", name: "f", schema: object, strict: true } },
    },
  ],
  ["text.format", null, { text: { format: { type: "json_object" } } }],
  ["temperature", null, { model: "o3-mini", temperature: 0.5 }],
])("Responses refuse by the same rules, at %s", async (param, code, more) => {
  const asked = { model: "gpt-4o", input: "Hi", ...more };
  const { status, body } = await ask(await emulatorWith([]), asked);
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ type: "invalid_request_error", param, code });
});
