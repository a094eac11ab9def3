import { type Answer, chatProblem } from "../envelopes.ts";
import { FuzzEmulator } from "../fuzz-emulator.ts";
import { fuzzFixtures, fuzzScripts, manyScripts } from "../fuzz-fixtures.ts";
import type { FuzzKind, Problem } from "../fuzz-kind.ts";
import { anyJson, changedJson, escapedText, jsonText, oddText } from "../odd-values.ts";
import type { Random } from "../random.ts";
import type { SentCall } from "../sent-call.ts";

const profiles = [
  "document",
  "openai",
  "document strict",
  "openai strict",
  "document many",
  "openai limited",
] as const;

interface SentChat {
  readonly profile: (typeof profiles)[number];
  readonly call: SentCall;
}

const words =
  "model messages stream stream_options include_usage temperature top_p n stop max_tokens max_completion_tokens " +
  "logprobs top_logprobs logit_bias metadata tools tool_choice parallel_tool_calls response_format json_schema schema " +
  "function functions function_call name arguments parameters strict type role content text image_url url refusal " +
  "tool_calls tool_call_id id user system assistant developer tool seed store reasoning_effort modalities audio " +
  "prediction service_tier auto none required json_object atlas atlas-large atlas-embed tiny get_weather frequency_penalty";
const keys = words.split(" ");

const said = [
  "known request",
  "say hello",
  "rows",
  "divide",
  "twice",
  "chunks",
  "be brief",
  "known request 8",
  "Ask for word10xyx",
  "word17 and word2",
  "Hello 3",
  "show rows",
  "",
  "Hello",
  "2x",
  "say {{ user }}",
];

/** Requests for chat completions, under both profiles, with and without an answer to everything. */
export const chatBodies: FuzzKind<SentChat> = {
  name: "chat",
  make: (random) => ({ profile: random.pick(profiles), call: callFor(random) }),
  open: async () => {
    const emulators = {
      document: await openProfile("document", false),
      openai: await openProfile("openai", false),
      "document strict": await openProfile("document", true),
      "openai strict": await openProfile("openai", true),
      "document many": await openProfile("document", false, {
        chats: [...manyScripts, ...fuzzScripts],
      }),
      "openai limited": await openProfile("openai", false, {
        limits: { requestsPerMinute: 60, tokensPerMinute: 2_000 },
      }),
    };
    return {
      try: ({ profile, call }) => emulators[profile].ask(call, problemOf),
      check: async () => {
        for (const emulator of Object.values(emulators)) {
          const problem = await emulator.check();
          if (problem !== undefined) return problem;
        }
        return undefined;
      },
      close: () => Promise.resolve(),
    };
  },
};

function openProfile(
  chat: "document" | "openai",
  strict: boolean,
  more: object = {},
): Promise<FuzzEmulator> {
  return FuzzEmulator.open({
    profiles: { chat },
    strict,
    fixtures: { ...fuzzFixtures, ...more },
  });
}

const mostBytes = 20_000_000;

function problemOf(answer: Answer): Problem {
  if (answer.text.length > mostBytes) return `an answer of ${answer.text.length} characters`;
  return chatProblem(answer);
}

function callFor(random: Random): SentCall {
  const isPost = random.chance(0.97);
  return {
    method: isPost ? "POST" : random.pick(["GET", "PUT", "HEAD", "OPTIONS", "toString"]),
    path: isPost ? "/v1/chat/completions" : pathFor(random),
    query: random.chance(0.97) ? "" : oddText(random),
    headers: {
      ...(random.chance(0.99) ? { authorization: "Bearer k" } : {}),
      ...(random.chance(0.97)
        ? { "content-type": "application/json" }
        : { "content-type": oddText(random).slice(0, 50) }),
      ...(random.chance(0.1) ? { "x-tenant": random.pick(["acme", "other"]) } : {}),
    },
    body: random.chance(0.01) ? oddText(random) : jsonText(random, requestFor(random)),
    ...(random.chance(0.01) ? { fate: random.pick(["aborted", "too-large"]) } : {}),
  };
}

function pathFor(random: Random): string {
  const id = escapedText(random, oddText(random));
  return random.pick([
    "/v1/chat/completions",
    "/v1/models",
    `/v1/models/${id}`,
    "/models/org%2Ftiny:v1",
    "/v1/models/",
    `/v1/${id}`,
  ]);
}

function requestFor(random: Random): unknown {
  if (random.chance(0.02)) return anyJson(random, keys);
  let body: unknown = {
    model: random.pick(["atlas", "atlas", "atlas", "atlas-large", "tiny", "org/tiny:v1"]),
    messages: random.list(random.int(1, 4), () => messageFor(random)).flat(),
    ...optionsFor(random),
  };
  for (let changes = random.pick([0, 0, 1, 1, 1, 2, 4]); changes > 0; changes--) {
    body = changedJson(random, body, keys);
  }
  return body;
}

function messageFor(random: Random): unknown[] {
  const text = random.chance(0.6) ? random.pick(said) : oddText(random);
  return random.weighted<() => unknown[]>([
    [6, () => [{ role: "user", content: text }]],
    [1, () => [{ role: random.pick(["system", "developer"]), content: text, name: "n" }]],
    [
      1,
      () => [
        {
          role: "user",
          content: [
            { type: "text", text },
            { type: "image_url", image_url: { url: text, detail: "low" } },
          ],
        },
      ],
    ],
    [1, () => [{ role: "assistant", content: text, refusal: null }]],
    [
      1,
      () => [
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "a", type: "function", function: { name: "get_weather", arguments: "{}" } },
          ],
        },
        { role: "tool", tool_call_id: "a", content: text },
      ],
    ],
  ])();
}

function optionsFor(random: Random): object {
  const schema = {
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
    additionalProperties: false,
  };
  const options: Readonly<Record<string, unknown>> = {
    stream: random.pick([true, true, false, 1, 0, null]),
    stream_options: { include_usage: true },
    n: random.pick([1, 2, 3, 128]),
    temperature: random.pick([0, 1, 2]),
    stop: random.pick(["o", ["e", " "], "", null]),
    max_tokens: random.pick([1, 2, 16, 100_000]),
    max_completion_tokens: random.pick([1, 5]),
    logprobs: true,
    top_logprobs: 2,
    logit_bias: { 1: 5 },
    metadata: { a: "b" },
    frequency_penalty: random.pick([0, true, -2]),
    tools: [
      {
        type: "function",
        function: { name: "get_weather", parameters: { type: "object" }, strict: null },
      },
    ],
    tool_choice: random.pick(["auto", { type: "function", function: { name: "get_weather" } }]),
    response_format: random.pick([
      { type: "json_object" },
      { type: "text" },
      { type: "json_schema", json_schema: { name: "x", schema, strict: true } },
    ]),
    seed: 5,
    user: "u",
  };
  return Object.fromEntries(Object.entries(options).filter(() => random.chance(0.14)));
}
