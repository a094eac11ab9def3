import { expect, test } from "vitest";
import { countTokens } from "gpt-tokenizer/encoding/cl100k_base";
import { post, vectorsOf, wholeService } from "./support.ts";

const models = [
  { id: "embed", variant: "embed-2026-01", kind: "embedding", dimensions: 8, contextLength: 20 },
  { id: "text-embedding-ada-002", kind: "embedding" },
  { id: "text-embedding-3-small", kind: "embedding" },
  { id: "atlas", kind: "chat" },
];

test("the answer lists a vector for each text, in their order, with the tokens of all", async () => {
  const emulator = await wholeService({ models });
  const { status, body } = await post(emulator, { model: "embed", input: ["one two", "three"] });
  expect(status).toBe(200);
  expect(body).toEqual({
    object: "list",
    data: [
      { object: "embedding", index: 0, embedding: expect.any(Array) },
      { object: "embedding", index: 1, embedding: expect.any(Array) },
    ],
    model: "embed-2026-01",
    usage: { prompt_tokens: 3, total_tokens: 3 },
  });
  const [first, second] = body.data;
  expect(first.embedding).toEqual((await vectorsOf(emulator, "one two", { model: "embed" }))[0]);
  expect(second.embedding).not.toEqual(first.embedding);
});

test("the model is answered as it was asked for, if the fixtures name no variant", async () => {
  const { body } = await post(await wholeService(), { model: "any-model", input: "a" });
  expect(body.model).toBe("any-model");
});

test("base64 has the same numbers, in four bytes each, the lowest first", async () => {
  const emulator = await wholeService();
  for (const dimensions of [1, 2, 3, 1536]) {
    const [numbers] = await vectorsOf(emulator, "parcel", { dimensions });
    const fields = { dimensions, encoding_format: "base64" };
    const [text] = await vectorsOf(emulator, "parcel", fields);
    const bytes = Buffer.from(String(text), "base64");
    expect(bytes).toHaveLength(dimensions * 4);
    const read = Array.from({ length: dimensions }, (_, place) => bytes.readFloatLE(place * 4));
    expect(read).toEqual(numbers);
    expect(bytes.toString("base64")).toBe(text);
  }
});

test("the configured tokenizer counts", async () => {
  const input = "The quick brown fox jumps over the lazy dog, unquestionably.";
  const emulator = await wholeService({ tokenizer: "cl100k_base" });
  const { body } = await post(emulator, { model: "m", input: [input, input] });
  const tokens = 2 * countTokens(input);
  expect(body.usage).toEqual({ prompt_tokens: tokens, total_tokens: tokens });
});

test("tokens have the vector of their text, and count as many as they are", async () => {
  const emulator = await wholeService();
  const [vector] = await vectorsOf(emulator, "Hello, world");
  const tokens = [9906, 11, 1917];
  for (const input of [tokens, [tokens]]) {
    const { body } = await post(emulator, { model: "text-embedding-3-small", input });
    expect(body.data[0].embedding).toEqual(vector);
    expect(body.usage.prompt_tokens).toBe(3);
  }
  const [emoji] = await vectorsOf(emulator, "🙂👍");
  const { body } = await post(emulator, {
    model: "text-embedding-3-small",
    input: [9468, 247, 224, 9468, 239, 235],
  });
  expect(body.data[0].embedding).toEqual(emoji);
});

test("a deployment of Azure is the model", async () => {
  const emulator = await wholeService({ models });
  const path = "/openai/deployments/embed/embeddings?api-version=2026-10-21";
  const { status, body } = await post(emulator, { input: "a", model: "other" }, path);
  expect(status).toBe(200);
  expect(body.model).toBe("embed-2026-01");
});

const long = "word ".repeat(8200);
const many = Array.from({ length: 60 }, () => "word ".repeat(5500));

test.each([
  ["no model", { input: "a" }, 400, null, null, "you must provide a model parameter"],
  [
    "no input",
    {},
    400,
    "missing_required_parameter",
    "input",
    "Missing required parameter: 'input'",
  ],
  [
    "null",
    { input: null },
    400,
    "missing_required_parameter",
    "input",
    "Missing required parameter: 'input'",
  ],
  ["an empty text", { input: "" }, 400, null, null, "'$.input' is invalid: it is an empty text."],
  ["an empty list", { input: [] }, 400, null, null, "'$.input' is invalid: it is an empty list."],
  ["a number", { input: 5 }, 400, null, null, "'$.input' is invalid: it is the number 5."],
  ["an object", { input: {} }, 400, null, null, "'$.input' is invalid: it is an object."],
  ["a mixed list", { input: ["a", 1] }, 400, null, null, "its item 1 is the number 1."],
  ["tokens and a text", { input: [1, "a"] }, 400, null, null, 'its item 1 is the string "a".'],
  [
    "an empty text in a list",
    { input: ["a", ""] },
    400,
    null,
    null,
    "its item 1 is an empty text.",
  ],
  ["a text without tokens", { input: [[1], []] }, 400, null, null, "its item 1 is an array."],
  ["half a token", { input: [1.5] }, 400, null, null, "its item 0 is the number 1.5."],
  ["a negative token", { input: [-1] }, 400, null, null, "its item 0 is the number -1."],
  ["no such token", { input: [1, 200_000] }, 400, null, null, "its token 200000 is none"],
  [
    "too many texts",
    { input: Array.from({ length: 2049 }, () => "a") },
    400,
    "array_above_max_length",
    "input",
    "array too long: it has 2049 items",
  ],
  ["an unknown key", { dimension: 3 }, 400, null, null, "argument supplied: dimension"],
  ["no dimensions", { dimensions: 0 }, 400, "integer_below_min_value", "dimensions", ">= 1"],
  ["a text of them", { dimensions: "8" }, 400, "invalid_type", "dimensions", "an integer"],
  [
    "too many",
    { dimensions: 1537 },
    400,
    null,
    null,
    "invalid value for 'dimensions' = 1537. Must be less than or equal to 1536",
  ],
  [
    "dimensions of ada",
    { model: "text-embedding-ada-002", dimensions: 8 },
    400,
    null,
    null,
    "does not support specifying dimensions",
  ],
  [
    "an unknown encoding",
    { encoding_format: "base46" },
    400,
    "invalid_value",
    "encoding_format",
    "'float' and 'base64'",
  ],
  ["a wrong user", { user: 5 }, 400, "invalid_type", "user", "expected a string"],
  [
    "a chat model",
    { model: "atlas" },
    403,
    null,
    null,
    "you are not allowed to generate embeddings from this model, since `atlas` is a chat model. Use one of these: embed,",
  ],
  ["an unknown model", { model: "embd" }, 404, "model_not_found", null, "`embd` does not exist"],
  ["a long text", { input: long }, 400, null, "input", "maximum input length is 8192 tokens"],
  [
    "one in a list",
    { input: ["a", long] },
    400,
    null,
    "input[1]",
    "length is 8192 tokens, but it has 10250",
  ],
  [
    "one for the model",
    { model: "embed", input: "a ".repeat(21) },
    400,
    null,
    "input",
    "is 20 tokens",
  ],
  [
    "a long request",
    { input: many },
    400,
    "max_tokens_per_request",
    null,
    "max 300000 tokens per request",
  ],
])("%s is refused", async (what, fields, status, code, param, message) => {
  const emulator = await wholeService({ models });
  const usual = what === "no model" ? {} : { model: "text-embedding-3-small" };
  const given = what === "no input" ? {} : { input: "a" };
  const { status: answered, body } = await post(emulator, { ...usual, ...given, ...fields });
  const type = code === "max_tokens_per_request" ? code : "invalid_request_error";
  expect(body.error).toEqual({ message: expect.stringContaining(message), type, param, code });
  expect(answered).toBe(status);
});

test("of several problems the first is told: what is missing, unknown, wrong, the input, the model", async () => {
  const emulator = await wholeService({ models });
  const told = async (fields: object): Promise<string> =>
    (await post(emulator, { model: "nope", ...fields })).body.error.message;
  expect(await told({ user: 5, foo: 1 })).toContain("Missing required parameter: 'input'");
  expect(await told({ input: "", user: 5, foo: 1 })).toContain("argument supplied: foo");
  expect(await told({ input: "", user: 5 })).toContain("Invalid type for 'user'");
  expect(await told({ input: "" })).toContain("'$.input'");
  expect(await told({ input: "a", dimensions: 5000 })).toContain("`nope` does not exist");
});

test("null counts as left out", async () => {
  const nothing = { encoding_format: null, dimensions: null, user: null };
  const [vector] = await vectorsOf(await wholeService(), "a", nothing);
  expect(vector).toHaveLength(1536);
});

test("an unknown model is accepted where the fixtures say so, and the log names it", async () => {
  const warnings: string[] = [];
  const observer = { warned: (message: string) => warnings.push(message) };
  const fixtures = { models, chat: { unknownModels: "accept" } };
  const emulator = await wholeService(fixtures, { observer });
  const { status } = await post(emulator, { model: "mine", input: "a" });
  expect(status).toBe(200);
  expect(warnings).toEqual([expect.stringContaining('"mine" is not in the fixtures')]);
  expect((await post(emulator, { model: "atlas", input: "a" })).status).toBe(403);
});

test("rate limits count a request and its tokens", async () => {
  const limits = { requestsPerMinute: 2, tokensPerMinute: 100 };
  const emulator = await wholeService({ limits, clock: "2024-01-01T00:00:00Z" });
  const ask = () => post(emulator, { model: "m", input: "one two three" });
  const { headers } = await ask();
  expect(headers.get("x-ratelimit-remaining-requests")).toBe("1");
  expect(headers.get("x-ratelimit-remaining-tokens")).toBe("97");
  expect((await ask()).status).toBe(200);
  const refused = await ask();
  expect(refused.status).toBe(429);
  expect(refused.body.error).toMatchObject({ type: "requests", code: "rate_limit_exceeded" });
});

test("the journal and the metrics have the request, what answered it, and its usage", async () => {
  const emulator = await wholeService();
  await post(emulator, { model: "m", input: Array.from({ length: 100 }, () => "one two three") });
  expect(emulator.journal.list()).toMatchObject([
    {
      interface: "chat",
      path: "/v1/embeddings",
      status: 200,
      ended: "complete",
      answeredBy: "embeddings",
      usage: { prompt_tokens: 300, total_tokens: 300 },
    },
  ]);
  const metrics = await emulator.fetch("/__backlot/metrics");
  expect(await metrics.text()).toContain('backlot_requests_total{interface="chat",status="200"} 1');
});

test("a planned fault answers in place of a vector", async () => {
  const emulator = await wholeService();
  emulator.faults.add({ path: "/v1/embeddings", status: 503, times: 1 });
  const ask = () => post(emulator, { model: "m", input: "a" });
  expect((await ask()).status).toBe(503);
  expect((await ask()).status).toBe(200);
});

test("under document there are no embeddings, and the answer says what to do", async () => {
  const emulator = await wholeService({}, { profiles: { chat: "document" } });
  for (const path of ["/v1/embeddings", "/openai/deployments/m/embeddings"]) {
    const { status, body } = await post(emulator, { model: "m", input: "a" }, path);
    expect(status).toBe(404);
    expect(body.error.code).toBe("unknown_url");
    expect(body.error.message).toContain("no such path. Start with --chat-profile openai");
    expect(body.error.message).toContain("replay a recording");
  }
});

async function documentOf(chat: "document" | "openai") {
  const emulator = await wholeService({}, { profiles: { chat } });
  return (await emulator.fetch("/__backlot/openapi.json")).json();
}

test("OpenAPI describes both addresses under openai alone", async () => {
  const { paths, components } = await documentOf("openai");
  expect(paths["/embeddings"].post).toMatchObject({
    operationId: "createEmbeddings",
    tags: ["chat"],
  });
  const azure = paths["/openai/deployments/{deployment}/embeddings"];
  expect(azure.post.operationId).toBe("createDeploymentEmbeddings");
  expect(Object.keys(components.schemas.EmbeddingsRequest.properties)).toEqual([
    "model",
    "input",
    "encoding_format",
    "dimensions",
    "user",
  ]);
  expect(Object.keys((await documentOf("document")).paths)).not.toContain("/embeddings");
});
