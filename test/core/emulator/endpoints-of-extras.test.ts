import { expect, test } from "vitest";
import type { ChatEndpoint } from "../../../src/core/chat/endpoints.ts";
import { answerControl } from "../../../src/core/control/answer-control.ts";
import { Core } from "../../../src/core/emulator/core.ts";
import { jsonReply, type Reply } from "../../../src/core/http/reply.ts";
import { readFixtureDocument } from "../../../src/core/fixture-set/read-fixtures.ts";
import { call, type CallOptions } from "../../support/calls.ts";

/** Says of which text it was asked for the embedding. */
const embeddings: ChatEndpoint = {
  method: "POST",
  path: "/embeddings",
  answer: async (asked) => {
    const body = await asked.readBody();
    return jsonReply(200, { bytes: body.kind === "bytes" ? body.bytes.length : 0 });
  },
  describe: () =>
    Promise.resolve({
      parameters: [],
      operation: { operationId: "createEmbedding", responses: { 200: { description: "Yes." } } },
      schemas: {},
    }),
};

const headers = { authorization: "Bearer key" };

async function ask(line: string, options: CallOptions = { headers }): Promise<Reply> {
  const extras = { chatEndpoints: [embeddings], control: () => Promise.resolve(answerControl) };
  const core = new Core(await readFixtureDocument({ tables: {}, chats: [] }), {}, { extras });
  const [method = "", path = ""] = line.split(" ");
  return (await core.handle(call(method, path, options), { inProcess: true })).reply;
}

function bodyOf({ body }: Reply) {
  return JSON.parse(body.kind === "text" ? body.text : "null");
}

test("an endpoint that an extra registers answers below every mount point of chat", async () => {
  for (const base of ["", "/v1"]) {
    const reply = await ask(`POST ${base}/embeddings`, { headers, body: { input: "a" } });
    expect(reply.status).toBe(200);
    expect(bodyOf(reply)).toEqual({ bytes: 13 });
  }
});

test("it needs a key, refuses other methods, and stands among the paths that a 404 names", async () => {
  expect((await ask("POST /v1/embeddings", {})).status).toBe(401);
  const wrongMethod = await ask("GET /v1/embeddings");
  expect(wrongMethod.status).toBe(405);
  expect(wrongMethod.headers["allow"]).toBe("POST, OPTIONS");
  const unknown = await ask("GET /v1/embedding");
  expect(unknown.status).toBe(404);
  expect(bodyOf(unknown).error.message).toContain("POST /v1/embeddings");
});

test("OpenAPI describes it with the others", async () => {
  const { paths } = bodyOf(await ask("GET /__backlot/openapi.json"));
  expect(paths["/embeddings"].post).toMatchObject({
    operationId: "createEmbedding",
    tags: ["chat"],
    security: [{ apiKey: [] }],
  });
  expect(Object.keys(paths)).toContain("/chat/completions");
});
