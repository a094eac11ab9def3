import { expect, test } from "vitest";
import { openaiProfile } from "../../../src/core/chat/profiles.ts";
import { bodyOf, chatBody, chatContext, model, post, send } from "./support.ts";

const models = [
  model("atlas-large", { variant: "atlas-large-2024-05" }),
  model("org/model:v1"),
  model("atlas-embed", { kind: "embedding" }),
];

test.each([["/models/org%2Fmodel:v1"], ["/models/org/model:v1"], ["/models/org%2Fmodel%3Av1"]])(
  "retrieves a model by %s",
  async (path) => {
    const reply = await send(chatContext({ models }), "GET", path);
    expect(reply.status).toBe(200);
    expect(bodyOf(reply)).toMatchObject({ id: "org/model:v1", object: "model" });
  },
);

test.each([["atlas-lrge"], ["__proto__"], ["constructor"], ["%zz"]])(
  "answers 404 for the model %s",
  async (id) => {
    const reply = await send(chatContext({ models }), "GET", `/models/${id}`);
    expect(reply.status).toBe(404);
    expect(bodyOf(reply).error).toMatchObject({
      message: expect.stringContaining(`the model \`${id}\` does not exist`),
      type: "invalid_request_error",
      param: null,
      code: "model_not_found",
    });
  },
);

test.each([
  ["atlas-large", "atlas-large-2024-05"],
  ["atlas-large-2024-05", "atlas-large-2024-05"],
  ["org/model:v1", "org/model:v1"],
])("a request for %s is answered by %s", async (asked, answering) => {
  const reply = await post(chatContext({ models }), chatBody({ model: asked }));
  expect(bodyOf(reply)).toMatchObject({ object: "chat.completion", model: answering });
});

test("refuses an unknown model and names the nearest chat model", async () => {
  const reply = await post(chatContext({ models }), chatBody({ model: "atlas-lrge" }));
  expect(reply.status).toBe(404);
  expect(bodyOf(reply).error).toEqual({
    message:
      "Cannot answer: the model `atlas-lrge` does not exist or you do not have access to it. " +
      'Did you mean "atlas-large"? Add it to "models" (models.json), or accept any name with ' +
      '"chat": {"unknownModels": "accept"}.',
    type: "invalid_request_error",
    param: null,
    code: "model_not_found",
  });
});

test.each([
  ["a model", { models }, {}],
  ["a key", { models, apiKeys: ["k"] }, { authorization: "Bearer x" }],
  ["no key", { models, apiKeys: ["k"] }, {}],
])(
  "the profile openai refuses %s without a word of Backlot's settings",
  async (_, given, headers) => {
    const context = { ...chatContext(given), profile: openaiProfile };
    const { error } = bodyOf(await post(context, chatBody({ model: "nope" }), headers));
    expect(error.message).not.toMatch(/json|apiKeys|--no-auth|unknownModels/);
  },
);

test("accepts a model that is not in the list if told to, and says which", async () => {
  const accepted: string[] = [];
  const context = chatContext({ models, acceptModel: (id) => void accepted.push(id) });
  const answered = await post(context, chatBody({ model: "gpt-4o" }));
  expect(bodyOf(answered)).toMatchObject({ object: "chat.completion", model: "gpt-4o" });
  expect(accepted).toEqual(["gpt-4o"]);
  expect(bodyOf(await send(context, "GET", "/models/gpt-4o"))).toMatchObject({ id: "gpt-4o" });
  const known = await post(context, chatBody({ model: "atlas-large" }));
  expect(bodyOf(known).model).toBe("atlas-large-2024-05");
  const embedding = await post(context, chatBody({ model: "atlas-embed" }));
  expect(bodyOf(embedding).error.code).toBe("model_not_supported");
  expect(accepted).toEqual(["gpt-4o"]);
});

test("refuses a model that cannot chat and names those that can", async () => {
  const reply = await post(chatContext({ models }), chatBody({ model: "atlas-embed" }));
  expect(reply.status).toBe(404);
  expect(bodyOf(reply).error).toEqual({
    message:
      "Cannot answer: `atlas-embed` is not a chat model. Use one of these: atlas-large, org/model:v1.",
    type: "invalid_request_error",
    param: "model",
    code: "model_not_supported",
  });
});

test("lists usual models, chat models and one for embeddings, when there are none", async () => {
  const { data } = bodyOf(await send(chatContext(), "GET", "/models"));
  expect(data.map(({ id }: { id: string }) => id)).toEqual([
    "atlas-large",
    "atlas-small",
    "atlas-embed",
  ]);
  expect(data[1]).toEqual({
    id: "atlas-small",
    object: "model",
    created: 1_710_147_600,
    owned_by: "backlot",
  });
});

test.each([
  ["atlas-small", 1_710_147_600],
  ["any/model", 1_714_521_600],
  ["__proto__", 1_714_521_600],
])("retrieves the model %s when there are no models", async (id, created) => {
  const reply = await send(chatContext(), "GET", `/models/${id}`);
  expect(reply.status).toBe(200);
  expect(bodyOf(reply)).toEqual({ id, object: "model", created, owned_by: "backlot" });
});

test("takes every model id when there are no models", async () => {
  const reply = await post(chatContext(), chatBody({ model: "__proto__" }));
  expect(bodyOf(reply)).toMatchObject({ object: "chat.completion", model: "__proto__" });
});

test("a request for an unknown model does not use up a script's turn", async () => {
  const scripts = [{ name: "s", times: 1, replies: [{ content: "once" }] as const }];
  const context = chatContext({ models, scripts });
  await post(context, chatBody({ model: "nope" }));
  const { choices } = bodyOf(await post(context, chatBody({ model: "atlas-large" })));
  expect(choices[0].message.content).toBe("once");
});

test.each(["/models", "/models/atlas"])(
  "says of %s whether the fixtures have the models that it shows",
  async (path) => {
    const known = await send(chatContext({ models: [model("atlas")] }), "GET", path);
    const usual = await send(chatContext(), "GET", path);
    expect([known, usual]).toMatchObject([
      { status: 200, answeredBy: "models", isMiss: undefined },
      { status: 200, answeredBy: "models", isMiss: true },
    ]);
  },
);
